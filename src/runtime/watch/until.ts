/** Waiting for something in a collection, on top of any client that can watch. */
import { messageOf } from '../callbacks.ts';
import { isExpired, isTimeoutError, isTransportError, TimeoutError } from '../errors.ts';
import type { WatchOptions } from '../options.ts';
import { readableText, stringOf } from '../readable.ts';
import { closedSignals } from '../rest/closing.ts';
import { checkTimeout } from '../rest/deadline.ts';
import type { Stored } from '../types.ts';
import type { Watch } from '../verbs/read.ts';
import { type Environment, systemEnvironment } from './clock.ts';
import { Collection, objectKey } from './collection.ts';
import type { WatchEvent } from './events.ts';
import { pauseBeforeRelist } from './pause.ts';
import { checkPredicate, holds } from './predicate.ts';
import { retryReporter } from './retry-warnings.ts';

/** Options of `until` and `untilObjects`. */
export interface UntilOptions<Field extends string = string>
  extends Omit<WatchOptions<Field>, 'resourceVersion' | 'timeoutMs'> {
  /** Milliseconds until the wait rejects with `TimeoutError`. Default: no limit besides `signal`. */
  timeoutMs?: number | undefined;
  /** Time and chance; for tests. */
  environment?: Environment | undefined;
}

/**
 * Waits for an event of a collection, and gives it. The predicate sees every object that exists, as `ADDED`, and then
 * every change; nothing is missed in between. Where the server has lost its history (410) everything is listed anew, and
 * the predicate sees what is different: objects that went meanwhile as `DELETED`, with the last state known.
 *
 * To wait for a state that may be there from the beginning, such as no object being left, use {@link untilObjects}.
 * @example
 * const failed = await until(
 *   clientset.coreV1.pods('shop'),
 *   ({ type, object }) => type !== 'DELETED' && object.status.phase === 'Failed',
 *   { labelSelector: { app: 'web' }, timeoutMs: 60_000 },
 * );
 * @throws {TimeoutError} after `timeoutMs`; says what was seen last, and has a failure since then as `cause`
 * @throws {ApiError} the server says no, and waiting would not help
 * @throws what the predicate throws; the reason of `signal` on abort
 */
export function until<T, E extends WatchEvent<T>, Field extends string = never>(
  client: Watch<T, Field>,
  predicate: (event: WatchEvent<T>) => event is E,
  options?: UntilOptions<Field>,
): Promise<E>;
/** The same for a predicate that does not narrow the type of the event. */
export function until<T, Field extends string = never>(
  client: Watch<T, Field>,
  predicate: (event: WatchEvent<T>) => boolean,
  options?: UntilOptions<Field>,
): Promise<WatchEvent<T>>;
export async function until<T, Field extends string = never>(
  client: Watch<T, Field>,
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
 * Waits until the objects of a collection are as wanted, and gives them. The predicate sees all of them, in no particular
 * order: first as they are now, then after every change. Where the server has lost its history (410) they are listed anew.
 * @example
 * await untilObjects(clientset.coreV1.pods('shop'), (pods) => pods.length === 0, { labelSelector: 'app=web' });
 * @throws {TimeoutError} after `timeoutMs`; says what was seen last, and has a failure since then as `cause`
 * @throws {ApiError} the server says no, and waiting would not help
 * @throws what the predicate throws; the reason of `signal` on abort
 */
export async function untilObjects<T, Field extends string = never>(
  client: Watch<T, Field>,
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

/** An event, or many at once after a list. */
interface Changes<T> {
  readonly events: readonly WatchEvent<T>[];
  /** What there is after them. */
  readonly collection: Collection<T>;
}

async function* changes<T, Field extends string>(
  client: Watch<T, Field>,
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
    const told: WatchOptions['onRetry'] = (error, { attempt }) => {
      seen.failed(error);
      // After the first events, a connection that fails first is that of a stream.
      report({ error, attempt, dropped: attempt === 1 && seen.any && isTransportError(error) });
    };
    try {
      for await (const event of client.watch({ ...others, ...left, onRetry: told, bookmarks: true })) {
        const events = collection.take(event);
        if (events === undefined) continue;
        seen.changes({ events, collection });
        yield { events, collection };
      }
    } catch (error) {
      if (isTimeoutError(error)) throw seen.timedOut(error, timeoutMs);
      if (!isExpired(error)) throw error;
      seen.failed(error);
      closed = closedSignals.get(error);
    }
    collection.retell();
    const call = { signal: options.signal, operation };
    await pauseBeforeRelist(environment, call, closed, endsAt - clock.now());
  }
}

/** How far a wait has come, for the error that ends it. */
class Seen<T> {
  #changes: Changes<T> | undefined;
  #failure: { readonly error: unknown } | undefined;

  changes(changes: Changes<T>): void {
    this.#changes = changes;
    this.#failure = undefined;
  }

  /** Whether the server has responded with a state yet. */
  get any(): boolean {
    return this.#changes !== undefined;
  }

  failed(error: unknown): void {
    this.#failure = { error };
  }

  timedOut({ operation }: TimeoutError, timeoutMs: number | undefined): TimeoutError {
    const message = `not as wanted within ${timeoutMs} ms; last seen: ${this.#words()}`;
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
