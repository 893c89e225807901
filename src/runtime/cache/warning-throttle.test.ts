import { expect, it } from 'vitest';
import { apiError, type FailureName, refusedConnection } from '../../../test/support/runtime/failures.ts';
import { WarningThrottle } from './warning-throttle.ts';

const of = (failure: FailureName | 'unreachable') =>
  failure === 'unreachable' ? refusedConnection() : apiError(failure);

/** Each row runs twice, with a success in between. */
it.each<{ failures: readonly (FailureName | 'unreachable')[]; warnedAt: readonly number[] }>([
  { failures: ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden'], warnedAt: [1] },
  { failures: ['absent', 'absent'], warnedAt: [1] },
  { failures: ['internal', 'internal', 'forbidden', 'forbidden'], warnedAt: [3] },
  {
    failures: Array.from({ length: 7 }, () => 'unreachable' as const),
    warnedAt: [5],
  },
  { failures: ['forbidden', 'internal', 'internal', 'internal', 'internal', 'internal'], warnedAt: [1, 5] },
])('warns at $warnedAt of consecutive failures $failures', ({ failures, warnedAt }) => {
  const throttle = new WarningThrottle();
  const row = () =>
    failures
      .map((failure, index) => (throttle.isNew(of(failure), index + 1) ? index + 1 : 0))
      .filter((attempt) => attempt > 0);
  expect([row(), row()]).toEqual([warnedAt, warnedAt]);
});
