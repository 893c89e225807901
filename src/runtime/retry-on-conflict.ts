import { isConflict } from './errors.ts';
import { sleep } from './rest/deadline.ts';

/** Options of `retryOnConflict`. */
export interface RetryOnConflictOptions {
  /** How often the function is called, at most. Default 5. */
  tries?: number | undefined;
  /** Milliseconds between the first two calls; up to a tenth is added at random. Default 10. */
  delayMs?: number | undefined;
  /**
   * By how much each wait is longer than the one before. Default 1: all are the same, which suits a conflict now and then.
   * Where many change the same object all the time, `{ tries: 4, factor: 5 }` waits 10, 50 and 250 ms.
   */
  factor?: number | undefined;
  /** Ends the wait between two calls; it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

function check(tries: number, delayMs: number, factor: number): void {
  if (!Number.isInteger(tries) || tries < 1) throw new RangeError(`tries is not a number of calls: ${tries}`);
  if (!(delayMs >= 0)) throw new RangeError(`delayMs is not a time: ${delayMs}`);
  if (!(factor >= 1)) throw new RangeError(`factor is not a number from 1: ${factor}`);
}

/**
 * Calls `change` until it does not fail with a conflict. It has to read the object anew each time:
 *
 * ```ts
 * await retryOnConflict(async () => {
 *   const app = await apps.get('web');
 *   app.spec.version = '2';
 *   return apps.update(app);
 * });
 * ```
 *
 * Rejects with the last conflict when no try is left, and with anything else at once.
 * @throws {RangeError} `tries`, `delayMs` or `factor` makes no sense
 */
export async function retryOnConflict<T>(
  change: () => Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  const { tries = 5, delayMs = 10, factor = 1, signal } = options;
  check(tries, delayMs, factor);
  for (let done = 1, waitMs = delayMs; ; done += 1, waitMs *= factor) {
    signal?.throwIfAborted();
    try {
      return await change();
    } catch (error) {
      if (done >= tries || !isConflict(error)) throw error;
    }
    await sleep(waitMs * (1 + Math.random() * 0.1), signal);
  }
}
