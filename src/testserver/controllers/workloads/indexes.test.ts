import { expect, test } from 'vitest';
import { formatIndexes, missingIndexes, parseIndexes, succeededIndexes } from './job-indexes.ts';

const pod = (index: string): { metadata: { annotations: Record<string, string> } } => ({
  metadata: { annotations: { 'batch.kubernetes.io/job-completion-index': index } },
});

test.each([
  ['', []],
  ['0', [0]],
  ['0,1', [0, 1]],
  ['0-2,5', [0, 1, 2, 5]],
])('parses and formats %j', (text, indexes) => {
  expect(parseIndexes(text)).toEqual(indexes);
  expect(formatIndexes(indexes)).toBe(text);
});

test('adds the pods that ended to the indexes of the status', () => {
  expect(succeededIndexes({ completedIndexes: '0-2' }, [pod('5'), pod('1')])).toEqual([0, 1, 2, 5]);
});

test('misses the indexes without a pod', () => {
  expect(missingIndexes(4, [0], [pod('2')])).toEqual([1, 3]);
});
