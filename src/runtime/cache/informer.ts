/**
 * Informers: a local copy of a resource that follows the server, and handlers that are told of every change to it.
 *
 * What may be relied on:
 * - The copy is eventually the server's state, and never goes back in time. It may skip states: of several changes
 *   between two looks at the server (after a lost history, a missing resource, a restart) only the last one is seen.
 * - Each handler sees its own legal history. Per uid: one `add`, any number of `update`s, one `delete`; never the same
 *   resourceVersion twice, except in a resync. `old` of an update is the object that this handler was given last.
 * - Each registration has one queue. Its calls come one after the other, in order; a call that returns a promise is
 *   awaited before the next one. Registrations do not wait for each other, and the copy waits for none of them: a
 *   handler may see an object that the lister has already replaced. The queue has no limit: a handler that is slower
 *   than its resource changes costs memory (`stats().queued`), so a handler should note what is to do and return.
 * - Who comes late is given `add` for everything that is there, with `initial: true`, then the changes.
 * - A deletion that was not seen is delivered with the last state that was known, and `missed: true`. Another object
 *   under the same name (a new uid) is a `delete` and an `add`. (client-go gives one update there.)
 * - A handler that throws or rejects is reported to `on('error')`; the next call follows as if nothing had happened.
 * - Objects are shared by all: handlers and readers must not change them. `freeze` makes an attempt throw.
 */
import type { SelectorOptions } from '../options.ts';
import type { Stored } from '../types.ts';
import type { Index, IndexFunction } from './indexer.ts';
import type { RelistReason } from './reflector-state.ts';

/** What is called for each change. All are optional. */
export interface InformerHandlers<T> {
  /** `initial`: the object was there before the handler, or before the informer. */
  add?(object: Stored<T>, info: { readonly initial: boolean }): void | Promise<void>;
  /** `old` is what this handler was given last. In a resync it is the same object. */
  update?(object: Stored<T>, old: Stored<T>): void | Promise<void>;
  /** `object` is the last state; with `missed` the last one known, as nobody told when it went. */
  delete?(object: Stored<T>, info: { readonly missed: boolean }): void | Promise<void>;
}

/** Options of `Informer.handle`. */
export interface HandleOptions {
  /** Every so many milliseconds `update(object, object)` for everything that is there. Default: never. */
  readonly resyncMs?: number | undefined;
}

/** Handlers at an informer. */
export interface Registration {
  /**
   * Resolves when the handlers have been called for everything that was there at first. Rejects when the informer is
   * stopped or the registration removed before that; after a restart it is a new promise.
   */
  readonly synced: Promise<void>;
  /** No call starts after this. One that is going on is not waited for. */
  remove(): void;
}

/** Where an error comes from. */
export interface InformerErrorContext {
  /** The informer's resource and namespaces, as messages name them. */
  readonly informer: string;
  /**
   * `request`: a list or watch failed; it is tried again. `handler`: a handler threw. `transform`: the object is left
   * out. `index`: the object is missing in one index.
   */
  readonly during: 'request' | 'handler' | 'transform' | 'index';
  /** Failed requests in a row, from 1. */
  readonly attempt?: number;
}

/** The whole state has to be read again. */
export interface RelistContext {
  readonly informer: string;
  /** `expired`: the history is gone; `ahead`: the server is behind; `garbled`: unreadable; `absent`: no such resource. */
  readonly reason: RelistReason;
}

/** What informers and factories report to `on`: the arguments of each listener. */
export interface InformerEvents {
  error: readonly [error: unknown, context: InformerErrorContext];
  relist: readonly [context: RelistContext];
}

/** Counts since the informer was made, for metrics. */
export interface InformerStats {
  /** Requests for lists; a long list takes several. */
  readonly lists: number;
  readonly watches: number;
  /** How often the whole state had to be read again. */
  readonly relists: number;
  /** Failed requests that were reported. */
  readonly failures: number;
  readonly events: number;
  /** Events that said nothing new. */
  readonly stale: number;
  /** Objects in the copy. */
  readonly objects: number;
  /** Calls that handlers have yet to take, over all registrations. */
  readonly queued: number;
  /** The last version seen, by followed namespace; under `''` where all are followed. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** Milliseconds since the server said something, of the quietest namespace; `undefined` before it did. */
  readonly quietMs: number | undefined;
}

/** What an informer follows, and what it keeps. `Field` are the fields that a field selector accepts. */
export interface InformerOptions<T = unknown, Field extends string = string> extends SelectorOptions<Field> {
  /** Follows this namespace. Default: all. Not for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  /** Follows these namespaces, each by requests of its own. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Called once for each object that comes in, before it is stored and indexed. May change the object and give it
   * back, or give another one with the same name, namespace, uid and resourceVersion.
   */
  transform?(object: Stored<T>): Stored<T>;
  /** Keeps `metadata.managedFields`, which are a third to a half of most objects' memory. Default false. */
  readonly keepManagedFields?: boolean | undefined;
  /** Freezes each object in depth, so that code which changes it throws. For tests: it takes time. Default false. */
  readonly freeze?: boolean | undefined;
}

/** A copy of a resource, read through a lister of type `L`. One informer is shared by all who ask for the same. */
export interface Informer<T, L = unknown> {
  /** Reads the copy. */
  readonly lister: L;
  /** Whether the copy has been complete since the start. */
  readonly isSynced: boolean;
  /** Resolves when the copy is complete, so not before the start; rejects when the informer is stopped before that. */
  readonly synced: Promise<void>;
  /** Adds handlers; at any time, also before the start. */
  handle(handlers: InformerHandlers<T>, options?: HandleOptions): Registration;
  /**
   * Gives the index of that name, and makes it if there is none; at any time.
   * @throws {Error} when the name is taken by another function
   */
  addIndex(name: string, valuesOf: IndexFunction<Stored<T>>): Index<Stored<T>>;
  /**
   * Hears of failed requests and failing handlers. The function that it gives removes the listener. With no listener
   * at all, what lasts is a warning of the process: a request that is refused, a server that is out of reach five times
   * in a row.
   */
  on(event: 'error', listener: (...args: InformerEvents['error']) => void): () => void;
  /** Hears of each time the whole state has to be read again. The function that it gives removes the listener. */
  on(event: 'relist', listener: (...args: InformerEvents['relist']) => void): () => void;
  /** The counts up to now. */
  stats(): InformerStats;
}
