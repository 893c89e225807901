import { expect, it } from 'vitest';
import { apiError, type FailureName, refusedConnection } from '../testkit/failures.ts';
import { WarningThrottle } from './report.ts';

const of = (failure: FailureName | 'unreachable') =>
  failure === 'unreachable' ? refusedConnection() : apiError(failure);

/** Each row runs twice, with a success in between. */
it.each<{ failures: readonly (FailureName | 'unreachable')[]; told: readonly number[] }>([
  { failures: ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'], told: [1] },
  { failures: ['absent', 'absent'], told: [1] },
  { failures: ['internal', 'internal', 'forbidden', 'forbidden'], told: [3] },
  {
    failures: Array.from({ length: 7 }, () => 'unreachable' as const),
    told: [5],
  },
  { failures: ['forbidden', 'internal', 'internal', 'internal', 'internal', 'internal'], told: [1, 5] },
])('warns at $told of consecutive failures $failures', ({ failures, told }) => {
  const worries = new WarningThrottle();
  const row = () =>
    failures
      .map((failure, index) => (worries.isNew(of(failure), index + 1) ? index + 1 : 0))
      .filter((attempt) => attempt > 0);
  expect([row(), row()]).toEqual([told, told]);
});
