/** Columns of `kubectl get`, whose paths and types follow from the schema. */
import type { JsonPath } from '@kgen/schema/rules/places';
import { fieldSteps } from '@kgen/schema/values/field-steps';
import { isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { quote } from '../../common/problems.ts';

type Fail = (what: string, below: JsonPath) => void;

/** Returns `additionalPrinterColumns`. */
export function columnsOf(given: Json | undefined, schema: JsonObject, fail: Fail): readonly JsonObject[] {
  if (!isArray(given)) return [];
  return given.flatMap((column, index): readonly JsonObject[] => {
    const path = own(column, 'path');
    const name = own(column, 'name');
    const others = ['description', 'format', 'priority'].flatMap((key): [string, Json][] => {
      const value = own(column, key);
      return value === undefined ? [] : [[key, value]];
    });
    const stated = own(column, 'type');
    const jsonPath = own(column, 'jsonPath');
    if (typeof name !== 'string') return [];
    if (typeof jsonPath === 'string' && stated !== undefined)
      return [{ ...Object.fromEntries(others), jsonPath, name, type: stated }];
    if (typeof path !== 'string') return [];
    const found = columnField(schema, path);
    if (found === undefined) {
      fail(`${quote(path)} is not a field: correct the path`, ['columns', index, 'path']);
      return [];
    }
    const type = typeof stated === 'string' ? stated : columnType(found.field);
    if (type === undefined) {
      fail(`${quote(path)} is not a scalar: add a type, or another path`, ['columns', index, 'path']);
      return [];
    }
    return [{ ...Object.fromEntries(others), jsonPath: found.jsonPath, name, type }];
  });
}

/** Returns the schema of a field outside of lists: `spec.replicas`. */
export function fieldAt(schema: JsonObject, path: string): JsonObject | undefined {
  let at: Json | undefined = schema;
  for (const name of path.split('.'))
    at = own(own(at, 'properties'), name) ?? own(at, 'additionalProperties');
  return isObject(at) ? at : undefined;
}

interface ColumnField {
  readonly field: JsonObject;
  readonly jsonPath: string;
}

const created: ColumnField = {
  field: { type: 'string', format: 'date-time' },
  jsonPath: '.metadata.creationTimestamp',
};

/** Reads `status.conditions[Ready].status`, with the key of the list map in the JSONPath. */
function columnField(schema: JsonObject, path: string): ColumnField | undefined {
  if (path === 'metadata.creationTimestamp') return created;
  if (path.startsWith('metadata.')) return { field: { type: 'string' }, jsonPath: `.${path}` };
  let field = schema;
  let jsonPath = '';
  for (const { name, key } of fieldSteps(path)) {
    const next: Json | undefined =
      name === undefined
        ? own(field, 'items')
        : (own(own(field, 'properties'), name) ?? own(field, 'additionalProperties'));
    if (!isObject(next)) {
      const isFree = own(field, 'x-kubernetes-preserve-unknown-fields') === true;
      if (!isFree) return undefined;
      return { field: { type: 'string' }, jsonPath: `.${path}` };
    }
    jsonPath += name === undefined ? selector(field, key ?? '') : `.${name}`;
    field = next;
  }
  return { field, jsonPath };
}

function selector(list: JsonObject, index: string): string {
  if (/^(?:\d+|\*)$/.test(index)) return `[${index}]`;
  const keys = own(list, 'x-kubernetes-list-map-keys');
  const key = isArray(keys) && typeof keys[0] === 'string' ? keys[0] : 'type';
  return `[?(@.${key}=="${index.replace(/["\\]/g, '\\$&')}")]`;
}

function columnType(field: JsonObject): string | undefined {
  if (field['x-kubernetes-int-or-string'] === true) return 'string';
  const { type, format } = field;
  if (type === 'string') return format === 'date-time' ? 'date' : 'string';
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : undefined;
}
