/** The check of an applied configuration against the types of its schema, in the words of the API server. */

import type { Schema } from '@kgen/schema/validation/structural';
import { goPrint, goType } from '@kgen/schema/values/go-print';
import { isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import { printPath } from './fieldset.ts';
import { fieldSchema, ownershipSchema, partsOf, shapeOf } from './shape.ts';

/** Returns the error of a configuration, or `undefined` if it has the types of the schema. */
export function typedProblem(config: JsonObject, schema: Schema | undefined): string | undefined {
  const { apiVersion: _, kind: __, ...rest } = config;
  const errors = problems(rest, ownershipSchema(schema), '');
  return errors.length < 2 ? errors[0] : `errors:\n  ${errors.join('\n  ')}`;
}

function problems(value: Json, schema: Schema | undefined, path: string): readonly string[] {
  if (schema === undefined || value === null || schema.intOrString || schema.format === 'int-or-string')
    return [];
  const printed = (): string => `&{${goPrint(value)}}`;
  switch (schema.type) {
    case 'object':
      return isObject(value) ? members(value, schema, path) : [`${path}: expected map, got ${printed()}`];
    case 'array':
      return isArray(value) ? elements(value, schema, path) : [`${path}: expected list, got ${printed()}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: expected boolean, got ${printed()}`];
    case 'string':
      if (typeof value === 'string') return [];
      return [`${path}: expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'integer':
    case 'number':
      if (typeof value === 'number' || typeof value === 'bigint') return [];
      return [`${path}: expected numeric (int or float), got ${goType(value)}`];
    default:
      return [];
  }
}

/** In the order of the keys; nothing follows an unknown field. */
function members(value: JsonObject, schema: Schema, path: string): readonly string[] {
  const errors: string[] = [];
  const isOpen = schema.preserveUnknown || (schema.properties.size === 0 && !isMap(schema));
  for (const key of Object.keys(value).sort()) {
    const below = `${path}.${key}`;
    const known = fieldSchema(schema, key);
    if (known === undefined && !isOpen && schema.additionalProperties !== true)
      return [...errors, `${below}: field not declared in schema`];
    for (const error of problems(value[key] ?? null, known, below)) errors.push(error);
  }
  return errors;
}

function isMap({ additionalProperties }: Schema): boolean {
  return additionalProperties !== undefined && additionalProperties !== false;
}

/** Nothing follows an element without a key. */
function elements(value: readonly Json[], schema: Schema, path: string): readonly string[] {
  const shape = shapeOf(value, schema);
  if (shape !== 'set' && shape !== 'keyed')
    return value.flatMap((item, index) => problems(item, schema.items, `${path}[${index}]`));
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const problem = shape === 'set' ? memberProblem(item) : keyProblem(item, schema);
    if (problem !== undefined) return [...errors, `${path}: element ${index}: ${problem}`];
    const step = printPath(partsOf([item], schema).map((part) => part.step));
    if (seen.has(step)) errors.push(`${path}: duplicate entries for key ${step}`);
    seen.add(step);
    for (const error of problems(item, schema.items, path + step)) errors.push(error);
  }
  return errors;
}

function memberProblem(item: Json): string | undefined {
  if (isArray(item)) return 'not supported: associative list with lists as elements';
  const what = isObject(item) ? 'a map type' : item === null ? 'an explicit null' : undefined;
  return what === undefined ? undefined : `associative list without keys has an element that's ${what}`;
}

function keyProblem(item: Json, { items, listMapKeys }: Schema): string | undefined {
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const isKeyed = listMapKeys.some(
    (key) => own(item, key) !== undefined || items?.properties.get(key)?.default !== undefined,
  );
  if (isKeyed) return undefined;
  const keys = listMapKeys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`;
}

/** Returns a value as Go prints it with `%#v`. */
function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return writeJson(value);
  const entries = Object.keys(value).sort();
  const printed = entries.map((key) => `${JSON.stringify(key)}:${goSyntax(value[key] ?? null)}`);
  return `map[string]interface {}{${printed.join(', ')}}`;
}
