import { describe, expect, it } from 'vitest';
import { literal, propertyName, quoted, stringArray } from './literals.ts';

/** What JavaScript makes of a piece of code. */
const evaluate = (code: string): unknown => new Function(`'use strict'; return (${code});`)();

const texts = [
  '',
  'plain',
  "it's",
  'a"b',
  'back\\slash',
  "\\'",
  '$\u007bx}`',
  'new\nline\r\ttab',
  '\u0000\u2028\u2029\ufeff',
  '\ud800 alone',
  '</script>',
  "'); process.exit(1); ('",
  '__proto__',
  'naïve 🎈',
];

describe('quoted', () => {
  it.each(texts)('is a literal that says %j', (text) => {
    expect(evaluate(quoted(text))).toBe(text);
  });

  it.each(texts)('stays on one line: %j', (text) => {
    expect(quoted(text)).not.toMatch(/[\n\r\u2028\u2029]/);
  });
});

describe('propertyName', () => {
  it.each([
    ['a', 'a'],
    ['$ref', '$ref'],
    ['_x', '_x'],
    ['class', 'class'],
    ['__proto__', '__proto__'],
    ['9lives', "'9lives'"],
    ['a-b', "'a-b'"],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it\\'s'"],
    ['naïve', "'naïve'"],
  ])('%j is written %s', (name, want) => {
    expect(propertyName(name)).toBe(want);
  });
});

it.each([
  ['x', "'x'"],
  [1.5, '1.5'],
  [-1, '-1'],
  [true, 'true'],
  [null, 'null'],
])('literal(%j) is %s', (value, want) => {
  expect(literal(value)).toBe(want);
});

it('writes arrays of texts', () => {
  expect(evaluate(stringArray(texts))).toEqual(texts);
});
