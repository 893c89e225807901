import { describe, expect, test } from 'vitest';
import { byText, capitalise, closestName, isIdentifier } from './words.ts';

describe('isIdentifier', () => {
  test.each([
    { given: 'a', want: true },
    { given: '$ref', want: true },
    { given: '_x9', want: true },
    { given: 'class', want: true },
    { given: '', want: false },
    { given: '9lives', want: false },
    { given: 'a-b', want: false },
    { given: 'a\n', want: false },
    { given: 'naïve', want: false },
  ])('returns for $given: $want', ({ given, want }) => {
    expect(isIdentifier(given)).toBe(want);
  });
});

test.each([
  { given: 'core', want: 'Core' },
  { given: 'Core', want: 'Core' },
  { given: '_x', want: '_x' },
  { given: '', want: '' },
])('capitalise($given)', ({ given, want }) => {
  expect(capitalise(given)).toBe(want);
});

test('sorts strings by code units', () => {
  expect(['b', 'a', 'B', 'ä', 'a'].sort(byText)).toEqual(['B', 'a', 'a', 'b', 'ä']);
});

test.each([
  { name: 'requird', want: 'required' },
  { name: 'itmes', want: 'items' },
  { name: 'ITEMS', want: 'items' },
  { name: 'tem', want: undefined },
  { name: 'x', want: undefined },
  { name: 'const', want: undefined },
])('closestName($name) is $want', ({ name, want }) => {
  expect(closestName(name, ['required', 'items', 'format', 'not'])).toBe(want);
});
