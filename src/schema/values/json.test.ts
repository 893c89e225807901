import { describe, expect, test } from 'vitest';
import { at, compact, equal, type Json, omit, own, put, putAt, replace, text } from './json.ts';

const parse = (value: string): Json => JSON.parse(value) as Json;

describe('own and at', () => {
  test.each([
    ['a key', '{"a":1}', ['a'], 1],
    ['a path', '{"a":{"b":[1]}}', ['a', 'b'], [1]],
    ['an inherited name', '{}', ['constructor'], undefined],
    ['an own __proto__', '{"__proto__":{"x":1}}', ['__proto__', 'x'], 1],
    ['a key of an array', '[1]', ['length'], undefined],
    ['a path through null', '{"a":null}', ['a', 'b'], undefined],
  ])('%s', (_name, value, keys, want) => {
    expect(at(parse(value), ...keys)).toEqual(want);
  });
});

describe('copies', () => {
  const value = { a: 1, b: { c: 2 } };

  test.each([
    ['put', put(value, 'd', 3), { a: 1, b: { c: 2 }, d: 3 }],
    ['replace', replace(value, 'a', 3), { a: 3, b: { c: 2 } }],
    ['omit', omit(value, 'a', 'x'), { b: { c: 2 } }],
    ['putAt', putAt(value, ['b', 'd', 'e'], 3), { a: 1, b: { c: 2, d: { e: 3 } } }],
    ['compact', compact({ a: undefined, b: null }), { b: null }],
  ])('%s', (_name, given, want) => {
    expect(given).toEqual(want);
    expect(value).toEqual({ a: 1, b: { c: 2 } });
  });

  test('creates __proto__ as a key, not as a prototype', () => {
    const copy = put({}, '__proto__', { polluted: true });
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(own(copy, '__proto__')).toEqual({ polluted: true });
  });
});

describe('equal', () => {
  test.each([
    ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
    ['[1,2]', '[2,1]', false],
    ['{"a":null}', '{}', false],
    ['[]', '{}', false],
    ['{"constructor":1}', '{"x":1}', false],
    ['0', 'false', false],
  ])('compares %s and %s: %s', (a, b, want) => {
    expect(equal(parse(a), parse(b))).toBe(want);
  });
});

test('text returns an empty string for a value that is not a string', () => {
  expect([text({ a: 'x' }, 'a'), text({ a: 1 }, 'a'), text(undefined)]).toEqual(['x', '', '']);
});
