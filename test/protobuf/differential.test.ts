/**
 * Random objects of every kind, compared with Go in both directions. The object decoded from Go's bytes
 * equals Go's JSON; our bytes mean the same to Go, and are identical if Go's own bytes are those that it
 * would write again. An object that is decoded, copied by spreads and encoded means the same too, in protobuf
 * and in JSON: Go compares 64-bit integers exactly.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../src/runtime/codec/integers/write-json.ts';
import { decode, encode } from './codec.ts';
import { difference } from './difference.ts';
import { expectedOf, hasUnwritable, isExact, isExactInJson, parsed } from './expected.ts';
import { hasCodec } from './kinds.ts';
import { type GoKind, type GoObject, Oracle, oraclePath, type Verdict } from './oracle.ts';
import { announce, objects, seed } from './settings.ts';

const path = await oraclePath();

if (path === undefined) {
  describe.skip('protobuf against Go: no `go` is on the PATH', () => {
    it('requires Go', () => undefined);
  });
} else {
  announce('protobuf against Go');
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());
  const kinds = (await oracle.kinds()).filter(hasCodec);

  describe('protobuf against Go', () => {
    it('covers all kinds', () => expect(kinds.length).toBeGreaterThan(340));

    it.each(kinds)('$apiVersion $kind', async (kind) => {
      const problems = await problemsOf(oracle, kind);
      expect(problems.slice(0, 3), `${problems.length} problems`).toEqual([]);
    });
  });
}

/** Returns the differences of a kind, as sentences. */
async function problemsOf(oracle: Oracle, kind: GoKind): Promise<readonly string[]> {
  const which = { seed, apiVersion: kind.apiVersion, kind: kind.kind, from: 0, count: objects };
  const made = await oracle.make(which);
  const written = await Promise.all(made.map((object) => bothWays(kind, object)));
  const verdicts = await oracle.check(
    which,
    written.map(({ bytes }) => bytes),
  );
  const again = await oracle.check(
    which,
    written.map(({ fromJson }) => fromJson),
  );
  const updated = await oracle.check(
    which,
    written.map(({ spread }) => spread),
  );
  const json = await Promise.all(made.map((object) => updateInJson(oracle, object)));
  const updatedInJson = await oracle.check(which, json);
  return made.flatMap((object, index) => {
    const own = written[index]?.problems ?? [];
    const judged = [
      ...judge('decoded and encoded', object, verdicts[index]),
      ...judge('encoded from JSON', object, again[index]),
      ...judge('decoded, spread and encoded', object, updated[index]),
      ...judge('parsed, spread and written as JSON', object, updatedInJson[index]),
    ];
    return [...own, ...judged].map((problem) => `object ${index} (${object.shape}): ${problem}`);
  });
}

interface Written {
  /** Encoding of the decoded object. */
  readonly bytes: Uint8Array;
  /** Encoding of the object from JSON. */
  readonly fromJson: Uint8Array;
  /** Encoding of the decoded object after every object in it was copied by a spread. */
  readonly spread: Uint8Array;
  readonly problems: readonly string[];
}

async function bothWays(kind: GoKind, object: GoObject): Promise<Written> {
  const problems: string[] = [];
  const decoded = await decode(object.protobuf);
  const found = difference(decoded, expectedOf(kind, object.json));
  if (found !== undefined) problems.push(`decode: ${reported(found)}`);
  // An object without property reads: lazily decoded parts are written as they were received.
  const bytes = await encoded(await decode(object.protobuf), object.protobuf, problems);
  const fromJson = await encoded(parsed(object.json), object.again, problems);
  const canonical = object.protobuf.equals(object.again);
  if (isExact(object) && canonical && !object.protobuf.equals(bytes))
    problems.push(`decode, encode: ${unlike(bytes, object.protobuf)}`);
  if (isExactInJson(object) && !object.again.equals(fromJson))
    problems.push(`encode of JSON: ${unlike(fromJson, object.again)}: ${object.json}`);
  const spread = await encoded(spreadOf(await decode(object.protobuf)), object.protobuf, problems);
  return { bytes, fromJson, spread, problems };
}

/**
 * Returns a copy as callers create it of decoded objects: every object is copied by a spread, including those
 * in lists.
 */
function spreadOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const hasObjects = Array.isArray(value) && value.some((item) => typeof item === 'object');
  // seam: a copy of the same type
  if (Array.isArray(value)) return (hasObjects ? value.map(spreadOf) : value) as T;
  const copy = { ...value };
  for (const [key, member] of Object.entries(value)) {
    const descriptor = {
      value: spreadOf<unknown>(member),
      configurable: true,
      enumerable: true,
      writable: true,
    };
    Object.defineProperty(copy, key, descriptor);
  }
  return copy;
}

/**
 * Returns the protobuf that Go writes for the JSON of an update: Go's JSON after parsing, spreading and
 * stringifying.
 */
async function updateInJson(oracle: Oracle, { json, again }: GoObject): Promise<Uint8Array> {
  const object = parsed(json);
  if (hasUnwritable(object)) return again;
  const outcome = await oracle.encode(jsonOf(spreadOf(object)));
  if ('error' in outcome) throw new Error(`Go cannot read our JSON: ${outcome.error}\n${json}`);
  return outcome.value;
}

/** Returns the encoded object, or `instead` if `encode` may throw. */
async function encoded(object: object, instead: Uint8Array, problems: string[]): Promise<Uint8Array> {
  try {
    // seam: a decoded object, or JSON of it
    return await encode(object as Parameters<typeof encode>[0]);
  } catch (error) {
    if (!(error instanceof TypeError) || !hasUnwritable(object)) problems.push(`encode: ${String(error)}`);
    return instead;
  }
}

function judge(what: string, object: GoObject, verdict: Verdict | undefined): readonly string[] {
  if (verdict === undefined) return [`${what}: no result from Go`];
  const { error, path, want, got, semantic } = verdict;
  if (error !== undefined) return [`${what}: Go cannot read it: ${error}`];
  if (path !== undefined) return [`${what}: Go reads at ${path} ${got}, not ${want}`];
  const isWhole = object.protobuf.equals(object.again) && isExactInJson(object);
  return isWhole && !semantic ? [`${what}: not semantically equal`] : [];
}

function reported({ path, got, want }: { path: string; got: unknown; want: unknown }): string {
  return `at ${path || 'the object itself'}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`.slice(
    0,
    400,
  );
}

/** Returns the position of the first different byte. */
function unlike(got: Uint8Array, want: Uint8Array): string {
  const at = want.findIndex((byte, index) => byte !== got[index]);
  const near = (bytes: Uint8Array): string =>
    Buffer.from(bytes.subarray(Math.max(0, at - 12), at + 24)).toString('latin1');
  return `other bytes from ${at} on: ${JSON.stringify(near(got))}, not ${JSON.stringify(near(want))}`;
}
