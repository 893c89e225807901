import { expect, it } from 'vitest';
import { mayHoldLong } from './long-digits.ts';

/** The JSON at 40 different offsets, because only every sixteenth byte is examined first. */
const found = (json: string): boolean[] =>
  Array.from({ length: 40 }, (_, offset) => mayHoldLong(Buffer.from(`{"${'a'.repeat(offset)}":${json}}`)));

it.each<[json: string, want: boolean]>([
  ['1234567890123456', true],
  ['-1234567890123456', true],
  ['[1,1234567890123456]', true],
  ['[12345678901234567890123]', true],
  ['\n1234567890123456', true],
  ['123456789012345', false],
  ['[123456789012345,123456789012345]', false],
  ['12345678.12345678', false],
  ['1234567.12345678901234', false],
  ['"x1234567890123456"', false],
  ['"abcdefghijklmnopqrstuvwxyz"', false],
])('returns whether the JSON %s may hold an integer of 16 digits', (json, want) => {
  expect(found(json)).toEqual(new Array(40).fill(want));
});

it('examines only the range', () => {
  const json = Buffer.from('[1234567890123456,1]');
  expect(mayHoldLong(json, 18)).toBe(false);
  expect(mayHoldLong(json, 0, 10)).toBe(false);
});
