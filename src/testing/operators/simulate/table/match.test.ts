import { expect, it } from 'vitest';
import { comparable, mismatches, mismatchText } from './match.ts';

const value = { a: 1, text: 'web:2.0', list: [{ x: 1, y: 2 }, { x: 3 }], map: { 'a/b': 'c' }, none: null };

it.each<[expected: unknown, lines: readonly string[]]>([
  [{}, []],
  [{ a: 1, list: [{ y: 2 }, {}] }, []],
  [{ a: 2 }, ['a: expected 2, actual 1']],
  [{ b: 1 }, ['b: expected 1, actual none']],
  [{ a: undefined, b: undefined }, ['a: expected none, actual 1']],
  [{ none: null }, []],
  [{ none: undefined }, ['none: expected none, actual null']],
  [{ text: /^web:/ }, []],
  [{ text: /^app:/g, a: /1/ }, ['text: expected /^app:/g, actual "web:2.0"', 'a: expected /1/, actual 1']],
  [{ list: [{}] }, ['list[1]: expected none, actual {"x":3}']],
  [{ list: [{}, {}, { x: 5 }] }, ['list[2]: expected {"x":5}, actual none']],
  [{ list: {} }, ['list: expected {}, actual [{"x":1,"y":2},{"x":3}]']],
  [{ map: { 'a/b': 'd' } }, ['map["a/b"]: expected "d", actual "c"']],
  [
    [],
    [
      'expected [], actual {"a":1,"text":"web:2.0","list":[{"x":1,"y":2},{"x":3}],"map":{"a/b":"c"},"none":null}',
    ],
  ],
])('compares with %j', (expected, lines) => {
  expect(mismatches(expected, value).map(mismatchText)).toEqual(lines);
});

it.each<[expected: unknown, shown: unknown]>([
  [
    { a: 2, text: /web/, b: undefined },
    { a: 1, text: /web/, b: undefined },
  ],
  [{ b: 1, list: [{ x: 7 }] }, { list: [{ x: 1 }, { x: 3 }] }],
  ['a', value],
])('shows the part of a value that was compared with %j', (expected, shown) => {
  expect(comparable(expected, value)).toEqual(shown);
});
