import { callSafely } from '../callbacks.ts';
import type { WatchOptions } from '../options.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Stored } from '../types.ts';
import type { Environment } from './clock.ts';
import type { BookmarkEvent, WatchEvent } from './events.ts';
import type { Retry } from './machine.ts';
import { run } from './run.ts';
import type { ListWatch } from './source.ts';
import { type WatchOutput, watchMachine } from './state.ts';

type OnRetry = NonNullable<WatchOptions['onRetry']>;

/** Where a watch starts and how it ends. */
export interface LogicalWatchOptions {
  /** Only changes after this version. Default: first every existing object as `ADDED`, then changes. */
  readonly resourceVersion?: string | undefined;
  /** Also hands out `BOOKMARK` events. Default false. */
  readonly bookmarks?: boolean | undefined;
  /** Ends the watch, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each failure before the wait for another try. What it throws becomes a warning of the process. */
  readonly onRetry?: OnRetry | undefined;
  /** Time and chance; for tests. */
  readonly environment?: Environment | undefined;
}

/**
 * Follows a resource for as long as it is iterated. Time-outs, drops, 429 and 5xx are resumed behind the last event,
 * without a gap and without a repetition. Each iteration is a watch of its own; it reads from the server only as fast
 * as it is asked for events, and leaving it ends its request. Without a version to start from, everything that exists
 * is in memory once, when it is handed out.
 *
 * Rejects with `ApiError` where waiting would not help: `isExpired` once the version to resume from has left the
 * server's history, or any other 4xx; with `DecodeError` when the server's answers stay unreadable.
 */
export function watch<T>(
  source: ListWatch<T>,
  options: LogicalWatchOptions & { readonly bookmarks: true },
): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
export function watch<T>(source: ListWatch<T>, options?: LogicalWatchOptions): AsyncIterable<WatchEvent<T>>;
export function watch<T>(
  source: ListWatch<T>,
  options: LogicalWatchOptions = {},
): AsyncIterable<WatchEvent<T> | BookmarkEvent> {
  return {
    [Symbol.asyncIterator]: () => interruptible((signal) => events(source, options, signal), options.signal),
  };
}

async function* events<T>(
  source: ListWatch<T>,
  options: LogicalWatchOptions,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent<T> | BookmarkEvent, void, undefined> {
  const machine = watchMachine<Stored<T>>({ resourceVersion: options.resourceVersion });
  const { environment, onRetry } = options;
  const told = onRetry && (({ error, attempt }: Retry) => tell(onRetry, error, attempt));
  for await (const output of run(machine, source, { signal, environment, onRetry: told })) {
    for (const event of eventsOf(output)) {
      // Also between the events of one answer, which are here already.
      signal.throwIfAborted();
      if (event.type !== 'BOOKMARK' || options.bookmarks === true) yield event;
    }
  }
}

function tell(onRetry: OnRetry, error: unknown, attempt: number): void {
  callSafely(() => onRetry(error, { attempt }), 'onRetry of a watch', 'WatchWarning');
}

function eventsOf<T>(output: WatchOutput<Stored<T>>): Iterable<WatchEvent<T> | BookmarkEvent> {
  return output.type === 'events' ? output.events : added<T>(output.items);
}

function* added<T>(items: readonly Stored<T>[]): Generator<WatchEvent<T>> {
  for (const object of items) yield { type: 'ADDED', object };
}

/**
 * An iterator that can be left at any time: a plain generator takes `return()` into account only once its pending
 * `next()` has an answer, which on a quiet watch may be never.
 */
function interruptible<E>(
  start: (signal: AbortSignal) => AsyncGenerator<E, void, undefined>,
  parent: AbortSignal | undefined,
): AsyncIterator<E> {
  const controller = new AbortController();
  if (parent?.aborted === true) controller.abort(parent.reason);
  const unlink = parent && onAbort(parent, (reason) => controller.abort(reason));
  const generator = start(controller.signal);
  let left = false;
  return {
    async next() {
      try {
        const result = await generator.next();
        if (result.done === true) unlink?.();
        return result;
      } catch (error) {
        unlink?.();
        if (left) return { done: true, value: undefined };
        throw error;
      }
    },
    async return() {
      left = true;
      unlink?.();
      controller.abort(new DOMException('the watch was left', 'AbortError'));
      await generator.return();
      return { done: true, value: undefined };
    },
  };
}
