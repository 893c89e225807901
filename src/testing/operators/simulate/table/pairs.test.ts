import { expect, test } from 'vitest';
import { pairsOf } from './pairs.ts';

/** Letters belong together if they are equal without case, and more so if they are equal. */
function paired(expected: string, actual: string): string {
  const pairs = pairsOf({ expected: expected.length, actual: actual.length }, (one, other) => {
    const [a = '', b = ''] = [expected[one], actual[other]];
    if (a === b) return 3;
    return a.toLowerCase() === b.toLowerCase() ? 1 : 0;
  });
  return pairs
    .map((pair) => `${expected[pair.expected ?? -1] ?? ' '}${actual[pair.actual ?? -1] ?? ' '}`)
    .join(',');
}

test.each([
  ['', '', ''],
  ['a', '', 'a '],
  ['', 'ab', ' a, b'],
  ['ab', 'ab', 'aa,bb'],
  ['ab', 'xaybz', ' x,aa, y,bb, z'],
  ['axb', 'ab', 'aa,x ,bb'],
  ['a', 'AaAA', ' A,aa, A, A'],
  ['a', 'AAAA', 'aA, A, A, A'],
  ['ab', 'ba', 'a ,bb, a'],
  ['aA', 'Ab', 'a ,AA, b'],
  ['x', 'y', 'x , y'],
])('pairs %j with %j', (expected, actual, want) => expect(paired(expected, actual)).toBe(want));
