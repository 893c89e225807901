import { expect, it } from 'vitest';
import { isPrintable, printable } from './printable.ts';

it.each([
  { name: 'letters and spaces', text: 'a é 😀', want: 'a é 😀' },
  { name: 'control characters', text: 'a\u0000\n\t\u001b[31m\u007f\u009b', want: 'a????[31m??' },
  { name: 'separators of lines', text: 'a\u2028b\u2029', want: 'a?b?' },
  { name: 'changes of the direction of text', text: 'a\u202eb\u2066c', want: 'a?b?c' },
])('replaces $name', ({ text, want }) => {
  expect(printable(text)).toBe(want);
  expect(isPrintable(text)).toBe(text === want);
});

it('keeps characters, and uses another replacement', () => {
  expect(printable('a\n\t\u0007', { kept: '\n', instead: ' ' })).toBe('a\n  ');
});
