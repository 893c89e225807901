/** Comparison of values with those that they replace, which decides what an update validates again. */
import { equal, isArray, isObject, type Json, own } from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/**
 * Returns whether API servers take a value as unchanged. Fields without a schema, such as those of embedded
 * resources, have no counterpart in the old value, and neither have items of a list map without keys.
 */
export function isUnchanged(value: Json, old: Json | undefined, schema: Schema): boolean {
  if (isArray(value) && schema.listType === 'map') {
    if (!isArray(old) || value.length !== old.length) return false;
    const { items } = schema;
    return value.every((item) => {
      const before = counterpart(item, schema, old);
      return before !== undefined && items !== undefined && isUnchanged(item, before, items);
    });
  }
  if (!isObject(value)) return equal(value, old);
  const keys = Object.keys(value);
  if (!isObject(old) || keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const child = fieldSchema(schema, key);
    const [item, before] = [own(value, key), own(old, key)];
    return child !== undefined && item !== undefined && isUnchanged(item, before, child);
  });
}

/** Returns the schema of a field, or that of all values. */
export function fieldSchema(schema: Schema, key: string): Schema | undefined {
  return schema.properties.get(key) ?? valueSchema(schema);
}

/** Returns the element of the old list that `item` replaces: only lists with map keys have one. */
export function counterpart(item: Json, schema: Schema, old: Json | undefined): Json | undefined {
  if (!isArray(old) || schema.listType !== 'map') return undefined;
  const keys = schema.listMapKeys.map((key) => own(item, key));
  if (keys.some((key) => key === undefined || key === null || typeof key === 'object')) return undefined;
  return old.find((other) => schema.listMapKeys.every((key, index) => equal(own(other, key), keys[index])));
}
