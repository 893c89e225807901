/** State of the queue of a controller, as it is recorded. */
import type { Cause, CauseLog } from '../runs/causes.ts';
import { keyOfId, type ReconcileKey } from '../runs/key.ts';
import type { RecordedQueue } from './entries.ts';

/** The most waiting keys of a queue in a recording. */
const mostWaiting = 100;

/** A queue. Times are those of the monotonic clock, in milliseconds. */
export interface QueueParts {
  readonly controller: string;
  /** Number of workers that take keys now. */
  readonly workers: number;
  readonly running: readonly { readonly key: ReconcileKey; readonly startedAt: number }[];
  /** Causes of the keys that wait. */
  readonly causes: Pick<CauseLog, 'waiting' | 'size'>;
  readonly now: number;
}

/** Returns the state of a queue. */
export function queueState({ controller, workers, running, causes, now }: QueueParts): RecordedQueue {
  const toDate = Date.now() - now;
  const timeOf = (time: number): number => Math.round(toDate + time);
  const waiting = causes.waiting(mostWaiting).map(({ id, addedAt, readyAt, cause }) => ({
    ...keyOfId(id),
    since: timeOf(addedAt),
    ...(readyAt > now && { due: timeOf(readyAt) }),
    reason: reasons[cause.type] ?? cause.type,
  }));
  return {
    controller,
    workers,
    running: running.map(({ key, startedAt }) => ({ ...key, since: timeOf(startedAt) })),
    waiting,
    more: causes.size - waiting.length,
  };
}

/** Names of reasons besides those of causes. */
const reasons: Readonly<Partial<Record<Cause['type'], string>>> = {
  add: 'change',
  update: 'change',
  delete: 'change',
  requeue: 'requeueAfter',
};
