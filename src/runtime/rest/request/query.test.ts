import { expect, it } from 'vitest';
import { encodeQuery, type QueryValue, queryOf } from './query.ts';

const cases: readonly [given: Record<string, QueryValue>, want: string][] = [
  [{}, ''],
  [{ b: 1, a: 'x y' }, 'a=x+y&b=1'],
  [{ force: false, limit: 0 }, 'force=false&limit=0'],
  [{ a: undefined, b: '' }, ''],
  [{ command: ['sh', '-c', 'a&b'] }, 'command=sh&command=-c&command=a%26b'],
  [{ labelSelector: 'a in (b,c),!d' }, 'labelSelector=a+in+%28b%2Cc%29%2C%21d'],
];

it('omits null, and throws for objects, which plain JavaScript may pass', () => {
  const query = (value: unknown): unknown => Reflect.apply(queryOf, undefined, [{ since: value }]);
  expect(query(null)).toEqual([]);
  expect(() => query(new Date())).toThrow(/^the query parameter since must not be an object/);
});

it.each(cases)('%j', (given, want) => {
  expect(encodeQuery(queryOf(given))).toBe(want);
});
