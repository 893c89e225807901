import { timedOut, timerMs } from '../rest/deadline.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Operation } from '../rest/types.ts';

/** Starts an iteration that ends with `signal`. */
type Start<E> = (signal: AbortSignal | undefined) => AsyncIterable<E>;

/** What limits an iteration. */
interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each iteration, counted from its start. */
  readonly timeoutMs?: number | undefined;
}

/** An iteration that throws `TimeoutError` after `timeoutMs`, where that is given. */
export function timedIteration<E>(start: Start<E>, limits: Limits, operation: Operation): AsyncIterable<E> {
  const { signal, timeoutMs } = limits;
  if (timeoutMs === undefined) return start(signal);
  return { [Symbol.asyncIterator]: () => timed(start, signal, timeoutMs, operation) };
}

function timed<E>(
  start: Start<E>,
  signal: AbortSignal | undefined,
  timeoutMs: number,
  operation: Operation,
): AsyncIterator<E> {
  const controller = new AbortController();
  // Also while nobody asks for events, who then may never ask again: no timer and no listener stays behind.
  const stop = (reason: unknown): void => {
    clear();
    controller.abort(reason);
  };
  const expire = (): void => stop(timedOut(controller.signal, timeoutMs, operation));
  const timer = setTimeout(expire, timerMs(timeoutMs));
  const forget = signal && onAbort(signal, stop);
  const clear = (): void => {
    clearTimeout(timer);
    forget?.();
  };
  if (signal?.aborted) stop(signal.reason);
  const events = start(controller.signal)[Symbol.asyncIterator]();
  return {
    next: async () => {
      try {
        return await events.next();
      } catch (error) {
        clear();
        throw error;
      }
    },
    return: async () => {
      clear();
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}
