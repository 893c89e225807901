/** Limits of a call: its time-out and its caller's signal. */
import { isApiError, TimeoutError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { describeOperation } from '../../api/operation.ts';
import { onAbort } from './on-abort.ts';

/** Limits of a call. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Time-out of the whole call, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /**
   * Creates the error after `timeoutMs`. Default: an error with the noted stage, and the failure that was
   * being retried.
   */
  readonly expired?: () => TimeoutError;
}

/** Failures by the signal of a call's limits. */
const failures: WeakMap<AbortSignal, unknown> = new WeakMap();

/**
 * Notes the failure that a call is retrying, or `undefined` after it succeeded: a `TimeoutError` that ends
 * the call meanwhile names it.
 */
export function noteFailure(signal: AbortSignal | undefined, error: unknown): void {
  if (signal !== undefined) failures.set(signal, error);
}

/** Stages by the signal of a call's limits. */
const stages: WeakMap<AbortSignal, () => string> = new WeakMap();

/**
 * Notes the progress of a call, as words that follow `timed out after 5 ms: `. `stage` is called only for an
 * error.
 */
export function noteStage(signal: AbortSignal | undefined, stage: () => string): void {
  if (signal !== undefined) stages.set(signal, stage);
}

/** Stage of a call that was sent. */
export const unanswered = (): string => 'no response from the server';

/** Stage of a call whose response is being read. */
export const unfinished = (): string => 'the response was not complete';

/** The message of an error without the operation that it begins with. */
export function statedBy({ message }: Error, operation: RequestOperation): string {
  const prefix = `${describeOperation(operation)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/**
 * Creates the error of a call that timed out. Never throws, as timers call it: if `expired` or the stage of
 * the call throws, the message contains only the time.
 * @param signal the signal of the call's limits
 */
export function timedOut(
  signal: AbortSignal,
  timeoutMs: number | undefined,
  operation: RequestOperation,
  expired?: () => TimeoutError,
): TimeoutError {
  const message = `timed out after ${timeoutMs} ms`;
  try {
    return expired === undefined ? described(message, signal, operation) : expired();
  } catch {
    return new TimeoutError(message);
  }
}

function described(message: string, signal: AbortSignal, operation: RequestOperation): TimeoutError {
  const cause = failures.get(signal);
  if (cause === undefined) {
    const stage = stages.get(signal)?.();
    return new TimeoutError(stage === undefined ? message : `${message}: ${stage}`, operation);
  }
  // A transport of the caller may reject with anything.
  const stated = cause instanceof Error ? statedBy(cause, operation) : 'not an Error';
  const last = isApiError(cause) ? 'response' : 'failure';
  return new TimeoutError(`${message}; last ${last}: ${stated}`, operation, { cause });
}

/** @throws {RangeError} if it is set and invalid */
export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined && !(timeoutMs >= 0))
    throw new RangeError(`timeoutMs must be >= 0, got ${timeoutMs}`);
}

/** Caps a delay to the maximum of Node's timers, which fire at once for longer ones. */
export function timerMs(ms: number): number {
  return Math.min(ms, 2 ** 31 - 1);
}

/**
 * Starts the time of a call that sends several requests in sequence. Returns a function that returns the
 * options of the next request, with the time that is left.
 */
export function timeLeft<O extends Pick<Limits, 'timeoutMs'> | undefined>(options: O): () => O {
  const timeoutMs = options?.timeoutMs;
  if (timeoutMs === undefined) return () => options;
  const begin = performance.now();
  return () => ({ ...options, timeoutMs: Math.max(0, Math.ceil(timeoutMs - (performance.now() - begin))) });
}

/**
 * Runs `work` within limits. It receives one signal for all limits; the call rejects as soon as a limit is
 * reached, even if `work` ignores the signal. All timers and listeners are removed.
 * @throws {TimeoutError} after `timeoutMs`; on abort, throws the signal's reason
 * @throws {RangeError} if `timeoutMs` is invalid
 */
export function withinLimits<T>(
  limits: Limits,
  operation: RequestOperation,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = limits;
  if (timeoutMs === undefined && signal === undefined) return work(undefined);
  return limited(limits, operation, work);
}

function limited<T>(
  { signal, timeoutMs, expired }: Limits,
  operation: RequestOperation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    checkTimeout(timeoutMs);
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      clear();
      // Aborts the work first: observers are called for the end of the attempt before the end of its call.
      controller.abort(reason);
      reject(reason);
    };
    const expire = (): void => stop(timedOut(controller.signal, timeoutMs, operation, expired));
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timerMs(timeoutMs));
    const forget = signal === undefined ? undefined : onAbort(signal, stop);
    const clear = (): void => {
      clearTimeout(timer);
      forget?.();
    };
    // A function that throws instead of rejecting leaves no timer behind either.
    (async () => work(controller.signal))().then(
      (result) => {
        clear();
        resolve(result);
      },
      (error: unknown) => {
        clear();
        reject(error);
      },
    );
  });
}

/** Waits for `ms` milliseconds. Rejects with the reason of `signal` if it aborts. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits on the system clock. */
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
