/**
 * Informers: a local cache of a resource that follows the server, and handlers that are called for every
 * change.
 *
 * Guarantees:
 * - The cache is eventually equal to the state of the server, and never goes back in time. It may skip
 *   states: of several changes during an interruption (an expired history, a missing resource, a restart)
 *   only the result is visible.
 * - A relist replaces the cache, lister and indices together, at once: readers see the old or the new state,
 *   never a mixture. With several namespaces this applies to each of them.
 * - An object that cannot be decoded, or whose transform throws, is reported and stays as it was cached. If
 *   not even its name can be decoded, it is removed.
 * - Each handler receives a consistent history. For each uid: one `add`, any number of `update`s, one
 *   `delete`; never the same resourceVersion twice, except in a resync. `old` of an update is the last object
 *   that this handler received.
 * - Each registration has one queue. Its calls are made one after the other, in order; a returned promise is
 *   awaited before the next call. Registrations do not wait for each other, and the cache does not wait for
 *   them: the lister may already have replaced an object that a handler receives. The queue has no limit: a
 *   handler that is slower than the changes of its resource costs memory (`stats().queued`), so a handler
 *   should enqueue its work and return.
 * - A registration that is added later receives `add` for every existing object, with `isInitial: true`, then
 *   the changes.
 * - A deletion that the server did not report is delivered with the last known state, and `missed: true`.
 *   Another object under the same name (a new uid) causes a `delete` and an `add`. (client-go calls one
 *   update in this case.)
 * - An error of a handler is reported to `on('error')`; later calls are not affected.
 * - Own writes (`SharedInformers.recordWrite`) are visible in the cache at once: lister, indices and handlers
 *   see their results as if the server had sent them. Older events and lists do not undo them, and everything
 *   newer replaces them, so no change of another client is lost. A later event of the same version changes
 *   nothing and calls no handler. An object that the server turns out not to select is deleted with
 *   `missed: true`, and so is an object that an own write has deleted.
 * - With `select`, an update in which no selected field changed calls no handler, so that `old` of the next
 *   one may be newer than the last object that the handler received, with the same selected fields.
 * - Objects are shared: handlers and readers must not change them. `freeze` makes an attempt throw; it is the
 *   default in tests.
 */

import type { AnySelection } from '../../api/selected.ts';
import type { Stored, Transformed } from '../../api/types.ts';
import type { VersionedResourceName } from '../../dynamic/target.ts';
import type { SelectorOptions } from '../../selectors/selection.ts';
import type { ListerRead } from '../lister/lister.ts';
import type { RelistReason } from '../reflector/reflector-state.ts';
import type { IndexFunction, InformerIndex } from '../store/indexer.ts';
import type { InformerStats } from './informer-stats.ts';
import type { ObjectShard } from './object-shard.ts';
import type { SharedInformers } from './shared-informers.ts';

/** Second argument of `InformerHandlers.add`: whether the object is new. */
export interface AddInfo {
  /** Whether the object existed before the handler, or before the informer. */
  readonly isInitial: boolean;
}

/** Second argument of `InformerHandlers.delete`: whether the final state is known. */
export interface DeleteInfo {
  /** Whether the server did not report the deletion: the object has the last known state. */
  readonly missed: boolean;
}

/** Handlers of changes. All are optional. A returned promise is awaited; other results are ignored. */
export interface InformerHandlers<T> {
  /** Called for an object that this handler has not received before. */
  add?(object: Stored<T>, info: AddInfo): unknown;
  /**
   * Called for a new state. `old` is the last state that this handler received; in a resync it is the same
   * object.
   */
  update?(object: Stored<T>, old: Stored<T>): unknown;
  /**
   * Called for a deletion. `object` is the state at the deletion; with `info.missed` it is the last state
   * that the informer received, which may be older.
   */
  delete?(object: Stored<T>, info: DeleteInfo): unknown;
}

/** Options of `Informer.handle`. */
export interface HandleOptions {
  /** Interval of `update(object, object)` for every existing object, in milliseconds. Default: never. */
  readonly resyncMs?: number | undefined;
}

/** Registration of handlers at an informer, as returned by `Informer.handle`. */
export interface HandlerRegistration {
  /**
   * Resolves when the handlers have been called for all initial objects. Rejects if the informer is stopped
   * or the registration is removed before; after a restart it is a new promise.
   */
  readonly synced: Promise<void>;
  /** Removes the handlers. No call begins after this; a pending call is not awaited. */
  remove(): void;
}

/** Informer, step and object of an error. */
export interface InformerErrorContext {
  /** Name of the informer in messages: its resource and namespaces. */
  readonly informer: string;
  /**
   * Step that failed. The informer continues in each case.
   * - `request`: a LIST or WATCH failed; it is retried.
   * - `decode`: an object cannot be decoded, or belongs to another namespace than requested. The error is a
   *   `DecodeError`.
   * - `transform`: the transform threw. After this failure and after `decode`, the cache keeps the last state
   *   of the object, if any; each version of the object is reported once.
   * - `index`: an index function threw; the object is missing in that index.
   * - `handler`: a handler threw or rejected; the call is not repeated.
   */
  readonly during: 'request' | 'decode' | 'transform' | 'index' | 'handler';
  /** Number of consecutive failures of the request, from 1. */
  readonly attempt?: number;
  /** Object of `decode`, `transform` and `handler`, if it is known. */
  readonly object?: { readonly namespace?: string | undefined; readonly name?: string | undefined };
}

/** Reason of a repeated list request of an informer. */
export interface RelistContext {
  readonly informer: string;
  /**
   * Reason of the relist. `expired`: the history is lost; `ahead`: the server is behind the last version;
   * `malformed`: a response cannot be parsed; `absent`: the resource does not exist; `refused`: watches are
   * repeatedly rejected (for example without the permission), so lists replace them.
   */
  readonly reason: RelistReason;
}

/** Argument of listeners for `handled`. */
export interface HandledContext {
  /** Name of the informer: its resource and namespaces. */
  readonly informer: string;
  /** Duration of the calls in milliseconds, with the promises that handlers returned. */
  readonly durationMs: number;
}

/** Events of informers and factories, with the arguments of their listeners. */
export interface InformerEvents {
  readonly error: readonly [error: unknown, context: InformerErrorContext];
  readonly relist: readonly [context: RelistContext];
  /** The handlers of a registration have processed pending changes: as many as one event-loop turn allows. */
  readonly handled: readonly [context: HandledContext];
}

/**
 * Options of an informer: the objects to follow, and the members to keep. `Field` are the fields that a field
 * selector accepts.
 */
export interface InformerOptions<T = unknown, Field extends string = string>
  extends ClusterInformerOptions<T, Field> {
  /** Namespace to follow. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Namespaces to follow, each by separate requests. */
  readonly namespaces?: readonly string[] | undefined;
}

/** Options of an informer of a cluster-scoped resource. */
export interface ClusterInformerOptions<T = unknown, Field extends string = string>
  extends SelectorOptions<Field> {
  /**
   * Called for each received state of an object, before it is stored and indexed. May change and return the
   * object, or return another one with the same name, namespace, uid and resourceVersion.
   * `metadata.managedFields` are removed before, unless `keepManagedFields` is set. The result must depend on
   * the object only, because the function is called again if the same state is received again. If it throws,
   * the object stays as it was cached. Types of the cache show `spec` and `status` even if they are removed:
   * the program that removes them must not read them. Informers are shared only by callers with the identical
   * function.
   */
  transform?(object: Stored<T>): Transformed<T>;
  /**
   * Stores only the objects of this shard, whose change relists. Own writes outside of it are not recorded.
   * Overrides `shardSelector`. Default: all objects.
   */
  readonly shard?: ObjectShard | undefined;
  /**
   * Keeps `metadata.managedFields`, the owners of fields, which take a third to a half of the memory of most
   * objects. Default: false, and they are removed before an object is parsed.
   */
  readonly keepManagedFields?: boolean | undefined;
  /**
   * Freezes each object deeply, so that a handler or reader that changes it causes a `TypeError` with the
   * line of the change; for one informer or the whole factory. Freezing takes as long as parsing. Default:
   * true in tests, in which `NODE_ENV` is `test` (vitest, jest, simulations) or `NODE_TEST_CONTEXT` is set
   * (node:test), otherwise false.
   */
  readonly freeze?: boolean | undefined;
}

/** Additional options of an informer whose objects have only selected fields. */
export interface SelectOptions<S = AnySelection> {
  /**
   * Fields of the objects. Other fields are not decoded, take no memory, and are not part of the type of the
   * objects. apiVersion, kind, name, namespace, uid, resourceVersion, creationTimestamp and deletionTimestamp
   * are always part of it. The value must be a literal, or be declared `as const`.
   */
  readonly select: S;
  /**
   * Whether handlers are also called for updates in which no selected field changed. Default: false, and
   * these are counted as `unchanged` in `stats()`.
   */
  readonly onEveryChange?: boolean | undefined;
}

/** Type of the objects of an informer: `type SmallPod = InformerObject<typeof informer>`. */
export type InformerObject<I> = I extends { find(object: never): infer Found } ? NonNullable<Found> : never;

/**
 * Cache of a resource, which is read through a lister of type `L`. Callers with the same resource and options
 * share one informer.
 */
export interface Informer<T, L = unknown> {
  /** Name of the informer in messages, in errors and in the `stats()` of its factory. */
  readonly name: string;
  /** Resource of the objects; its kind and scope are present if they are known. */
  readonly resource: VersionedResourceName;
  /** Followed namespaces; `undefined` for all, and for cluster-scoped resources. */
  readonly namespaces: readonly string[] | undefined;
  /**
   * Fields that the cached objects have: those of `select`, and those that every selection contains.
   * `undefined` if the objects have all fields.
   */
  readonly selection?: AnySelection | undefined;
  /**
   * Whether the objects have every member that the server sent, except for `managedFields`: neither `select`
   * nor `transform` removes others, and they are not the metadata alone.
   */
  readonly isWhole: boolean;
  /** The informers with which this one is started and stopped: those of its factory. */
  readonly informers: SharedInformers;
  /** Reads objects from the cache, without requests. */
  readonly lister: L;
  /**
   * Returns an object of the cache, or `undefined` if it is not in the cache, for code that does not know the
   * type of the lister. Cluster-scoped objects have no namespace, or `''`.
   */
  find(object: { readonly namespace?: string | undefined; readonly name: string }): Stored<T> | undefined;
  /** Whether the cache has become complete since the start. */
  readonly isSynced: boolean;
  /**
   * Resolves when the cache is complete, and so not before the start. Rejects while the informer is stopped,
   * or after its client was closed; after a restart it is a new promise.
   */
  readonly synced: Promise<void>;
  /**
   * Adds handlers; at any time, also before the start. Each call creates another registration.
   * @throws {TypeError} if the handlers have unknown names
   * @throws {RangeError} if `resyncMs` is not above 0
   * @example
   * ```ts
   * import { InformerFactory } from '@kgen/runtime';
   * import { pods } from '@kgen/kubernetes/core/v1';
   *
   * const informer = new InformerFactory(clientset).of(pods);
   * informer.handle({
   *   add: (pod, { isInitial }) => console.log('add', pod.metadata.name, isInitial),
   *   update: (pod, old) => console.log('update', old.status?.phase, pod.status?.phase),
   *   delete: (pod) => console.log('delete', pod.metadata.name),
   * });
   * ```
   */
  handle(handlers: InformerHandlers<T>, options?: HandleOptions): HandlerRegistration;
  /**
   * Returns the index of that name, and creates it if necessary; at any time.
   * @throws {Error} if the name is used for another function
   * @example
   * ```ts
   * import { InformerFactory } from '@kgen/runtime';
   * import { pods } from '@kgen/kubernetes/core/v1';
   *
   * const informer = new InformerFactory(clientset).of(pods);
   * const byNode = informer.addIndex('node', (pod) => [pod.spec?.nodeName ?? '']);
   * console.log(byNode.get('node-1').length);
   * ```
   */
  addIndex(name: string, valuesOf: IndexFunction<Stored<T>>): InformerIndex<Stored<T>>;
  /**
   * Adds a listener for failed requests, failed handlers and rejected objects. Returns a function that
   * removes the listener. Without any listener, persistent errors cause process warnings (`InformerWarning`).
   * Of requests these are rejections, a missing resource, and five consecutive failures to reach the server,
   * each reported once. Of objects and handlers they are the 1st failure, the 10th, the 100th and so on.
   */
  on(event: 'error', listener: (error: unknown, context: InformerErrorContext) => void): () => void;
  /**
   * Adds a listener that is called each time the informer has to relist. Returns a function that removes the
   * listener.
   */
  on(event: 'relist', listener: (context: RelistContext) => void): () => void;
  /**
   * Adds a listener that is called after handlers have processed changes, with the duration: once per
   * registration and event-loop turn. Returns a function that removes the listener.
   */
  on(event: 'handled', listener: (context: HandledContext) => void): () => void;
  /**
   * Calls `observer` for each read of the lister, directly after it; not for reads of `find` and of indices.
   * It must be fast and must not throw. Returns a function that removes the observer.
   */
  observeReads(observer: (read: ListerRead<T>) => void): () => void;
  /**
   * Returns whether the cache contains all changes up to a version of the resource, by events, bookmarks or a
   * list: in the objects of `namespace`, or in all. Own writes alone do not count. Versions that are not
   * decimal numbers have no order: returns true only while the given version is the last one. `stats()`
   * contains the last version and the time since the last data.
   */
  seen(resourceVersion: string, namespace?: string): boolean;
  /** Returns counters and gauges of the informer, for metrics. */
  stats(): InformerStats;
  /**
   * Estimates the memory of the cached objects in bytes, within about a quarter, in about a millisecond: 32
   * of them are measured. Parts and strings that several of these have are counted once. Indices are not
   * included.
   */
  estimateBytes(): number;
}
