/**
 * Random objects of every kind, compared with Go both ways. Go's bytes give the object that Go's JSON says; our bytes mean
 * the same to Go, and are the same bytes where Go's own are those that it would write again. An object that is read, copied
 * by spreads and written again means the same too, in protobuf and in JSON: Go compares integers of 64 bits exactly.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { jsonOf } from '../../src/runtime/codec/integers/write-json.ts';
import { decode, encode } from './codec.ts';
import { expectedOf, hasUnwritable, isExact, isExactInJson, parsed } from './expected.ts';
import { hasCodec } from './kinds.ts';
import { type GoKind, type GoObject, Oracle, oraclePath, type Verdict } from './oracle.ts';
import { difference } from './same.ts';
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

/** Everything that is wrong with a kind, as sentences. */
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
  /** Of the object that was decoded. */
  readonly bytes: Uint8Array;
  /** Of the object that JSON has. */
  readonly fromJson: Uint8Array;
  /** Of the object that was decoded, after a caller has copied every object in it by a spread. */
  readonly spread: Uint8Array;
  readonly problems: readonly string[];
}

async function bothWays(kind: GoKind, object: GoObject): Promise<Written> {
  const problems: string[] = [];
  const decoded = await decode(object.protobuf);
  const found = difference(decoded, expectedOf(kind, object.json));
  if (found !== undefined) problems.push(`decode: ${told(found)}`);
  // One that nobody looked at: what is read late is written as it came.
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

/** A copy as callers make it of what they have read: every object is spread, and so is what lists of objects hold. */
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

/** The protobuf that Go makes of the JSON of an update: Go's JSON, read, spread and written. */
async function updateInJson(oracle: Oracle, { json, again }: GoObject): Promise<Uint8Array> {
  const object = parsed(json);
  if (hasUnwritable(object)) return again;
  const outcome = await oracle.encode(jsonOf(spreadOf(object)));
  if ('error' in outcome) throw new Error(`Go cannot read our JSON: ${outcome.error}\n${json}`);
  return outcome.value;
}

/** What `encode` gives; `instead` where it may refuse. */
async function encoded(object: object, instead: Uint8Array, problems: string[]): Promise<Uint8Array> {
  try {
    // seam: what was decoded, or JSON of it
    return await encode(object as Parameters<typeof encode>[0]);
  } catch (error) {
    if (!(error instanceof TypeError) || !hasUnwritable(object)) problems.push(`encode: ${String(error)}`);
    return instead;
  }
}

function judge(what: string, object: GoObject, verdict: Verdict | undefined): readonly string[] {
  if (verdict === undefined) return [`${what}: Go says nothing`];
  const { error, path, want, got, semantic } = verdict;
  if (error !== undefined) return [`${what}: Go cannot read it: ${error}`];
  if (path !== undefined) return [`${what}: Go reads at ${path} ${got}, not ${want}`];
  const isWhole = object.protobuf.equals(object.again) && isExactInJson(object);
  return isWhole && !semantic ? [`${what}: not semantically equal`] : [];
}

function told({ path, got, want }: { path: string; got: unknown; want: unknown }): string {
  return `at ${path || 'the object itself'}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`.slice(
    0,
    400,
  );
}

/** Where bytes begin to be other bytes. */
function unlike(got: Uint8Array, want: Uint8Array): string {
  const at = want.findIndex((byte, index) => byte !== got[index]);
  const near = (bytes: Uint8Array): string =>
    Buffer.from(bytes.subarray(Math.max(0, at - 12), at + 24)).toString('latin1');
  return `other bytes from ${at} on: ${JSON.stringify(near(got))}, not ${JSON.stringify(near(want))}`;
}
