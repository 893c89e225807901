/**
 * Informers that are shared by callers with the same resource and options.
 *
 * Cost of an informer while it follows: for each followed namespace, or once for all namespaces, one open
 * request, with a connection of its own, and one timer, which detects an idle stream. Lists use the
 * connections of other requests. A registration costs a timer with `resyncMs` only. All
 * informers of a set share recurring strings of their objects.
 */

import type { RuntimeEnvironment } from '../../common/clock.ts';
import type { RESTClient } from '../../rest/client.ts';
import type { Informer, InformerEvents, InformerOptions, SelectOptions } from './informer.ts';
import type { InformerStats } from './informer-stats.ts';
import type { InformerTarget } from './informer-target.ts';

/** Options of `InformerFactory.start`. */
export interface StartOptions {
  /** Stops the informers: `waitForSync` then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `InformerFactory.waitForSync`. */
export interface WaitForSyncOptions {
  /** Ends the wait, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the wait, in milliseconds; then it rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait until the handlers have been called for all initial objects, too. Default: false. */
  readonly handlers?: boolean | undefined;
}

/** Object that a request has written. */
export interface WrittenObject {
  /** API group of the object; `''` or `core` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name of the resource of the object: `deployments`. */
  readonly resource: string;
  /** Namespace of a deleted object. Default: a cluster-scoped object. Objects contain their own namespace. */
  readonly namespace?: string | undefined;
  /** Name of a deleted object. Objects contain their own name. */
  readonly name?: string | undefined;
}

/**
 * Result of a write: the whole object that the server returned, with its resourceVersion, or the removal of
 * the object. The uid of a removal is in the response (`details.uid` of a Status); its resourceVersion is the
 * last known one of the object. A removal with neither is not recorded.
 */
export type RecordedWrite =
  | { readonly object: unknown }
  | {
      readonly deleted: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
    };

/** Informers that are started, synced and stopped together. */
export interface SharedInformers {
  /** Client that the informers use. */
  readonly rest: RESTClient;
  /** Returns the informer for this target with these options; the caller provides the types. */
  of(target: InformerTarget, options: InformerOptions & Partial<SelectOptions>): Informer<unknown>;
  /** Starts all informers, and from then on each new one. */
  start(options?: StartOptions): void;
  /**
   * Resolves when every informer, including those created meanwhile, has the whole state.
   * @throws {TimeoutError} after `timeoutMs`; its message names the informers that are not synced, with the
   * reasons
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /** Ends all requests; resolves when no further handler calls can begin. `start` begins again. */
  stop(): Promise<void>;
  /**
   * Makes the result of a successful write of this process visible at once in every running informer of the
   * resource that selects the object, before the server sends the change. Never waits, and never throws.
   *
   * - The informers receive copies.
   * - A result is ignored if the informer has received it already, or something newer.
   * - If only the server can decide whether an informer selects the object (field selectors other than
   *   `metadata.name` and `metadata.namespace`, shards), the object is updated if it is cached. If its labels
   *   no longer match, the server's event removes it.
   * - An object whose deletion is complete, because it has a deletionTimestamp but neither a finalizer nor a
   *   grace period, counts as removed.
   * - Not for dry runs, nor for responses of subresources of another kind, such as `scale`.
   */
  recordWrite(target: WrittenObject, result: RecordedWrite): void;
  /** Returns counters and gauges of all informers by their names, which are unique. */
  stats(): ReadonlyMap<string, InformerStats>;
  /** Adds a listener for the events of all informers. Returns a function that removes the listener. */
  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void;
}

/** Options of all informers of a set. */
export interface SharedInformersOptions {
  /** Whether servers that support it stream the state instead of listing it. Default: true. */
  readonly streaming?: boolean | undefined;
  /** Clock and random numbers; for tests. */
  readonly environment?: RuntimeEnvironment | undefined;
}
