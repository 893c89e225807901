import { expect, test } from 'vitest';
import { microTime } from './micro-time.ts';

test('a moment has six fraction digits', () => {
  expect(microTime(new Date(Date.UTC(2024, 0, 31, 12, 0, 5, 42)))).toBe('2024-01-31T12:00:05.042000Z');
});

test('the default is now', () => {
  const before = Date.now();
  const written = Date.parse(microTime());
  expect(written).toBeGreaterThanOrEqual(before);
  expect(written).toBeLessThanOrEqual(Date.now());
});

test('a value that is not a date is refused', () => {
  expect(() => microTime(new Date('never'))).toThrow(RangeError);
});
