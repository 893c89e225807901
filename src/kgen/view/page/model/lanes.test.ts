import { expect, test } from 'vitest';
import type { ViewReconcile } from '../../format.ts';
import { lanesOf } from './lanes.ts';

function reconcile(controller: string, from: number, until?: number): ViewReconcile {
  return {
    ...{
      number: from,
      controller,
      namespace: '',
      name: '',
      from,
      attempt: 1,
      causes: [],
      reads: [],
      outcome: '',
    },
    ...(until !== undefined && { until }),
  };
}

/** Returns the lanes as texts: `app 1: 0 5`. */
function lanes(...reconciles: readonly ViewReconcile[]): readonly string[] {
  return lanesOf(reconciles).map(
    ({ controller, worker, reconciles: own }) =>
      `${controller} ${worker}: ${own.map(({ from }) => from).join(' ')}`,
  );
}

test.each([
  ['one after the other: one lane', [reconcile('app', 0, 5), reconcile('app', 5, 9)], ['app 1: 0 5']],
  [
    'at the same time: two lanes, of which the first free one is used',
    [reconcile('app', 0, 5), reconcile('app', 1, 3), reconcile('app', 4, 6), reconcile('app', 5, 6)],
    ['app 1: 0 5', 'app 2: 1 4'],
  ],
  [
    'without an end: its lane is never free',
    [reconcile('app', 0), reconcile('app', 9, 9)],
    ['app 1: 0', 'app 2: 9'],
  ],
  [
    'of two controllers: lanes of their own',
    [reconcile('app', 0, 1), reconcile('job', 2, 3), reconcile('app', 2, 3)],
    ['app 1: 0 2', 'job 1: 2'],
  ],
  [
    'with recorded workers: their lanes, without those that run nothing',
    [3, 2, 3].map((worker, at) => ({ ...reconcile('app', at, at + 1), worker })),
    ['app 2: 1', 'app 3: 0 2'],
  ],
  [
    'with impossible workers: lanes of their own',
    [-1, 0, 1.5, 1e9].map((worker, at) => ({ ...reconcile('app', at, at + 1), worker })),
    ['app 1: 0', 'app 2: 1', 'app 3: 2', 'app 4: 3'],
  ],
  ['none: no lane', [], []],
])('reconciles %s', (_, reconciles, expected) => {
  expect(lanes(...reconciles)).toEqual(expected);
});
