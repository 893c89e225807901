import { expect, test } from 'vitest';
import { countLines } from './lines.ts';

test.each([
  { before: '', after: 'a\nb\n', want: { added: 2, removed: 0 } },
  { before: 'a\nb\n', after: '', want: { added: 0, removed: 2 } },
  { before: 'a\nb\nc\n', after: 'a\nx\nc\n', want: { added: 1, removed: 1 } },
  { before: 'a\nb\nc\n', after: 'a\nb\nx\nb\nc\n', want: { added: 2, removed: 0 } },
  { before: 'a\nb\n', after: 'b\na\n', want: { added: 2, removed: 2 } },
  { before: 'a\n', after: 'a\n', want: { added: 0, removed: 0 } },
])('$before -> $after', ({ before, after, want }) => {
  expect(countLines({ path: 'p', before, after })).toEqual(want);
});
