/**
 * Objects with random changes. For each object that the runtime encodes, Go accepts the same JSON and writes
 * the same bytes; objects that Go would reject, or from which it would drop members, are rejected with a
 * TypeError.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';
import { altered } from './altered.ts';
import { encode } from './codec.ts';
import { hasWide, type JsonObject, parsed } from './expected.ts';
import { hasCodec } from './kinds.ts';
import { type GoKind, Oracle, oraclePath } from './oracle.ts';
import { announce, objects, seed } from './settings.ts';

/** Changed objects per original. */
const changes = 3;

const path = await oraclePath();

if (path === undefined) {
  describe.skip('altered objects against Go: no `go` is on the PATH', () => {
    it('requires Go', () => undefined);
  });
} else {
  announce('altered objects against Go');
  const oracle = new Oracle(path);
  afterAll(() => oracle.close());
  const kinds = (await oracle.kinds()).filter(hasCodec);
  const ends = { written: 0, refused: 0 };

  describe('altered objects against Go', () => {
    it.each(kinds)('$apiVersion $kind', async (kind) => {
      const problems = await Promise.all(
        (await alteredOf(oracle, kind)).map((object) => tried(oracle, object, ends)),
      );
      expect(problems.flat().slice(0, 3)).toEqual([]);
    });

    it('covers both success and failure', () => {
      expect(ends.written).toBeGreaterThan(kinds.length);
      expect(ends.refused).toBeGreaterThan(kinds.length);
    });
  });
}

async function alteredOf(oracle: Oracle, { apiVersion, kind }: GoKind): Promise<readonly JsonObject[]> {
  const made = await oracle.make({ seed, apiVersion, kind, from: 3, count: Math.ceil(objects / 5) });
  return made.flatMap(({ json }, index) =>
    Array.from({ length: changes }, (_, change) =>
      altered(parsed(json), randomOf(seed * 1_000_003 + index * changes + change)),
    ),
  );
}

async function tried(
  oracle: Oracle,
  object: JsonObject,
  ends: { written: number; refused: number },
): Promise<readonly string[]> {
  const json = JSON.stringify(object);
  const ours = await written(object);
  if (ours instanceof TypeError) {
    ends.refused += 1;
    return [];
  }
  if (ours instanceof Error) return [`${ours}: ${json}`];
  ends.written += 1;
  if (hasWide(object)) return [];
  const theirs = await oracle.encode(json);
  if ('error' in theirs) return [`Go rejects an object that was encoded: ${theirs.error}: ${json}`];
  if (theirs.value.equals(ours)) return [];
  const [a, b] = [await oracle.decode(ours), await oracle.decode(theirs.value)];
  const [got, want] = [a, b].map((side) => ('value' in side ? side.value.toString() : side.error));
  // Quantities are written unchanged; Go makes them canonical when it reads them.
  if (got === want) return [];
  return [`other bytes: ${json}\nours: ${got}\nGo's: ${want}`];
}

async function written(object: JsonObject): Promise<Uint8Array | Error> {
  try {
    // seam: an object that may be invalid anywhere
    return await encode(object as unknown as Parameters<typeof encode>[0]);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
