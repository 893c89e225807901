import type { WatchOptions } from '../options.ts';
import { noteFailure } from '../rest/deadline.ts';
import type { Stored } from '../types.ts';
import type { Environment } from './clock.ts';
import { type BookmarkEvent, INITIAL_EVENTS_END, type WatchEvent } from './events.ts';
import { iteration } from './iteration.ts';
import type { Retry } from './machine.ts';
import { retryReporter } from './retry-warnings.ts';
import { run } from './run.ts';
import type { ListWatch } from './source.ts';
import { type WatchOutput, watchMachine } from './state.ts';

/** Where a watch starts and how it ends. */
export interface LogicalWatchOptions {
  /** Only changes after this version. Default: first every existing object as `ADDED`, then changes. */
  readonly resourceVersion?: string | undefined;
  /**
   * Also hands out `BOOKMARK` events; without a version to start from, the first one follows what exists, and is marked
   * with the annotation `k8s.io/initial-events-end: "true"`. Default false.
   */
  readonly bookmarks?: boolean | undefined;
  /** Ends the watch, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each iteration, which then rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Receives each failure before the wait for another try. Default: warnings of the process, see `WatchOptions`. */
  readonly onRetry?: WatchOptions['onRetry'];
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
  const operation = { verb: 'watch', ...source.target };
  return iteration((signal) => batches(source, options, signal), options, operation);
}

async function* batches<T>(
  source: ListWatch<T>,
  options: LogicalWatchOptions,
  signal: AbortSignal,
): AsyncGenerator<Iterable<WatchEvent<T> | BookmarkEvent>, void, undefined> {
  const machine = watchMachine<Stored<T>>({ resourceVersion: options.resourceVersion });
  const { environment, onRetry, bookmarks = false } = options;
  const report = retryReporter(onRetry, { verb: 'watch', ...source.target });
  // For the error of a time-out that ends the watch meanwhile.
  const onAnswer = (): void => noteFailure(signal, undefined);
  const told = (retry: Retry): void => {
    noteFailure(signal, retry.error);
    report(retry);
  };
  for await (const output of run(machine, source, { signal, environment, onAnswer, onRetry: told })) {
    yield eventsOf(output, bookmarks);
  }
}

function eventsOf<T>(
  output: WatchOutput<Stored<T>>,
  bookmarks: boolean,
): Iterable<WatchEvent<T> | BookmarkEvent> {
  if (output.type === 'listed') return present<T>(output, bookmarks);
  return bookmarks ? output.events : output.events.filter(({ type }) => type !== 'BOOKMARK');
}

/** What exists, as servers that stream it say it: in the end comes a bookmark that is marked. */
function* present<T>(
  { items, resourceVersion }: Extract<WatchOutput<Stored<T>>, { type: 'listed' }>,
  bookmarks: boolean,
): Generator<WatchEvent<T> | BookmarkEvent> {
  for (const object of items) yield { type: 'ADDED', object };
  if (!bookmarks) return;
  yield {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion, annotations: { [INITIAL_EVENTS_END]: 'true' } } },
  };
}
