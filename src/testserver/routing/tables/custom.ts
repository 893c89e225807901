/** Columns of custom resources, from `additionalPrinterColumns`. */

import { parseJsonPath } from '@kgen/runtime/dynamic';
import { array, isArray, isObject, type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { nameOf } from '../../store/object-facts.ts';
import type { Column, Printer } from './columns.ts';
import { age } from './duration.ts';
import { ageOf } from './values.ts';

const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 };

/** Returns the columns of a version of a definition: its own, or the age if it has none. */
export function customPrinter(columns: readonly Json[]): Printer {
  if (columns.length === 0) {
    const description = '';
    return {
      columns: [nameColumn, { name: 'Age', type: 'date', format: '', description, priority: 0 }],
      cells: (value, now) => [nameOf(value), ageOf(value, now)],
    };
  }
  const parsed = columns.map((column) => ({
    column: columnOf(column),
    path: cellPath(text(column, 'jsonPath')),
  }));
  return {
    columns: [nameColumn, ...parsed.map(({ column }) => column)],
    cells: (value, now) => [
      nameOf(value),
      ...parsed.map(({ column, path }) => cell(column, path, value, now)),
    ],
  };
}

function columnOf(column: Json): Column {
  const priority = own(column, 'priority');
  const path = text(column, 'jsonPath');
  return {
    name: text(column, 'name'),
    type: text(column, 'type'),
    format: text(column, 'format'),
    description:
      text(column, 'description') || `Custom resource definition column (in JSONPath format): ${path}`,
    priority: typeof priority === 'number' ? priority : 0,
  };
}

/** Selects the value of a cell below an object; none if the path or its evaluation fails. */
export type CellPath = (value: JsonObject) => Json | undefined;

/** Returns the path of a column, which is an expression of kubectl without its braces. */
export function cellPath(text: string): CellPath {
  try {
    const path = parseJsonPath(`{${text}}`);
    return (value) => firstOf(() => path.getValues(value));
  } catch {
    return () => undefined;
  }
}

function firstOf(values: () => readonly unknown[]): Json | undefined {
  try {
    // seam: a part of a JSON value
    return values()[0] as Json | undefined;
  } catch {
    return undefined;
  }
}

function cell({ type }: Column, path: CellPath, value: JsonObject, now: number): Json {
  const found = path(value);
  if (found === undefined) return null;
  return type === 'string' ? printValue(found) : typedCell(type, found, now);
}

function printValue(value: Json): string {
  if (value === null) return '<no value>';
  return isObject(value) || isArray(value) ? writeJson(value) : String(value);
}

/** Returns the value if it has the type of the column, otherwise null. */
function typedCell(type: string, value: Json, now: number): Json {
  switch (type) {
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      if (typeof value !== 'string') return null;
      return isTimestamp(value) ? age(value, now) : '<invalid>';
    default:
      return null;
  }
}

/** Returns whether a string is an RFC 3339 timestamp. */
function isTimestamp(value: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** Returns `additionalPrinterColumns` of a version of a definition. */
export function columnsOfVersion(definition: JsonObject, version: string): readonly Json[] {
  const found = array(definition, 'spec', 'versions').find((item) => text(item, 'name') === version);
  return array(found, 'additionalPrinterColumns');
}
