/** Limits of a call: its own time-out and its caller's signal. */
import { describeOperation, isApiError, TimeoutError } from '../errors.ts';
import { onAbort } from './on-abort.ts';
import type { Operation } from './types.ts';

/** What limits a call. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the whole call. */
  readonly timeoutMs?: number | undefined;
  /** The error after `timeoutMs`. Default: one that says so, and what was being retried after, or waited for. */
  readonly expired?: () => TimeoutError;
}

/** By the signal that stands for a call's limits. */
const failures: WeakMap<AbortSignal, unknown> = new WeakMap();

/**
 * Notes the failure that a call is getting over by sending again, `undefined` when it is over: a `TimeoutError` that
 * ends the call meanwhile names it.
 */
export function noteFailure(signal: AbortSignal | undefined, error: unknown): void {
  if (signal !== undefined) failures.set(signal, error);
}

/** By the signal that stands for a call's limits. */
const stages: WeakMap<AbortSignal, () => string> = new WeakMap();

/** Notes how far a call has come, in words that follow on `timed out after 5 ms: `. They are made only where needed. */
export function noteStage(signal: AbortSignal | undefined, stage: () => string): void {
  if (signal !== undefined) stages.set(signal, stage);
}

/** The stage of a call that was sent. */
export const unanswered = (): string => 'the server had not answered';

/** The stage of a call whose answer is being read. */
export const unfinished = (): string => 'the server had not finished its answer';

/** The message of an error without the operation that it begins with. */
export function saidBy({ message }: Error, operation: Operation): string {
  const prefix = `${describeOperation(operation)}: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

function described(message: string, signal: AbortSignal, operation: Operation): TimeoutError {
  const cause = failures.get(signal);
  if (cause === undefined) {
    const stage = stages.get(signal)?.();
    return new TimeoutError(stage === undefined ? message : `${message}: ${stage}`, operation);
  }
  // A transport of the caller may reject with anything.
  const said = cause instanceof Error ? saidBy(cause, operation) : 'not an Error';
  const last = isApiError(cause) ? 'answer' : 'failure';
  return new TimeoutError(`${message}; last ${last}: ${said}`, operation, { cause });
}

/**
 * The error of a call whose time is up. Never throws, as timers call it: where `expired` or the stage of the call throws,
 * the message has the time alone.
 * @param signal the one that stands for the limits of the call
 */
export function timedOut(
  signal: AbortSignal,
  timeoutMs: number | undefined,
  operation: Operation,
  expired?: () => TimeoutError,
): TimeoutError {
  const message = `timed out after ${timeoutMs} ms`;
  try {
    return expired === undefined ? described(message, signal, operation) : expired();
  } catch {
    return new TimeoutError(message);
  }
}

/** @throws {RangeError} it is given, and is no time */
export function checkTimeout(timeoutMs: number | undefined): void {
  if (timeoutMs !== undefined && !(timeoutMs >= 0))
    throw new RangeError(`timeoutMs is not a time: ${timeoutMs}`);
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
  return limited(limits, operation, work);
}

function limited<T>(
  { signal, timeoutMs, expired }: Limits,
  operation: Operation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    checkTimeout(timeoutMs);
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      clear();
      // What the work does about it comes first: whoever looks on is told of the attempt before the end of its call.
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
    (async () => work(controller.signal))().then(resolve, reject).finally(clear);
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
