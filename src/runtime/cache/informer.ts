/**
 * Informers: a local copy of a resource that follows the server, and handlers that are told of every change to it.
 *
 * What may be relied on:
 * - The copy is eventually the server's state, and never goes back in time. It may skip states: of several changes
 *   between two looks at the server (after a lost history, a missing resource, a restart) only the last one is seen.
 * - A whole state that is read again takes the place of the copy, lister and indices together, at once: whoever looks sees
 *   the old or the new one, never a mix. With several namespaces that holds for each of them.
 * - An object that cannot be taken in, as it cannot be read or its transform throws, is reported and stays as it was known
 *   (but goes where not even its name can be read).
 * - Each handler sees its own legal history. Per uid: one `add`, any number of `update`s, one `delete`; never the same
 *   resourceVersion twice, except in a resync. `old` of an update is the object that this handler was given last.
 * - Each registration has one queue. Its calls come one after the other, in order; a call that returns a promise is
 *   awaited before the next one. Registrations do not wait for each other, and the copy waits for none of them: a
 *   handler may see an object that the lister has already replaced. The queue has no limit: a handler that is slower
 *   than its resource changes costs memory (`stats().queued`), so a handler should note what is to do and return.
 * - Who comes late is given `add` for everything that is there, with `initial: true`, then the changes.
 * - A deletion that the server did not tell is delivered with the last state that was known, and `missed: true`. Another object
 *   under the same name (a new uid) is a `delete` and an `add`. (client-go gives one update there.)
 * - A handler that throws or rejects is reported to `on('error')`; the next call follows as if nothing had happened.
 * - Objects are shared by all: handlers and readers must not change them. `freeze` makes an attempt throw.
 */
import type { SelectorOptions } from '../options.ts';
import type { Stored } from '../types.ts';
import type { Index, IndexFunction } from './indexer.ts';
import type { InformerStats } from './informer-stats.ts';
import type { RelistReason } from './reflector-state.ts';

/** What an `add` is about. */
export interface AddInfo {
  /** The object was there before the handler, or before the informer. */
  readonly initial: boolean;
}

/** What a `delete` is about. */
export interface DeleteInfo {
  /** Nobody told when the object went: its state is the last one that was known. */
  readonly missed: boolean;
}

/** What is called for each change. All are optional. What they give is not looked at, but for a promise, which is awaited. */
export interface InformerHandlers<T> {
  /** An object is there that this handler has not been given. */
  add?(object: Stored<T>, info: AddInfo): unknown;
  /** `old` is what this handler was given last. In a resync it is the same object. */
  update?(object: Stored<T>, old: Stored<T>): unknown;
  /** `object` is the last state. */
  delete?(object: Stored<T>, info: DeleteInfo): unknown;
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
   * - `request`: a list or watch failed; it is tried again.
   * - `decode`: an object cannot be read, or is of another namespace than was asked for: a `DecodeError`; `transform`: the
   *   transform threw. The copy keeps the last state of the object that it knew, if any. Told once for each version of
   *   the object.
   * - `index`: an index function threw; the object is missing in that index.
   * - `handler`: a handler threw or rejected.
   */
  readonly during: 'request' | 'decode' | 'transform' | 'index' | 'handler';
  /** Failed requests in a row, from 1. */
  readonly attempt?: number;
  /** The object of `decode`, `transform` and `handler`, as far as it is known. */
  readonly object?: { readonly namespace?: string | undefined; readonly name?: string | undefined };
}

/** The whole state has to be read again. */
export interface RelistContext {
  readonly informer: string;
  /**
   * `expired`: the history is gone; `ahead`: the server is behind; `garbled`: unreadable; `absent`: no such resource;
   * `refused`: watches stay refused (no right to, say), and lists have to do.
   */
  readonly reason: RelistReason;
}

/** What informers and factories report to `on`: the arguments of each listener. */
export interface InformerEvents {
  error: readonly [error: unknown, context: InformerErrorContext];
  relist: readonly [context: RelistContext];
}

/** What an informer follows, and what it keeps. `Field` are the fields that a field selector accepts. */
export interface InformerOptions<T = unknown, Field extends string = string>
  extends ClusterInformerOptions<T, Field> {
  /** Follows this namespace. Default: all. */
  readonly namespace?: string | undefined;
  /** Follows these namespaces, each by requests of its own. */
  readonly namespaces?: readonly string[] | undefined;
}

/** The same for a resource whose objects live in no namespace. */
export interface ClusterInformerOptions<T = unknown, Field extends string = string>
  extends SelectorOptions<Field> {
  /**
   * Called for each state of an object that comes in, before it is stored and indexed. May change the object and
   * give it back, or give another one with the same name, namespace, uid and resourceVersion. `metadata.managedFields`
   * are gone before it, unless `keepManagedFields` is set. Must depend on the object alone: it is called again for the
   * same state when that is read again. When it throws, the object stays as it was known. An informer is shared by those
   * who give the same function, not one that looks the same.
   */
  transform?(object: Stored<T>): Stored<T>;
  /**
   * Keeps `metadata.managedFields`: who owns which field, which is a third to a half of the memory of most objects.
   * Default false: they are cut out before an object is parsed.
   */
  readonly keepManagedFields?: boolean | undefined;
  /**
   * Freezes each object in depth, so that a handler or a reader which changes one gets a `TypeError`. For tests, for one
   * informer or the whole factory: freezing takes as long as parsing. Default false.
   */
  readonly freeze?: boolean | undefined;
}

/** A copy of a resource, read through a lister of type `L`. One informer is shared by all who ask for the same. */
export interface Informer<T, L = unknown> {
  /** Names the informer in messages, in errors and among the `stats()` of its factory. */
  readonly name: string;
  /** Reads the copy. */
  readonly lister: L;
  /** Whether the copy has been complete since the start. */
  readonly isSynced: boolean;
  /**
   * Resolves when the copy is complete, so not before the start. Rejects while the informer is stopped, or has ended
   * because its client was closed; after a restart it is a new promise.
   */
  readonly synced: Promise<void>;
  /**
   * Adds handlers; at any time, also before the start. Each call is another registration.
   * @throws {TypeError} for handlers of other names
   * @throws {RangeError} for a `resyncMs` that is not above 0
   */
  handle(handlers: InformerHandlers<T>, options?: HandleOptions): Registration;
  /**
   * Gives the index of that name, and makes it if there is none; at any time.
   * @throws {Error} when the name is taken by another function
   */
  addIndex(name: string, valuesOf: IndexFunction<Stored<T>>): Index<Stored<T>>;
  /**
   * Hears of failed requests, failing handlers and objects that cannot be taken in. The function that it gives removes
   * the listener. With no listener at all, what does not go away by itself is a warning of the process
   * (`InformerWarning`). Of requests that is one that is refused, a resource that is not installed, a server that is out of
   * reach five times in a row, each once; of objects and handlers the 1st failure, the 10th, the 100th and so on.
   */
  on(event: 'error', listener: (error: unknown, context: InformerErrorContext) => void): () => void;
  /** Hears of each time the whole state has to be read again. The function that it gives removes the listener. */
  on(event: 'relist', listener: (context: RelistContext) => void): () => void;
  /** Counters and gauges, for metrics. */
  stats(): InformerStats;
}
