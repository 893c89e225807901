import { timedOut, timerMs } from '../rest/deadline.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Operation } from '../rest/types.ts';

/** Starts an iteration that ends with `signal`. */
type Start<E> = (signal: AbortSignal) => AsyncIterable<E>;

/** What limits an iteration. */
interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each iteration, counted from its start. */
  readonly timeoutMs?: number | undefined;
}

/**
 * An iteration that throws `TimeoutError` after `timeoutMs`, where that is given, and that can be left at any time: also
 * while the next item is being waited for, which then is the end.
 */
export function timedIteration<E>(start: Start<E>, limits: Limits, operation: Operation): AsyncIterable<E> {
  return { [Symbol.asyncIterator]: () => timed(start, limits, operation) };
}

function timed<E>(
  start: Start<E>,
  { signal, timeoutMs }: Limits,
  operation: Operation,
): AsyncIterator<E, undefined> {
  const controller = new AbortController();
  let left = false;
  // Also while nobody asks for events, who then may never ask again: no timer and no listener stays behind.
  const stop = (reason: unknown): void => {
    clear();
    controller.abort(reason);
  };
  const expire = (): void => stop(timedOut(controller.signal, timeoutMs, operation));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timerMs(timeoutMs));
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
        const next = await events.next();
        if (next.done !== true) return next;
      } catch (error) {
        clear();
        if (!left) throw error;
      }
      clear();
      return { done: true, value: undefined };
    },
    return: async () => {
      left = true;
      stop(new DOMException('no more is asked for', 'AbortError'));
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}
