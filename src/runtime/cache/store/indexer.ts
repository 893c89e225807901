import type { StoredObject } from '../../api/types.ts';
import { disown, messageOf } from '../../common/callbacks.ts';
import { keyOf } from '../key.ts';
import { IndexColumn } from './indexer-column.ts';
import type { State } from './store-state.ts';

/** Returns the values under which an index finds an object; an empty list excludes the object. */
export type IndexFunction<O> = (object: O) => readonly string[];

/** Index of an informer's objects by a computed value. Always consistent with the lister. */
export interface InformerIndex<O> {
  /** Returns the objects under `value`: a new array, in no particular order. */
  get(value: string): readonly O[];
  /** Returns all values under which the index has at least one object. */
  values(): string[];
}

/** Index with the methods that listers need. */
export interface StoreIndex<O> extends InformerIndex<O> {
  get(value: string): O[];
  /** Returns the number of objects that `get` would return. */
  count(value: string): number;
}

/** Index over all parts of a store. Each state of a part has its own column for the index. */
export class NamedIndex<O extends StoredObject> implements StoreIndex<O> {
  readonly #name: string;
  readonly #valuesOf: IndexFunction<O>;
  readonly #position: number;
  readonly #parts: readonly { readonly state: State<O> }[];
  readonly #report: (error: unknown) => void;

  /** `position` is that of its columns in each state. */
  constructor(
    name: string,
    valuesOf: IndexFunction<O>,
    position: number,
    parts: readonly { readonly state: State<O> }[],
    report: (error: unknown) => void,
  ) {
    this.#name = name;
    this.#valuesOf = valuesOf;
    this.#position = position;
    this.#parts = parts;
    this.#report = report;
  }

  get(value: string): O[] {
    const objects: O[] = [];
    for (const { state } of this.#parts) {
      state.columns[this.#position]?.collect(value, state.objects, objects);
    }
    return objects;
  }

  count(value: string): number {
    let count = 0;
    for (const { state } of this.#parts) count += state.columns[this.#position]?.count(value) ?? 0;
    return count;
  }

  values(): string[] {
    return [...new Set(this.#parts.flatMap(({ state }) => state.columns[this.#position]?.values() ?? []))];
  }

  /** Returns a column over the objects of a state, by their slots. */
  columnOf(objects: readonly (O | undefined)[]): IndexColumn {
    const column = new IndexColumn();
    for (const [slot, object] of objects.entries()) {
      if (object !== undefined) column.file(slot, this.valuesOf(object));
    }
    return column;
  }

  /**
   * Returns the values of an object. If the function fails, the error is reported and the result is empty.
   */
  valuesOf(object: O): readonly string[] {
    try {
      return checked(this.#valuesOf(object));
    } catch (error) {
      const place = `index ${JSON.stringify(this.#name)}: ${keyOf(object)} is not indexed`;
      this.#report(new Error(`${place}: ${messageOf(error)}`, { cause: error }));
      return [];
    }
  }
}

/** Index functions are user code, possibly without types. */
function checked(values: unknown): readonly string[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    disown(values);
    throw new TypeError('the function must return an array of strings');
  }
  return values;
}
