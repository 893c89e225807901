/**
 * Random objects of every kind, compared with Go both ways. Go's bytes give the object that Go's JSON says; our bytes mean
 * the same to Go, and are the same bytes where Go's own are those that it would write again.
 */
import { afterAll, describe, expect, it } from 'vitest';
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
  return made.flatMap((object, index) => {
    const own = written[index]?.problems ?? [];
    const judged = [
      ...judge('decoded and encoded', object, verdicts[index]),
      ...judge('encoded from JSON', object, again[index]),
    ];
    return [...own, ...judged].map((problem) => `object ${index} (${object.shape}): ${problem}`);
  });
}

interface Written {
  /** Of the object that was decoded. */
  readonly bytes: Uint8Array;
  /** Of the object that JSON has. */
  readonly fromJson: Uint8Array;
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
  return { bytes, fromJson, problems };
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
