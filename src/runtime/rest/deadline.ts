/** Limits of a call: its own time-out and its caller's signal. */
import { TimeoutError } from '../errors.ts';
import { onAbort } from './on-abort.ts';
import type { Operation } from './types.ts';

/** What limits a call. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call. */
  readonly timeoutMs?: number | undefined;
  /** The error after `timeoutMs`. Default: one that says so and no more. */
  readonly expired?: () => TimeoutError;
}

/** A time that a timer of Node can measure: longer ones would end at once. */
export function timerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}

/**
 * Runs `work` within limits. It is given one signal that stands for all of them; the call rejects as soon as a limit is
 * reached, even if the work does not listen. No timer and no listener stays behind.
 * @throws {TimeoutError} after `timeoutMs`; on abort, what the signal gives as its reason
 * @throws {RangeError} `timeoutMs` is no time
 */
export function withinLimits<T>(
  limits: Limits,
  operation: Operation,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = limits;
  if (timeoutMs === undefined && signal === undefined) return work(undefined);
  const expired = (): TimeoutError => new TimeoutError(`timed out after ${timeoutMs} ms`, operation);
  return limited({ expired, ...limits }, work);
}

function limited<T>(
  { signal, timeoutMs, expired }: Limits & Required<Pick<Limits, 'expired'>>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (timeoutMs !== undefined && !(timeoutMs >= 0))
      throw new RangeError(`timeoutMs is not a time: ${timeoutMs}`);
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      clear();
      reject(reason);
      controller.abort(reason);
    };
    const expire = (): void => stop(expired());
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timerMs(timeoutMs));
    const forget = signal === undefined ? undefined : onAbort(signal, stop);
    const clear = (): void => {
      clearTimeout(timer);
      forget?.();
    };
    work(controller.signal).then(resolve, reject).finally(clear);
  });
}

/** Waits, unless `signal` aborts: then it rejects with the signal's reason. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits on the system's clock. */
export const sleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      forget?.();
      resolve();
    }, timerMs(ms));
    const forget =
      signal &&
      onAbort(signal, (reason) => {
        clearTimeout(timer);
        reject(reason);
      });
  });
