/** Validation of whole custom resources, without their metadata. */
import type { FieldError } from '@kgen/runtime/objects';
import { equal, fromEntries, isArray, isObject, type Json, type JsonObject, own } from '../values/json.ts';
import { validateEmbedded } from './embedded.ts';
import { type Schema, valueSchema } from './structural.ts';
import { validateSchema } from './validate.ts';

/**
 * Returns the errors of a custom resource with its defaults, except for those of rules.
 * @param old the replaced object: unchanged values are not validated again
 */
export function validateStructure(
  value: JsonObject,
  old: JsonObject | undefined,
  schema: Schema,
): readonly FieldError[] {
  return [
    ...validateSchema(value, schema, old),
    ...validateEmbedded(value, schema),
    ...newListErrors(value, old, schema),
  ];
}

/** Returns the errors of lists, unless a list of the replaced object has one. */
export function newListErrors(value: Json, old: Json | undefined, schema: Schema): readonly FieldError[] {
  const errors = validateLists(value, schema);
  const isKnown = old !== undefined && errors.length > 0 && validateLists(old, schema).length > 0;
  return isKnown ? [] : errors;
}

/** Objects whose lists are valid, with their latest schema: values never change. */
const valid = new WeakMap<JsonObject, Schema>();

/** Returns the errors of lists of type set with equal elements, and of type map with equal keys. */
export function validateLists(value: Json, schema: Schema, path = ''): readonly FieldError[] {
  if (isArray(value)) return listErrors(value, schema, path);
  if (!isObject(value) || valid.get(value) === schema) return [];
  const errors = Object.entries(value).flatMap(([key, item]) => {
    const property = schema.properties.get(key);
    if (property !== undefined) return validateLists(item, property, path === '' ? key : `${path}.${key}`);
    const values = valueSchema(schema);
    return values === undefined ? [] : validateLists(item, values, `${path}[${key}]`);
  });
  if (errors.length === 0) valid.set(value, schema);
  return errors;
}

function listErrors(value: readonly Json[], schema: Schema, path: string): readonly FieldError[] {
  const { items } = schema;
  return [
    ...(schema.listType === 'set' ? duplicates(value, path) : []),
    ...(schema.listType === 'map' ? mapErrors(value, schema, path) : []),
    ...(items === undefined ? [] : value.flatMap((item, i) => validateLists(item, items, `${path}[${i}]`))),
  ];
}

function mapErrors(value: readonly Json[], schema: Schema, path: string): readonly FieldError[] {
  const stray = value.findIndex((item) => item !== null && !isObject(item));
  if (stray < 0)
    return duplicates(
      value.map((item) => keyOf(item, schema)),
      path,
    );
  const detail = 'must be an object for an array of list-type map';
  return [{ reason: 'FieldValueInvalid', field: `${path}[${stray}]`, value: value[stray] ?? null, detail }];
}

function keyOf(item: Json, schema: Schema): Json {
  return fromEntries(
    schema.listMapKeys.flatMap((name): [string, Json][] => {
      const key = own(item, name);
      return key === undefined ? [] : [[name, key]];
    }),
  );
}

/** Reports the second of each group of equal keys. */
function duplicates(keys: readonly Json[], path: string): readonly FieldError[] {
  return keys.flatMap((key, index) => {
    const before = keys.slice(0, index).filter((other) => equal(other, key)).length;
    return before === 1
      ? [{ reason: 'FieldValueDuplicate' as const, field: `${path}[${index}]`, value: key }]
      : [];
  });
}
