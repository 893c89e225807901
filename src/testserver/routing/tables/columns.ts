import type { Json, JsonObject } from '@kgen/schema/values/json';

/** A column of a table, as in `columnDefinitions`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** Columns of a kind, and the cells of an object. */
export interface Printer {
  readonly columns: readonly Column[];
  /** Returns one cell for each column. `now` is in milliseconds since the epoch. */
  readonly cells: (value: JsonObject, now: number) => readonly Json[];
  /** Returns the conditions of a row: whether the object is completed. */
  readonly conditions?: (value: JsonObject) => readonly JsonObject[];
}

/**
 * Parses columns: names separated by commas, with `:type` if it is not `string`, and a leading `+` for
 * columns that are printed only with `-o wide`. Descriptions are empty.
 */
export function parseColumns(text: string): readonly Column[] {
  return text.split(',').map((part) => {
    const wide = part.startsWith('+');
    const [name = '', type = 'string'] = (wide ? part.slice(1) : part).split(':');
    return { name, type, format: name === 'Name' ? 'name' : '', description: '', priority: wide ? 1 : 0 };
  });
}
