/**
 * Pairs of files that Kubernetes keeps of each kind: the bytes decode to the object of the JSON, and the
 * object encodes to the bytes. A pair `after_roundtrip` is the result of a newer version for the pair before
 * it; the codec supports the fields of several versions, so the original is tried first.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpus } from '../support/emitted.ts';
import { decode, encode } from './codec.ts';
import { difference } from './difference.ts';
import { type JsonObject, parsed } from './expected.ts';
import { envelope, opened } from './wire.ts';

interface Pair {
  readonly name: string;
  readonly file: string;
  /** Files with JSON of the object, the likeliest first. */
  readonly texts: readonly string[];
  /** Files with possible encodings of the object. */
  readonly bytes: readonly string[];
}

/** Its envelope has no kind, since it is never sent alone: watches consist of it. */
const withoutKind = 'core.v1.WatchEvent';

function pairsIn(folder: string): readonly Pair[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.pb'));
  return files
    .map((name) => name.slice(0, -'.pb'.length))
    .filter((name) => name !== withoutKind)
    .map((name) => ({
      name,
      file: join(folder, `${name}.pb`),
      texts: filesOf(folder, name, '.json'),
      bytes: filesOf(folder, name, '.pb'),
    }));
}

/** Returns the files of an object, and of its round trip through a newer version. */
function filesOf(folder: string, name: string, extension: string): readonly string[] {
  const plain = name.replace('.after_roundtrip', '');
  const after = `${plain}.after_roundtrip`;
  return (name === plain ? [plain, after] : [after, plain])
    .map((candidate) => join(folder, candidate + extension))
    .filter((file) => existsSync(file));
}

if (corpus === undefined) {
  describe.skip('golden pairs: KGEN_CORPUS is not set', () => {
    it('requires KGEN_CORPUS', () => undefined);
  });
} else {
  const golden = join(corpus, 'golden');
  describe.each(readdirSync(golden))('golden pairs of %s', (version) => {
    const pairs = pairsIn(join(golden, version));

    it('exist', () => expect(pairs.length).toBeGreaterThan(70));

    it(`${withoutKind} has no kind`, () => expectWatchEvent(join(golden, version)));

    it.each(pairs)('$name', expectPair);
  });
}

async function expectPair({ file, texts, bytes }: Pair): Promise<void> {
  const decoded = await decode(readFileSync(file));
  const texted = texts.map((text) => parsed(readFileSync(text, 'utf8')));
  const [before, after] = texted;
  const expected =
    before === undefined || after === undefined ? texted : [...texted, together(before, after)];
  const differences = expected.map((want) => difference(decoded, want));
  expect(differences, 'one of the JSON files equals the decoded bytes').toContain(undefined);
  const written = await encode(decoded);
  expect(difference(await decode(written), decoded)).toBeUndefined();
  // No version wrote an object that has both removed and later members.
  const stated = expected[differences.indexOf(undefined)];
  if (stated === undefined || !texted.includes(stated)) return;
  const allowed = bytes.map((name) => hex(readFileSync(name)));
  expect(allowed).toContain(hex(written));
  // seam: JSON of an object with apiVersion and kind
  expect(allowed).toContain(hex(await encode(stated as unknown as Parameters<typeof encode>[0])));
}

/**
 * Returns an object with the members of both: the codec supports members that a newer version removed, and
 * those that it added.
 */
function together(before: JsonObject, after: JsonObject): JsonObject {
  const both: JsonObject = { ...before };
  for (const [key, value] of Object.entries(after)) {
    const other = before[key];
    both[key] = isMap(value) && isMap(other) ? together(other, value) : value;
  }
  return both;
}

function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Verifies the message of a watch event, in an envelope with its type. */
async function expectWatchEvent(folder: string): Promise<void> {
  const file = join(folder, `${withoutKind}.pb`);
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  await expect(decode(bytes)).rejects.toThrow(/kind/);
  const { message } = opened(bytes);
  const decoded = await decode(envelope('v1', 'WatchEvent', message));
  const want = parsed(readFileSync(join(folder, `${withoutKind}.json`), 'utf8'));
  expect(difference(decoded, { apiVersion: 'v1', kind: 'WatchEvent', ...want })).toBeUndefined();
  expect(hex(opened(Buffer.from(await encode(decoded))).message)).toBe(hex(message));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
