/**
 * The pairs of files that Kubernetes keeps of each kind: the bytes give the object that the JSON says, and the object gives
 * the bytes. A pair `after_roundtrip` is what a newer version leaves of the one before it; the codec knows the fields of
 * several versions, so the original is the first thing it may be.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { corpus } from '../support/emitted.ts';
import { decode, encode } from './codec.ts';
import { type JsonObject, parsed } from './expected.ts';
import { difference } from './same.ts';
import { envelope, opened } from './wire.ts';

interface Pair {
  readonly name: string;
  readonly file: string;
  /** JSON of the object, the likeliest first. */
  readonly texts: readonly string[];
}

/** In its envelope there is no kind, since nobody sends it alone: watches are made of it. */
const withoutKind = 'core.v1.WatchEvent';

function pairsIn(folder: string): readonly Pair[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.pb'));
  return files
    .map((name) => name.slice(0, -'.pb'.length))
    .filter((name) => name !== withoutKind)
    .map((name) => ({ name, file: join(folder, `${name}.pb`), texts: textsOf(folder, name) }));
}

function textsOf(folder: string, name: string): readonly string[] {
  const plain = name.replace('.after_roundtrip', '');
  const after = `${plain}.after_roundtrip`;
  return (name === plain ? [plain, after] : [after, plain])
    .map((candidate) => join(folder, `${candidate}.json`))
    .filter((file) => existsSync(file));
}

if (corpus === undefined) {
  describe.skip('golden pairs: KGEN_CORPUS is not set', () => {
    it('needs them', () => undefined);
  });
} else {
  const golden = join(corpus, 'golden');
  describe.each(readdirSync(golden))('golden pairs of %s', (version) => {
    const pairs = pairsIn(join(golden, version));

    it('are there', () => expect(pairs.length).toBeGreaterThan(70));

    it(`${withoutKind}, which has no kind of its own`, () => expectWatchEvent(join(golden, version)));

    it.each(pairs)('$name', async ({ file, texts }) => {
      const bytes = readFileSync(file);
      const decoded = await decode(bytes);
      const wanted = texts.map((text) => parsed(readFileSync(text, 'utf8')));
      const differences = wanted.map((want) => difference(decoded, want));
      expect(differences, 'one of the texts says what the bytes say').toContain(undefined);
      expect(hex(await encode(decoded))).toBe(hex(bytes));
      const said = wanted[differences.indexOf(undefined)];
      if (said !== undefined && differences[0] === undefined) await expectBytes(said, bytes);
    });
  });
}

/** The message of an event of a watch, in an envelope that says what it is. */
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

/** The JSON alone gives the bytes too. */
async function expectBytes(object: JsonObject, bytes: Buffer): Promise<void> {
  // seam: JSON of an object with apiVersion and kind
  expect(hex(await encode(object as unknown as Parameters<typeof encode>[0]))).toBe(hex(bytes));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
