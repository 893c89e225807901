import { expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

const lines = (...texts: readonly string[]): string => `${texts.join('\n')}\n`;
const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
const changed = numbers.map((text) => (text === '2' || text === '18' ? `${text}!` : text));

it.each([
  { name: 'equal texts', before: lines('a'), after: lines('a'), expected: '' },
  {
    name: 'a changed line',
    before: lines('a', 'b', 'c'),
    after: lines('a', 'B', 'c'),
    expected: lines('--- f.ts', '+++ f.ts', '@@ -1,3 +1,3 @@', ' a', '-b', '+B', ' c'),
  },
  {
    name: 'removed and added lines, whose hunk has both lengths',
    before: lines('a', 'b', 'c', 'd'),
    after: lines('a', 'd', 'e'),
    expected: lines('--- f.ts', '+++ f.ts', '@@ -1,4 +1,3 @@', ' a', '-b', '-c', ' d', '+e'),
  },
  {
    name: 'distant changes in two hunks with three lines around them',
    before: lines(...numbers),
    after: lines('0', ...changed),
    expected: lines(
      ...['--- f.ts', '+++ f.ts', '@@ -1,5 +1,6 @@', '+0', ' 1', '-2', '+2!', ' 3', ' 4', ' 5'],
      ...['@@ -15,6 +16,6 @@', ' 15', ' 16', ' 17', '-18', '+18!', ' 19', ' 20'],
    ),
  },
])('prints $name', ({ before, after, expected }) => {
  expect(unifiedDiff('f.ts', before, after)).toBe(expected);
});
