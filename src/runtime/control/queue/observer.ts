/** Observers of work queues. */
import { callSafely } from '../../common/callbacks.ts';

/**
 * Functions that a work queue calls for its metrics. They are called synchronously and may call the queue. An
 * exception becomes a process warning.
 */
export interface WorkQueueObserver {
  /**
   * Called when a key becomes ready: not for an add that only changes a key of the queue, and for a key with
   * a delay when it is over.
   */
  added?(priority: number): void;
  /**
   * Called when a key is delivered.
   * @param waitedMs time since the key was due, in milliseconds; the end of an earlier delivery is part of it
   */
  taken?(waitedMs: number): void;
  /**
   * Called when a key is done.
   * @param workedMs time since the key was delivered, in milliseconds
   */
  done?(workedMs: number): void;
  /** Called when a key is added with a delay above 0. */
  retried?(): void;
}

/** Observer whose functions never throw. */
export interface SafeObserver {
  readonly added: (priority: number) => void;
  readonly taken: (waitedMs: number) => void;
  readonly done: (workedMs: number) => void;
  readonly retried: () => void;
}

/**
 * Returns functions that call an observer and never throw. They create a closure for a failed call only,
 * because queues call them for each key.
 * @param queue name of the queue in warnings
 */
export function safeObserver(observer: WorkQueueObserver, queue: string): SafeObserver {
  const settle = (member: string, call: () => unknown): void =>
    callSafely(call, `${member}() of the observer of work queue ${queue}`, 'WorkQueueWarning');
  const safe =
    (member: 'added' | 'taken' | 'done') =>
    (value: number): void => {
      try {
        const result: unknown = observer[member]?.(value);
        if (result !== undefined) settle(member, () => result);
      } catch (error) {
        settle(member, () => Promise.reject(error));
      }
    };
  const retried = (): void => {
    try {
      const result: unknown = observer.retried?.();
      if (result !== undefined) settle('retried', () => result);
    } catch (error) {
      settle('retried', () => Promise.reject(error));
    }
  };
  return { added: safe('added'), taken: safe('taken'), done: safe('done'), retried };
}
