/** Waits for a state of a collection, for any client with `watch`. */

import { isTimeoutError, isTransportError, TimeoutError } from '../../api/errors.ts';
import { isExpired } from '../../api/failure-reasons.ts';
import type { BookmarkOptions, WatchOptions } from '../../api/options.ts';
import type { Stored } from '../../api/types.ts';
import type { BookmarkEvent, WatchEvent } from '../../api/watch-events.ts';
import { messageOf } from '../../common/callbacks.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { readableText, stringOf } from '../../common/readable.ts';
import { closedSignals } from '../../rest/abort/abort-on-close.ts';
import { checkTimeout } from '../../rest/abort/deadline.ts';
import { Collection, objectKey } from '../machine/collection.ts';
import { pauseBeforeRelist } from '../machine/pause.ts';
import { retryReporter } from '../retry-warnings.ts';
import { checkPredicate, holds } from './predicate.ts';

/** Options of `until` and `untilObjects`. */
export interface UntilOptions<Field extends string = string>
  extends Omit<WatchOptions<Field>, 'resourceVersion' | 'timeoutMs' | 'signal'> {
  /** Aborts the wait, which then rejects with `signal.reason`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Timeout of the wait, in milliseconds; then it rejects with `TimeoutError`. Default: no limit besides
   * `signal`.
   */
  readonly timeoutMs?: number | undefined;
  /** Clock and random numbers, for tests. Default: those of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
}

/** A collection that can be watched: a generated or dynamic client, or any object with its `watch` method. */
export interface Watched<T, Field extends string = never> {
  /** Watches changes of whole objects, with bookmarks. */
  watch(options: WatchOptions<Field> & BookmarkOptions): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  /** Watches changes of whole objects. */
  watch(options?: WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/**
 * Waits for an event of a collection, and returns it. The predicate is called for every existing object, as
 * `ADDED`, and then for every change, without gaps. If the server has lost its history (410), all objects are
 * listed again, and the predicate is called for the differences: for objects that were deleted meanwhile with
 * `DELETED` and their last known state.
 *
 * For a state that may already exist at the start, such as an empty collection, use {@link untilObjects}.
 * @throws {TimeoutError} after `timeoutMs`; the message contains the last event, and `cause` is a failure
 * since then
 * @throws {ApiError} if the server rejects the request, and a retry cannot succeed
 * @throws errors of the predicate; the reason of `signal` on abort
 * @example
 * ```ts
 * import { until } from '@kgen/runtime';
 *
 * const failed = await until(
 *   clientset.coreV1.pods('shop'),
 *   ({ type, object }) => type !== 'DELETED' && object.status?.phase === 'Failed',
 *   { labelSelector: { app: 'web' }, timeoutMs: 60_000 },
 * );
 * console.log(failed.object.metadata.name);
 * ```
 */
export function until<T, E extends WatchEvent<T>, Field extends string = never>(
  client: Watched<T, Field>,
  predicate: (event: WatchEvent<T>) => event is E,
  options?: UntilOptions<Field>,
): Promise<E>;
/** Waits for an event of a collection for which the predicate returns true, and returns the event. */
export function until<T, Field extends string = never>(
  client: Watched<T, Field>,
  predicate: (event: WatchEvent<T>) => boolean,
  options?: UntilOptions<Field>,
): Promise<WatchEvent<T>>;
export async function until<T, Field extends string = never>(
  client: Watched<T, Field>,
  predicate: (event: WatchEvent<T>) => boolean,
  options: UntilOptions<Field> = {},
): Promise<WatchEvent<T>> {
  checkPredicate(predicate, 'until');
  for await (const { events } of changes(client, options)) {
    for (const event of events) {
      if (holds(predicate, 'until', event)) return event;
    }
  }
  throw new Error('a watch ended without an error');
}

/**
 * Waits until the objects of a collection satisfy the predicate, and returns them. The predicate receives all
 * objects, in no particular order: first their present state, then after every change. If the server has lost
 * its history (410), they are listed again.
 * @throws {TimeoutError} after `timeoutMs`; the message contains the last event, and `cause` is a failure
 * since then
 * @throws {ApiError} if the server rejects the request, and a retry cannot succeed
 * @throws errors of the predicate; the reason of `signal` on abort
 * @example
 * ```ts
 * import { untilObjects } from '@kgen/runtime';
 *
 * const pods = clientset.coreV1.pods('shop');
 * await untilObjects(pods, ({ length }) => length === 0, { labelSelector: 'app=web' });
 * ```
 */
export async function untilObjects<T, Field extends string = never>(
  client: Watched<T, Field>,
  predicate: (objects: readonly Stored<T>[]) => boolean,
  options: UntilOptions<Field> = {},
): Promise<readonly Stored<T>[]> {
  checkPredicate(predicate, 'untilObjects');
  for await (const { collection } of changes(client, options)) {
    const { objects } = collection;
    if (holds(predicate, 'untilObjects', objects)) return objects;
  }
  throw new Error('a watch ended without an error');
}

/** One event, or many at once after a list. */
interface Changes<T> {
  readonly events: readonly WatchEvent<T>[];
  /** State after the events. */
  readonly collection: Collection<T>;
}

async function* changes<T, Field extends string>(
  client: Watched<T, Field>,
  options: UntilOptions<Field>,
): AsyncGenerator<Changes<T>, void> {
  const { timeoutMs, onRetry, environment = systemEnvironment, ...others } = options;
  const { clock } = environment;
  checkTimeout(timeoutMs);
  const endsAt = clock.now() + (timeoutMs ?? Number.POSITIVE_INFINITY);
  const collection = new Collection<T>();
  const seen = new Seen<T>();
  const operation = { verb: 'wait for', resource: 'a change' };
  const report = retryReporter(onRetry, operation);
  let closed: AbortSignal | undefined;
  for (;;) {
    const left = timeoutMs === undefined ? {} : { timeoutMs: Math.max(0, endsAt - clock.now()) };
    const noteRetry: WatchOptions['onRetry'] = (error, { attempt }) => {
      seen.failed(error);
      // After the first events, the first connection failure is that of an established stream.
      report({ error, attempt, dropped: attempt === 1 && seen.any && isTransportError(error) });
    };
    try {
      for await (const event of client.watch({ ...others, ...left, onRetry: noteRetry, bookmarks: true })) {
        const events = collection.take(event);
        if (events === undefined) continue;
        seen.changes({ events, collection });
        yield { events, collection };
      }
      // The signal ends a watch without an error.
      options.signal?.throwIfAborted();
    } catch (error) {
      if (isTimeoutError(error)) throw seen.timedOut(error, timeoutMs);
      if (!isExpired(error)) throw error;
      seen.failed(error);
      closed = closedSignals.get(error);
    }
    collection.restart();
    const call = { signal: options.signal, operation };
    await pauseBeforeRelist(environment, call, closed, endsAt - clock.now());
  }
}

/** Progress of a wait, for its timeout error. */
class Seen<T> {
  #changes: Changes<T> | undefined;
  #failure: { readonly error: unknown } | undefined;

  changes(changes: Changes<T>): void {
    this.#changes = changes;
    this.#failure = undefined;
  }

  /** Whether the server has sent a state yet. */
  get any(): boolean {
    return this.#changes !== undefined;
  }

  failed(error: unknown): void {
    this.#failure = { error };
  }

  timedOut({ operation }: TimeoutError, timeoutMs: number | undefined): TimeoutError {
    const message = `condition not met within ${timeoutMs} ms; last seen: ${this.#words()}`;
    const what = operation && { ...operation, verb: 'wait for' };
    if (this.#failure === undefined) return new TimeoutError(message, what);
    const { error } = this.#failure;
    return new TimeoutError(`${message}; last failure: ${messageOf(error)}`, what, { cause: error });
  }

  #words(): string {
    if (this.#changes === undefined) return 'nothing yet';
    const { events, collection } = this.#changes;
    const count = collection.size === 1 ? '1 object' : `${collection.size} objects`;
    const last = events.at(-1);
    if (last === undefined) return count;
    const { metadata } = last.object;
    const [key, version] = [objectKey(metadata), stringOf(metadata.resourceVersion)].map((text) =>
      readableText(text),
    );
    return `${count}, then ${last.type} ${key} at resourceVersion ${version}`;
  }
}
