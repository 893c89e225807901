/** Pending handler calls, which share one list of changes to save memory. */
import type { Stored } from '../../api/types.ts';
import type { InformerHandlers } from '../informer/informer.ts';
import type { Change } from '../store/store.ts';

/** Pending calls of one registration that were queued at the same time. */
export interface Calls<T> {
  /** Time at which the calls were queued. */
  readonly since: number;
  /** Number of remaining calls. */
  readonly left: number;
  /** Object of the last call. */
  readonly object: Stored<T> | undefined;
  /** Makes the next call. Returns and throws the result of the handler. */
  call(handlers: InformerHandlers<T>): unknown;
}

/**
 * Linked list of changes that all registrations share. Each keeps its own position; the part before the
 * slowest one can be garbage-collected.
 */
export interface SharedChanges<O> {
  readonly changes: readonly Change<O>[];
  readonly next: SharedChanges<O> | undefined;
}

/** Maximum number of changes that are retained together until all registrations have processed them. */
const pieceLength = 256;

export function shareChanges<O>(changes: readonly Change<O>[]): SharedChanges<O> {
  let next: SharedChanges<O> | undefined;
  let start = Math.floor(Math.max(changes.length - 1, 0) / pieceLength) * pieceLength;
  for (; start > 0; start -= pieceLength) {
    next = { changes: changes.slice(start, start + pieceLength), next };
  }
  return { changes: next === undefined ? changes : changes.slice(0, pieceLength), next };
}

/** One call for each change. */
export class ChangeCalls<T> implements Calls<T> {
  readonly since: number;
  left: number;
  object: Stored<T> | undefined;
  readonly #initial: boolean;
  #shared: SharedChanges<Stored<T>> | undefined;
  #taken = 0;

  constructor(shared: SharedChanges<Stored<T>>, length: number, initial: boolean, since: number) {
    this.#shared = shared;
    this.left = length;
    this.#initial = initial;
    this.since = since;
  }

  call(handlers: InformerHandlers<T>): unknown {
    const change = this.#take();
    this.object = change?.object;
    switch (change?.type) {
      case 'add':
        return handlers.add?.(change.object, { isInitial: this.#initial });
      case 'update':
        return handlers.update?.(change.object, change.old);
      case 'delete':
        return handlers.delete?.(change.object, { missed: change.missed });
    }
    return undefined;
  }

  #take(): Change<Stored<T>> | undefined {
    const change = this.#shared?.changes[this.#taken];
    this.#taken += 1;
    this.left -= 1;
    if (this.#taken === this.#shared?.changes.length) {
      this.#shared = this.#shared.next;
      this.#taken = 0;
    }
    return change;
  }
}

/** One call for each object of a snapshot: an initial `add`, or an `update` of a resync. */
export class ObjectCalls<T> implements Calls<T> {
  readonly since: number;
  left: number;
  object: Stored<T> | undefined;
  readonly #as: 'add' | 'update';
  readonly #objects: (Stored<T> | undefined)[];
  #taken = 0;

  /** Takes ownership of `objects`, of whose elements `length` are not `undefined`. */
  constructor(as: 'add' | 'update', objects: (Stored<T> | undefined)[], length: number, since: number) {
    this.#as = as;
    this.#objects = objects;
    this.left = length;
    this.since = since;
  }

  call(handlers: InformerHandlers<T>): unknown {
    const object = this.#take();
    this.object = object;
    if (object === undefined) return undefined;
    return this.#as === 'add'
      ? handlers.add?.(object, { isInitial: true })
      : handlers.update?.(object, object);
  }

  #take(): Stored<T> | undefined {
    this.left -= 1;
    while (this.#taken < this.#objects.length) {
      const object = this.#objects[this.#taken];
      this.#objects[this.#taken] = undefined;
      this.#taken += 1;
      if (object !== undefined) return object;
    }
    return undefined;
  }
}
