/**
 * Reading, as capability interfaces: what a client can do is the list of interfaces it extends. They carry the types
 * and the docs; `client/` implements them all. Every method of every such interface rejects with `ApiError` when the
 * server says no, with `TransportError` when it could not be asked, with `TimeoutError` after `timeoutMs`, and with
 * `signal.reason` on abort.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/
 */
import type {
  Bookmarks,
  GetOptions,
  IterateOptions,
  ListOptions,
  WaitOptions,
  WatchOptions,
} from '../options.ts';
import type { Stored } from '../types.ts';
import type { BookmarkEvent, WatchEvent } from '../watch/events.ts';

/** Reading one object. */
export interface Get<T> {
  /**
   * Fetches one object by name.
   * @throws {ApiError} `isNotFound` where there is none
   */
  get(name: string, options?: GetOptions): Promise<Stored<T>>;
  /** Fetches one object by name, or gives `undefined` where there is none. */
  find(name: string, options?: GetOptions): Promise<Stored<T> | undefined>;
}

/** All items of a list, fetched page by page as they are asked for. */
export interface Iteration<Item> extends AsyncIterable<Item> {
  /** False once the server could not go on with the state of the first page: the rest is of a newer one. */
  readonly consistent: boolean;
  /** The version of the list so far; `undefined` before the first page. */
  readonly resourceVersion: string | undefined;
}

/** All objects of a list, fetched page by page as they are asked for. */
export interface ListIteration<T> extends Iteration<Stored<T>> {}

/** Reading many objects. */
export interface List<T, L, Field extends string = never> {
  /** Fetches the objects, or with `limit` the first of them. */
  list(options?: ListOptions<Field>): Promise<L>;
  /** Goes through all objects, page by page. */
  iterate(options?: IterateOptions<Field>): ListIteration<T>;
}

/** Following the changes of objects. */
export interface Watch<T, Field extends string = never> {
  /** The same with bookmarks, which say up to which version nothing else happened. */
  watch(options: WatchOptions<Field> & Bookmarks): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  /**
   * Follows the changes. Drops, time-outs, 429 and 5xx are resumed without a gap until `signal` aborts.
   * Without a `resourceVersion` every existing object comes first, as `ADDED`.
   * @throws {ApiError} `isExpired` when the version to resume from is gone from the server's history
   */
  watch(options?: WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/** Waiting for a state of one object. */
export interface WaitFor<T> {
  /**
   * Waits until an object is as wanted, and gives it. The predicate sees `undefined` while there is none.
   * @throws {TimeoutError} after `timeoutMs`; names the state that was last seen, and has a failure since then as `cause`
   */
  waitFor<S extends Stored<T> | undefined>(
    name: string,
    predicate: (object: Stored<T> | undefined) => object is S,
    options?: WaitOptions,
  ): Promise<S>;
  /** The same for a predicate that does not narrow the type. */
  waitFor(
    name: string,
    predicate: (object: Stored<T> | undefined) => boolean,
    options?: WaitOptions,
  ): Promise<Stored<T> | undefined>;
}

/** Reading one object that the server makes up when it is asked, and does not store. */
export interface ReadVirtual<T> {
  /**
   * Fetches one object by name.
   * @throws {ApiError} `isNotFound` where there is none
   */
  get(name: string, options?: GetOptions): Promise<T>;
  /** Fetches one object by name, or gives `undefined` where there is none. */
  find(name: string, options?: GetOptions): Promise<T | undefined>;
}

/** Reading many objects that the server makes up when it is asked, and does not store: there is nothing to watch. */
export interface ListVirtual<T, L, Field extends string = never> {
  /** Fetches the objects, or with `limit` the first of them. */
  list(options?: ListOptions<Field>): Promise<L>;
  /** Goes through all objects, page by page. */
  iterate(options?: IterateOptions<Field>): Iteration<T>;
}
