/** Random changes of objects, as in hand-written JSON. */
import type { Random } from '../support/random.ts';
import type { JsonObject } from './expected.ts';

const values: readonly [() => unknown, ...(() => unknown)[]] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e300,
  () => 2 ** 31,
  () => -(2 ** 31),
  () => 2 ** 53,
  () => '',
  () => 'a',
  () => '1',
  () => '1Gi',
  () => '50%',
  () => 'AA==',
  () => '2024-01-02T03:04:05Z',
  () => '2024-01-02T03:04:05.123456+01:00',
  () => 'half of a letter \ud83d',
  () => [],
  () => ({}),
  () => [null],
  () => ['a', 1],
  () => [{}],
  () => ({ a: 'b' }),
  () => ({ '': null }),
  () => JSON.parse('{"__proto__":"a"}'),
];

/** Returns a copy with one to three members or items replaced. */
export function altered(object: JsonObject, random: Random): JsonObject {
  const copy = structuredClone(object);
  for (let left = 1 + random.int(3); left > 0; left -= 1) alter(copy, random, 0);
  return copy;
}

function alter(holder: JsonObject, random: Random, depth: number): void {
  const keys = Object.keys(holder).filter((key) => depth > 0 || (key !== 'kind' && key !== 'apiVersion'));
  const key = keys[random.int(keys.length)];
  if (key === undefined) return;
  const value = holder[key];
  if (typeof value === 'object' && value !== null && random.chance(0.85)) {
    // seam: indexes are the keys of arrays
    alter(value as JsonObject, random, depth + 1);
    return;
  }
  const change = random.int(10);
  if (change === 0) holder[`${key}x`] = value;
  else if (change === 1 && !Array.isArray(holder)) delete holder[key];
  else holder[key] = random.pick(values)();
}
