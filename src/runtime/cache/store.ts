/**
 * What an informer knows: a writer half for each followed source, and one reader half that everybody may have. A whole
 * new state is built beside the present one and takes its place at once: no reader ever sees half of it.
 */
import type { StoredObject } from '../types.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import { type Index, type IndexFunction, NamedIndex, type StoreIndex } from './indexer.ts';
import { byNamespace } from './indices.ts';
import { Part } from './store-part.ts';
import type { State } from './store-state.ts';

/** One step in the history of a store. Per uid: one `add`, any number of `update`s, one `delete`. */
export type Change<O> =
  | { readonly type: 'add'; readonly object: O }
  /** `old` is what the store had. */
  | { readonly type: 'update'; readonly object: O; readonly old: O }
  /** `object` is the last state; where nobody told when it went (`missed`), the one that the store had. */
  | { readonly type: 'delete'; readonly object: O; readonly missed: boolean };

/** Reads the copy. Cluster-scoped objects are in the namespace `''`. */
export interface StoreReader<O> {
  readonly size: number;
  get(namespace: string, name: string): O | undefined;
  /** All objects, or those of one namespace: a new array, in no particular order. */
  values(namespace?: string): O[];
  /** How many objects there are in all, or in one namespace. */
  count(namespace?: string): number;
  /** The namespaces that there are objects in. */
  namespaces(): string[];
  /**
   * All objects, in a new array. Made by copying memory, so quickly: places that no object is in are in it as well.
   */
  snapshot(): (O | undefined)[];
}

/**
 * A whole state in the making. Of what is said of one name the newest version counts, however often and in which order it
 * is said; of versions that have no order, the last. Of no use after `finish`, or once another is begun.
 */
export interface Rebuild<O> {
  put(object: O): void;
  /**
   * The object, of the version that tells so, is gone. `last` is what its deletion is delivered with; without it that is
   * what the store had.
   */
  remove(object: O, last?: O): void;
  /** Something is there that could not be read: what the store has under the name stays, unless something is put there. */
  keep(namespace: string, name: string): void;
  /**
   * Takes the place of the present state. Yields after each bit of work, of about a hundred objects; the last step
   * swaps everything at once, whatever the number of objects, and gives what is different, deletions first. A caller
   * that stops before that has changed nothing. Nothing may be applied to the part meanwhile.
   */
  finish(): Generator<undefined, readonly Change<O>[], undefined>;
}

/** What one followed source writes to: all namespaces, or one. The changes that it gives have happened already. */
export interface StorePart<O> {
  /** Takes in one event; gives what it changed, which may be nothing. */
  apply(event: ObjectEvent<O>): readonly Change<O>[];
  /** Begins a whole new state of this part, beside the present one. */
  rebuild(): Rebuild<O>;
}

/** What listers read from. */
export interface IndexedReader<O> {
  readonly reader: StoreReader<O>;
  /** The index over exactly this function, if there is one. */
  indexOver(valuesOf: IndexFunction<O>): StoreIndex<O> | undefined;
}

export interface Store<O> extends IndexedReader<O> {
  /**
   * Adds the writer of one followed source. One with a namespace has that one alone; one without has all of them, and
   * is then the only one.
   */
  part(namespace?: string): StorePart<O>;
  /**
   * Gives the index of that name, or makes it, at any time. An object that the function fails for is reported, and is
   * missing in this index alone.
   * @throws {Error} when the name is taken by another function
   */
  addIndex(name: string, valuesOf: IndexFunction<O>): Index<O>;
}

/**
 * Makes an empty store. `report` is told of objects that an index function fails for, and of those that a part is given
 * though they are in another namespace; it must not throw.
 */
export function createStore<O extends StoredObject>(report: (error: unknown) => void): Store<O> {
  return new MemoryStore<O>(report);
}

class MemoryStore<O extends StoredObject> implements Store<O>, StoreReader<O> {
  readonly reader: StoreReader<O> = this;
  readonly #report: (error: unknown) => void;
  readonly #parts: Part<O>[] = [];
  /** The parts that have one namespace, by that. */
  readonly #homes = new Map<string, Part<O>>();
  #whole: Part<O> | undefined;
  readonly #indices: NamedIndex<O>[] = [];
  readonly #named = new Map<string, { readonly valuesOf: IndexFunction<O>; readonly index: Index<O> }>();
  readonly #byFunction = new Map<IndexFunction<O>, StoreIndex<O>>();

  constructor(report: (error: unknown) => void) {
    this.#report = report;
    this.#byFunction.set(byNamespace, {
      get: (value) => this.values(value),
      count: (value) => this.count(value),
      values: () => this.namespaces(),
    });
  }

  get size(): number {
    return this.count();
  }

  get(namespace: string, name: string): O | undefined {
    return this.#stateOf(namespace)?.get(namespace, name);
  }

  values(namespace?: string): O[] {
    const objects: O[] = [];
    if (namespace !== undefined) this.#stateOf(namespace)?.collect(namespace, objects);
    else for (const { state } of this.#parts) state.collect(undefined, objects);
    return objects;
  }

  count(namespace?: string): number {
    if (namespace !== undefined) return this.#stateOf(namespace)?.count(namespace) ?? 0;
    return this.#parts.reduce((count, { state }) => count + state.count(), 0);
  }

  namespaces(): string[] {
    return this.#parts.flatMap(({ state }) => state.namespaces());
  }

  snapshot(): (O | undefined)[] {
    const [first, ...others] = this.#parts.map(({ state }) => state.objects);
    const all = first?.slice() ?? [];
    for (const objects of others) for (const object of objects) all.push(object);
    return all;
  }

  part(namespace?: string): StorePart<O> {
    const part = new Part<O>(namespace, this.#indices, this.#report);
    this.#parts.push(part);
    if (namespace === undefined) this.#whole = part;
    else this.#homes.set(namespace, part);
    return part;
  }

  addIndex(name: string, valuesOf: IndexFunction<O>): Index<O> {
    if (typeof valuesOf !== 'function') throw new TypeError(`index ${JSON.stringify(name)} has no function`);
    const known = this.#named.get(name);
    if (known !== undefined) {
      if (known.valuesOf === valuesOf) return known.index;
      throw new Error(`index ${JSON.stringify(name)} exists with another function: choose another name`);
    }
    const index = this.#byFunction.get(valuesOf) ?? this.#build(name, valuesOf);
    this.#named.set(name, { valuesOf, index });
    this.#byFunction.set(valuesOf, index);
    return index;
  }

  indexOver(valuesOf: IndexFunction<O>): StoreIndex<O> | undefined {
    return this.#byFunction.get(valuesOf);
  }

  #stateOf(namespace: string): State<O> | undefined {
    return (this.#whole ?? this.#homes.get(namespace))?.state;
  }

  #build(name: string, valuesOf: IndexFunction<O>): StoreIndex<O> {
    const index = new NamedIndex(name, valuesOf, this.#indices.length, this.#parts, this.#report);
    this.#indices.push(index);
    for (const { state } of this.#parts) state.columns.push(index.columnOf(state.objects));
    return index;
  }
}
