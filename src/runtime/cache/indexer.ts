import { disown, messageOf } from '../callbacks.ts';
import type { StoredObject } from '../types.ts';
import { IndexColumn } from './indexer-column.ts';
import { keyOf } from './key.ts';
import type { State } from './store-state.ts';

/** The values under which an object is found in an index: none, one or several. */
export type IndexFunction<O> = (object: O) => readonly string[];

/** The objects of an informer by a value that is computed from each. Always in step with the lister. */
export interface Index<O> {
  /** The objects under `value`: a new array, in no particular order. */
  get(value: string): readonly O[];
  /** All values that there are objects for. */
  values(): string[];
}

/** An index as the lister has it. */
export interface StoreIndex<O> extends Index<O> {
  get(value: string): O[];
  /** How many objects `get` would give. */
  count(value: string): number;
}

/** An index over all parts of a store. Each state of a part has a column of its own for it. */
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

  /** A column over the objects of a state, by their slots. */
  columnOf(objects: readonly (O | undefined)[]): IndexColumn {
    const column = new IndexColumn();
    for (const [slot, object] of objects.entries()) {
      if (object !== undefined) column.file(slot, this.valuesOf(object));
    }
    return column;
  }

  /** What the object is to be filed under. Nothing where the function fails, which is reported. */
  valuesOf(object: O): readonly string[] {
    try {
      return checked(this.#valuesOf(object));
    } catch (error) {
      const place = `index ${JSON.stringify(this.#name)}: ${keyOf(object)} is left out`;
      this.#report(new Error(`${place}: ${messageOf(error)}`, { cause: error }));
      return [];
    }
  }
}

/** The function is the user's, and may be of JavaScript. */
function checked(values: unknown): readonly string[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    disown(values);
    throw new TypeError('the function must give an array of strings');
  }
  return values;
}
