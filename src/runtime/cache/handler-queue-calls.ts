import type { Stored } from '../types.ts';
import type { InformerHandlers } from './informer.ts';
import type { Change } from './store.ts';

/** Calls that one registration has yet to take, all queued at the same moment. */
export interface Calls<T> {
  /** When they were queued. */
  readonly since: number;
  /** How many there are, of those that have not been made. */
  readonly left: number;
  /** What the last one was made with. */
  readonly object: Stored<T> | undefined;
  /** Makes the next one. Gives and throws what the handler gives and throws. */
  call(handlers: InformerHandlers<T>): unknown;
}

/** Changes that all registrations share. Each goes through them by itself; what all have passed is forgotten. */
export interface SharedChanges<O> {
  readonly changes: readonly Change<O>[];
  readonly next: SharedChanges<O> | undefined;
}

/** So many changes are kept for as long as somebody has yet to take one of them. */
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
        return handlers.add?.(change.object, { initial: this.#initial });
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

/** One call for each of the objects that were there at one moment: an initial `add`, or an `update` as in a resync. */
export class ObjectCalls<T> implements Calls<T> {
  readonly since: number;
  left: number;
  object: Stored<T> | undefined;
  readonly #as: 'add' | 'update';
  readonly #objects: (Stored<T> | undefined)[];
  #taken = 0;

  /** `objects` are its own from now on, and `length` of its places have one. */
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
    return this.#as === 'add' ? handlers.add?.(object, { initial: true }) : handlers.update?.(object, object);
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
