import { isConflict } from './errors.ts';
import { sleep } from './rest/deadline.ts';

/** Options of `retryOnConflict`. */
export interface RetryOnConflictOptions {
  /** How often the function is called, at most. Default 5. */
  tries?: number | undefined;
  /** Milliseconds between two calls; up to a tenth is added at random. Default 10. */
  delayMs?: number | undefined;
  /** Ends the wait between two calls; it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
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
 */
export async function retryOnConflict<T>(
  change: () => Promise<T>,
  options: RetryOnConflictOptions = {},
): Promise<T> {
  const { tries = 5, delayMs = 10, signal } = options;
  for (let left = tries - 1; ; left -= 1) {
    signal?.throwIfAborted();
    try {
      return await change();
    } catch (error) {
      if (left <= 0 || !isConflict(error)) throw error;
    }
    await sleep(delayMs * (1 + Math.random() * 0.1), signal);
  }
}
