/**
 * Capability interfaces for reading. A client extends one interface per supported verb; these have the types
 * and the docs, and `client/` implements them. Every method of these interfaces rejects with `ApiError` if
 * the server refuses the request, with `TransportError` if the server cannot be reached, with `TimeoutError`
 * after `timeoutMs`, and with `signal.reason` on abort. Only watches end without an error on abort.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */

import type { KubernetesList } from '../meta.ts';
import type {
  BookmarkOptions,
  GetOptions,
  IterateOptions,
  ListOptions,
  WaitOptions,
  WatchOptions,
} from '../options.ts';
import type { FieldSelection, Selected, SelectFields } from '../selected.ts';
import type { Stored } from '../types.ts';
import type { BookmarkEvent, WatchEvent } from '../watch-events.ts';

/** Reads single objects. */
export interface Get<T> {
  /**
   * Returns one object by name.
   * @throws {ApiError} `isNotFound` if it does not exist
   * @example
   * ```ts
   * const pod = await clientset.coreV1.pods('shop').get('web-0');
   * console.log(pod.metadata.uid, pod.status?.phase);
   * ```
   */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Returns one object by name, or `undefined` if it does not exist. */
  find(name: string, options?: GetOptions): Promise<Stored<T> | undefined>;
}

/** All items of a list, fetched page by page during the iteration. */
export interface PagedIteration<Item> extends AsyncIterable<Item> {
  /**
   * False if the server could not continue with the state of the first page, so that later pages have a newer
   * state.
   */
  readonly consistent: boolean;
  /** The version of the list; `undefined` before the first page. */
  readonly resourceVersion: string | undefined;
}

/** All objects of a list, fetched page by page during the iteration. */
export interface ListIteration<T> extends PagedIteration<Stored<T>> {}

/** Reads collections of objects. */
export interface List<T, L, Field extends string = never> {
  /**
   * Returns the objects with the fields of `select` only. Other fields of protobuf responses are not decoded.
   * @throws {TypeError} if the selection is invalid
   * @example
   * ```ts
   * const { items } = await clientset.coreV1.pods().list({ select: { status: { phase: true } } });
   * for (const { metadata, status } of items) console.log(metadata.name, status.phase);
   * ```
   */
  list<const S extends FieldSelection<T>>(
    options: ListOptions<Field> & SelectFields<S>,
  ): Promise<KubernetesList<Stored<Selected<T, S>>>>;
  /**
   * Returns the objects, or the first ones with `limit`.
   * @example
   * ```ts
   * const { items } = await clientset.coreV1.pods('shop').list({ labelSelector: { app: 'web' } });
   * for (const { metadata } of items) console.log(metadata.name);
   * ```
   */
  list(options?: ListOptions<Field>): Promise<L>;
  /** Iterates over all objects page by page, with the fields of `select` only. */
  iterate<const S extends FieldSelection<T>>(
    options: IterateOptions<Field> & SelectFields<S>,
  ): ListIteration<Selected<T, S>>;
  /**
   * Iterates over all objects, fetching them page by page. The loop throws `signal.reason` when `signal`
   * aborts, so that an incomplete list does not look complete.
   * @example
   * ```ts
   * for await (const pod of clientset.coreV1.pods().iterate({ pageSize: 100 })) {
   *   console.log(pod.metadata.namespace, pod.metadata.name);
   * }
   * ```
   */
  iterate(options?: IterateOptions<Field>): ListIteration<T>;
}

/** Watches collections of objects. */
export interface Watch<T, Field extends string = never> {
  /** Watches changes, with bookmarks, of objects with the fields of `select` only. */
  watch<const S extends FieldSelection<T>>(
    options: WatchOptions<Field> & BookmarkOptions & SelectFields<S>,
  ): AsyncIterable<WatchEvent<Selected<T, S>> | BookmarkEvent>;
  /**
   * Watches changes of objects with the fields of `select` only. Changes of other fields are events, too.
   * @throws {TypeError} if the selection is invalid
   */
  watch<const S extends FieldSelection<T>>(
    options: WatchOptions<Field> & SelectFields<S>,
  ): AsyncIterable<WatchEvent<Selected<T, S>>>;
  /**
   * Watches changes and also returns bookmarks, which contain the version up to which there are no other
   * changes. The loop ends without an error when `signal` aborts.
   */
  watch(options: WatchOptions<Field> & BookmarkOptions): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  /**
   * Watches changes. Interrupted connections, time-outs, 429 and 5xx are resumed without a gap until `signal`
   * aborts, which ends the loop without an error. Without a `resourceVersion`, every existing object is first
   * returned as `ADDED`.
   * @throws {ApiError} `isExpired` if the version at which to resume is compacted
   * @example
   * ```ts
   * const signal = AbortSignal.timeout(60_000);
   * for await (const { type, object } of clientset.coreV1.pods('shop').watch({ signal })) {
   *   console.log(type, object.metadata.name);
   * }
   * ```
   */
  watch(options?: WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/** Waits for a state of one object. */
export interface WaitFor<T> {
  /**
   * Waits until a type predicate accepts the state of the named object, starting with the present one, and
   * returns that state with the narrowed type. While the object does not exist, the state is `undefined`.
   * @throws {TimeoutError} after `timeoutMs`, with the last observed state in its message, and with a later
   * failure as `cause`
   */
  waitFor<S extends Stored<T> | undefined>(
    name: string,
    predicate: (object: Stored<T> | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  /**
   * Waits until a predicate accepts the state of the named object, starting with the present one, and returns
   * that state. While the object does not exist, the state is `undefined`; a predicate may accept it.
   * @throws {TimeoutError} after `timeoutMs`, with the last observed state in its message, and with a later
   * failure as `cause`
   * @example
   * ```ts
   * const pods = clientset.coreV1.pods('shop');
   * await pods.waitFor('web-0', (pod) => pod?.status?.phase === 'Running', { timeoutMs: 60_000 });
   * ```
   */
  waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Stored<T> | undefined>;
}

/** Reads single objects that the server computes for each request and does not store. */
export interface ReadVirtual<T> {
  /**
   * Returns one object by name.
   * @throws {ApiError} `isNotFound` if it does not exist
   */
  get(name: string, options?: GetOptions): Promise<T>;
  /** Returns one object by name, or `undefined` if it does not exist. */
  find(name: string, options?: GetOptions): Promise<T | undefined>;
}

/**
 * Reads collections of objects that the server computes for each request and does not store, so that they
 * cannot be watched.
 */
export interface ListVirtual<T, L, Field extends string = never> {
  /** Returns the objects, or the first ones with `limit`. */
  list(options?: ListOptions<Field>): Promise<L>;
  /**
   * Iterates over all objects, fetching them page by page. The loop throws `signal.reason` when `signal`
   * aborts, so that an incomplete list does not look complete.
   */
  iterate(options?: IterateOptions<Field>): PagedIteration<T>;
}
