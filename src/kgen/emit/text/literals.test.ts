import { describe, expect, it } from 'vitest';
import { literal, propertyName, quoted, quotedUnion, stringArray } from './literals.ts';

/** Evaluates a piece of code. */
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
  '\u007f\u009b31m',
  'a\u202e\u2066b\u200b\u2060\u00ad',
  'tags \u{e0041}\u{e007f}',
];

describe('quoted', () => {
  it.each(texts)('returns a literal with the value %j', (text) => {
    expect(evaluate(quoted(text))).toBe(text);
  });

  it.each(texts)('stays on one line: %j', (text) => {
    expect(quoted(text)).not.toMatch(/[\n\r\u2028\u2029]/);
  });

  it.each(texts)('shows every character: %j', (text) => {
    expect(quoted(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  it('escapes characters beyond U+FFFF as surrogate pairs', () => {
    expect(quoted('\u{e0041}')).toBe("'\\udb40\\udc41'");
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
    ['admin\u202e', "'admin\\u202e'"],
  ])('returns the property name of %j as %s', (name, want) => {
    expect(propertyName(name)).toBe(want);
  });
});

it.each([
  ['x', "'x'"],
  [1.5, '1.5'],
  [-1, '-1'],
  [true, 'true'],
  [null, 'null'],
])('returns literal(%j) as %s', (value, want) => {
  expect(literal(value)).toBe(want);
});

it('writes unions of strings', () => {
  expect(quotedUnion(['a', "b'"])).toBe("'a' | 'b\\''");
});

it('writes arrays of strings', () => {
  expect(evaluate(stringArray(texts))).toEqual(texts);
});
