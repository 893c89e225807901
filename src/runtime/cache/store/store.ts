/**
 * Store of an informer: a writer for each followed source, and one shared reader. A whole new state is built
 * separately and replaces the present one at once, so that readers never see an incomplete state.
 */
import type { StoredObject } from '../../api/types.ts';
import { type Clock, systemEnvironment } from '../../common/clock.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import { type IndexFunction, type InformerIndex, NamedIndex, type StoreIndex } from './indexer.ts';
import { byNamespace } from './indices.ts';
import { Part } from './store-part.ts';
import type { State } from './store-state.ts';

/** Change of a store. For each uid: one `add`, any number of `update`s, one `delete`. */
export type Change<O> =
  | { readonly type: 'add'; readonly object: O }
  /** `old` is the previously stored state. */
  | { readonly type: 'update'; readonly object: O; readonly old: O }
  /** `object` is the last state; if the deletion was not reported (`missed`), it is the stored one. */
  | { readonly type: 'delete'; readonly object: O; readonly missed: boolean };

/** Reads the store. Cluster-scoped objects are in the namespace `''`. */
export interface StoreReader<O> {
  readonly size: number;
  get(namespace: string, name: string): O | undefined;
  /** Returns all objects, or those of one namespace: a new array, in no particular order. */
  values(namespace?: string): O[];
  /** Returns the number of all objects, or of those in one namespace. */
  count(namespace?: string): number;
  /** Returns the namespaces that contain objects. */
  namespaces(): string[];
  /** Returns all objects in a new array. It is fast because it copies memory, including the empty slots. */
  snapshot(): (O | undefined)[];
}

/**
 * Whole state under construction. For each name the newest version applies, regardless of the number and
 * order of its events, or the last one if the versions have no order. Invalid after `finish`, or after the
 * start of another rebuild.
 */
export interface Rebuild<O> {
  put(object: O): void;
  /**
   * Removes the object, as of the version of its deletion. `last` is the state with which the deletion is
   * delivered. Default: the stored state.
   */
  remove(object: O, last?: O): void;
  /** Keeps the stored state of an object that could not be decoded, unless `put` is called for its name. */
  keep(namespace: string, name: string): void;
  /**
   * Replaces the present state. Yields after each step of about a hundred objects. The last step replaces
   * everything at once, regardless of the number of objects, and returns the differences, deletions first. If
   * the caller stops before, nothing is changed. No events may be applied to the part meanwhile; own writes
   * may be recorded. `version` is that of the new state. Default: unknown, and own writes are discarded.
   * `omits` is called once for each update: whether it is missing in the differences. Default: none is.
   */
  finish(
    version?: string,
    omits?: (change: Change<O>) => boolean,
  ): Generator<undefined, readonly Change<O>[], undefined>;
}

/** Object that the server has removed. */
export interface OwnDeletion {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string | undefined;
  /** Last known version of the object, or that of its deletion. */
  readonly resourceVersion?: string | undefined;
}

/** Writer for one followed source: all namespaces, or one. Returned changes have been applied already. */
export interface StorePart<O> {
  /** Last version of the part: empty if it is unknown, `undefined` before the first whole state. */
  readonly version: string | undefined;
  /** Number of own writes that the source has not confirmed. */
  readonly unconfirmedWrites: number;
  /** Applies one event that is not hidden. Returns the resulting changes, possibly none. */
  apply(event: ObjectEvent<O>): readonly Change<O>[];
  /** Begins a whole new state of this part, separate from the present one. */
  rebuild(): Rebuild<O>;
  /**
   * Returns whether an event is older than an own write of the same object, and so must not be applied. Must
   * be called for each event, in order, since any other event confirms the write.
   */
  hides(event: ObjectEvent<O>): boolean;
  /**
   * Records that all events up to `version` have been received, the last `events` of them since the previous
   * call. Objects of own writes of which no event was received are removed: the source does not select them.
   */
  progress(version: string, events: number): readonly Change<O>[];
  /** Returns whether `write` would add something new: the result of the write has not been received yet. */
  awaits(object: O): boolean;
  /**
   * Stores the object that an own write has returned, and for which `awaits` is true, until the source sends
   * it or something newer. Before the first whole state the object is joined to that state.
   */
  write(object: O): readonly Change<O>[];
  /** Removes an object that an own write has removed, unless a newer one is stored. */
  delete(deletion: OwnDeletion): readonly Change<O>[];
  /** Discards own writes, and the version: the next state may be an older one. */
  forgetWrites(): void;
}

/** Reader for listers, with access to indices. */
export interface IndexedReader<O> {
  readonly reader: StoreReader<O>;
  /** Returns the index over exactly this function, if it exists. */
  indexOver(valuesOf: IndexFunction<O>): StoreIndex<O> | undefined;
}

export interface Store<O> extends IndexedReader<O> {
  /**
   * Adds the writer of one followed source. With a namespace it owns that namespace; without one it owns all
   * namespaces, and must be the only writer.
   */
  part(namespace?: string): StorePart<O>;
  /**
   * Returns the index of that name, and creates it if necessary; at any time. An object for which the
   * function fails is reported, and is missing in this index only.
   * @throws {Error} if the name is used for another function
   */
  addIndex(name: string, valuesOf: IndexFunction<O>): InformerIndex<O>;
}

/**
 * Creates an empty store. `report` is called for objects for which an index function fails, and for objects
 * of another namespace than that of their part; it must not throw.
 */
export function createStore<O extends StoredObject>(
  report: (error: unknown) => void,
  clock: Pick<Clock, 'now'> = systemEnvironment.clock,
): Store<O> {
  return new MemoryStore<O>(report, clock);
}

class MemoryStore<O extends StoredObject> implements Store<O>, StoreReader<O> {
  readonly reader: StoreReader<O> = this;
  readonly #report: (error: unknown) => void;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #parts: Part<O>[] = [];
  /** Parts with one namespace, by namespace. */
  readonly #homes = new Map<string, Part<O>>();
  #whole: Part<O> | undefined;
  readonly #indices: NamedIndex<O>[] = [];
  readonly #named = new Map<
    string,
    { readonly valuesOf: IndexFunction<O>; readonly index: InformerIndex<O> }
  >();
  readonly #byFunction = new Map<IndexFunction<O>, StoreIndex<O>>();

  constructor(report: (error: unknown) => void, clock: Pick<Clock, 'now'>) {
    this.#report = report;
    this.#clock = clock;
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
    const part = new Part<O>(namespace, this.#indices, this.#report, () => this.#clock.now());
    this.#parts.push(part);
    if (namespace === undefined) this.#whole = part;
    else this.#homes.set(namespace, part);
    return part;
  }

  addIndex(name: string, valuesOf: IndexFunction<O>): InformerIndex<O> {
    if (typeof valuesOf !== 'function')
      throw new TypeError(`index ${JSON.stringify(name)}: the index function is not a function`);
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
