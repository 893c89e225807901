import type { WatchOptions } from '../api/options.ts';
import type { Stored } from '../api/types.ts';
import { type BookmarkEvent, initialEventsEnd, type WatchEvent } from '../api/watch-events.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../common/clock.ts';
import { timingOf } from '../common/timing.ts';
import { noteFailure } from '../rest/abort/deadline.ts';
import { iteration } from './iteration.ts';
import { run } from './machine/drive-machine.ts';
import type { Retry } from './machine/machine-types.ts';
import { type WatchOutput, watchMachine } from './machine/watch-machine.ts';
import { retryReporter } from './retry-warnings.ts';
import type { ListWatch } from './source.ts';

/** Options of a logical watch: its start and its end. */
export interface LogicalWatchOptions {
  /**
   * Version after which changes are yielded. Default: first every existing object as `ADDED`, then changes.
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Whether to yield `BOOKMARK` events. Without a version to start from, the first bookmark follows the
   * existing objects, and has the annotation `k8s.io/initial-events-end: "true"`. Default: false.
   */
  readonly bookmarks?: boolean | undefined;
  /** Ends the watch without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each iteration, in milliseconds; then it rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Called for each failure before the delay of its retry. Default: process warnings, see `WatchOptions`. */
  readonly onRetry?: WatchOptions['onRetry'];
  /** Clock and random numbers; for tests. */
  readonly environment?: RuntimeEnvironment | undefined;
}

/**
 * Watches a resource for as long as it is iterated. After a timeout, an interrupted stream, 429 or 5xx, the
 * watch resumes after the last event, without gaps and without duplicates. Each iteration is a separate
 * watch. It reads from the server only as fast as events are consumed, and leaving the loop ends its request.
 * Without a version to start from, all existing objects are held in memory once, when they are yielded.
 *
 * Rejects with `ApiError` if a retry cannot succeed: matched by `isExpired` if the history of the server no
 * longer contains the version to resume from, or any other 4xx. Rejects with `DecodeError` if responses are
 * repeatedly malformed.
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
  const limits = { ...options, endless: true };
  return iteration((signal) => batches(source, options, signal), limits, operation);
}

async function* batches<T>(
  source: ListWatch<T>,
  options: LogicalWatchOptions,
  signal: AbortSignal,
): AsyncGenerator<Iterable<WatchEvent<T> | BookmarkEvent>, void, undefined> {
  const { resourceVersion, environment = systemEnvironment, onRetry, bookmarks = false } = options;
  const machine = watchMachine<Stored<T>>({ resourceVersion, timing: timingOf(environment) });
  const report = retryReporter(onRetry, { verb: 'watch', ...source.target });
  // For the timeout error of a watch that ends meanwhile.
  const onResponse = (): void => noteFailure(signal, undefined);
  const noteRetry = (retry: Retry): void => {
    noteFailure(signal, retry.error);
    report(retry);
  };
  for await (const output of run(machine, source, { signal, environment, onResponse, onRetry: noteRetry })) {
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

/** Yields the existing objects like a server that streams them, with a marked bookmark at the end. */
function* present<T>(
  { items, resourceVersion }: Extract<WatchOutput<Stored<T>>, { readonly type: 'listed' }>,
  bookmarks: boolean,
): Generator<WatchEvent<T> | BookmarkEvent> {
  for (const object of items) yield { type: 'ADDED', object };
  if (!bookmarks) return;
  yield {
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion, annotations: { [initialEventsEnd]: 'true' } } },
  };
}
