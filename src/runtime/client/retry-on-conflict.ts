import { isConflict } from '../api/failure-reasons.ts';
import { sleep } from '../rest/abort/deadline.ts';

/** Options of `retryOnConflict`. */
export interface RetryOnConflictOptions {
  /** Maximum number of calls. Default: 5. */
  readonly tries?: number | undefined;
  /**
   * Delay between the first two calls in milliseconds, to which up to a tenth is added at random. Default:
   * 10.
   */
  readonly delayMs?: number | undefined;
  /**
   * Factor by which the delay grows after each attempt. Default: 1, a constant delay, which suits rare
   * conflicts. If many clients change the same object all the time, `{ tries: 4, factor: 5 }` results in
   * delays of 10, 50 and 250 ms.
   */
  readonly factor?: number | undefined;
  /** Ends the delay between two calls; the promise rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `change` until it does not fail with a conflict. The function has to read the object again each time.
 *
 * Rejects with the last conflict after the maximum number of calls, and with any other error at once.
 * @throws {RangeError} `tries`, `delayMs` or `factor` is out of range
 * @example
 * ```ts
 * import { retryOnConflict } from '@kgen/runtime';
 *
 * const deployments = clientset.appsV1.deployments('shop');
 * await retryOnConflict(async () => {
 *   const web = await deployments.get('web');
 *   return deployments.update({ ...web, spec: { ...web.spec, replicas: 3 } });
 * });
 * ```
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

function check(tries: number, delayMs: number, factor: number): void {
  if (!Number.isInteger(tries) || tries < 1)
    throw new RangeError(`retryOnConflict: tries must be an integer >= 1, got ${tries}`);
  if (!(delayMs >= 0)) throw new RangeError(`retryOnConflict: delayMs must be >= 0, got ${delayMs}`);
  if (!(factor >= 1)) throw new RangeError(`retryOnConflict: factor must be >= 1, got ${factor}`);
}
