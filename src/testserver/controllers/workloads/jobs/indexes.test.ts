import { expect, test } from 'vitest';
import {
  formatIndexes,
  freeIndexes,
  indexesOf,
  intersection,
  parseIndexes,
  total,
  union,
} from './indexes.ts';

const pod = (index: string): { metadata: { annotations: Record<string, string> } } => ({
  metadata: { annotations: { 'batch.kubernetes.io/job-completion-index': index } },
});

test.each([
  ['', []],
  ['0', [[0, 0]]],
  ['0,1', [[0, 1]]],
  [
    '0-2,5',
    [
      [0, 2],
      [5, 5],
    ],
  ],
])('parses and formats %j', (text, indexes) => {
  expect(parseIndexes(text, 10)).toEqual(indexes);
  expect(formatIndexes(parseIndexes(text, 10))).toBe(text);
});

test.each([
  ['0-9999999999', [[0, 4]]],
  ['3-1,x,-1,2', [[2, 2]]],
  ['7,8', []],
])('ignores the indexes of %j that no pod can have', (text, indexes) => {
  expect(parseIndexes(text, 5)).toEqual(indexes);
});

test('unites intervals', () => {
  const all = union([[5, 6]], [[0, 2]], indexesOf([pod('3'), pod('9'), pod('none')]));
  expect(all).toEqual([
    [0, 3],
    [5, 6],
    [9, 9],
  ]);
  expect(total(all)).toBe(7);
  expect(intersection(all, [[2, 5]])).toEqual([
    [2, 3],
    [5, 5],
  ]);
});

test.each([
  [[[0, 0]], 2, 4, [1, 2]],
  [
    [
      [0, 0],
      [2, 2],
    ],
    9,
    4,
    [1, 3],
  ],
  [[[0, 7]], 1, 4, []],
] as const)('finds the indexes that %j leaves', (taken, count, completions, free) => {
  expect(freeIndexes(taken, count, completions)).toEqual(free);
});
