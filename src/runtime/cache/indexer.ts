import type { Change } from './store.ts';

/** The values under which an object is found in an index: none, one or several. */
export type IndexFunction<O> = (object: O) => readonly string[];

/** The objects of an informer by a value that is computed from each. Always in step with the lister. */
export interface Index<O> {
  /** The objects under `value`, in no particular order. */
  get(value: string): readonly O[];
  /** All values that there are objects for. */
  values(): string[];
}

/** Named indices over one store. */
export class Indexer<O> {
  readonly #indices = new Map<string, NamedIndex<O>>();
  readonly #report: (error: unknown) => void;

  /** `report` is told when an index function fails for an object that comes in: no index then has that object. */
  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /**
   * Gives the index of that name, or makes it over `existing` objects.
   * @throws {Error} when the name is taken by another function; whatever the function throws for an existing object
   */
  add(name: string, valuesOf: IndexFunction<O>, existing: Iterable<O>): Index<O> {
    const known = this.#indices.get(name);
    if (known !== undefined) {
      if (known.valuesOf === valuesOf) return known;
      throw new Error(`index ${JSON.stringify(name)} exists with another function: choose another name`);
    }
    const index = new NamedIndex(valuesOf);
    for (const object of existing) index.insert(object);
    this.#indices.set(name, index);
    return index;
  }

  /** The index over exactly this function, if there is one. */
  find(valuesOf: IndexFunction<O>): Index<O> | undefined {
    for (const index of this.#indices.values()) if (index.valuesOf === valuesOf) return index;
    return undefined;
  }

  apply(change: Change<O>): void {
    for (const index of this.#indices.values()) {
      if (change.type !== 'add') index.remove(change.old);
      if (change.type !== 'delete') this.#insert(index, change.object);
    }
  }

  #insert(index: NamedIndex<O>, object: O): void {
    try {
      index.insert(object);
    } catch (error) {
      this.#report(error);
    }
  }
}

class NamedIndex<O> implements Index<O> {
  readonly valuesOf: IndexFunction<O>;
  readonly #objects = new Map<string, Set<O>>();
  /** What each object was filed under: the function may give something else later. */
  readonly #filed = new Map<O, readonly string[]>();

  constructor(valuesOf: IndexFunction<O>) {
    this.valuesOf = valuesOf;
  }

  get(value: string): readonly O[] {
    return [...(this.#objects.get(value) ?? [])];
  }

  values(): string[] {
    return [...this.#objects.keys()];
  }

  insert(object: O): void {
    const values = [...this.valuesOf(object)];
    if (values.length === 0) return;
    this.#filed.set(object, values);
    for (const value of values) {
      const objects = this.#objects.get(value);
      if (objects === undefined) this.#objects.set(value, new Set([object]));
      else objects.add(object);
    }
  }

  remove(object: O): void {
    for (const value of this.#filed.get(object) ?? []) {
      const objects = this.#objects.get(value);
      objects?.delete(object);
      if (objects?.size === 0) this.#objects.delete(value);
    }
    this.#filed.delete(object);
  }
}
