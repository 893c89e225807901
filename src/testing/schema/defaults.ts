import { fromEntries, isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/**
 * Returns the value with the schema's defaults. A null that the schema does not allow counts as absent: it is
 * replaced by the default, or removed if there is none (in lists it stays, so that validation rejects it).
 */
export function applyDefaults(value: Json, schema: Schema): Json {
  if (isObject(value)) return defaultObject(value, schema);
  const { items } = schema;
  if (!isArray(value) || items === undefined) return value;
  return value.map((item) => applyDefaults(isStrayNull(item, items) ? (items.default ?? item) : item, items));
}

function isStrayNull(value: Json, schema: Schema): boolean {
  return value === null && !schema.nullable;
}

function defaultObject(value: JsonObject, schema: Schema): JsonObject {
  const present = Object.entries(value).flatMap(([key, item]) => defaultEntry(key, item, schema));
  const names = new Set(present.map(([key]) => key));
  const missing = [...schema.properties].flatMap(([key, property]): [string, Json][] =>
    names.has(key) || property.default === undefined
      ? []
      : [[key, applyDefaults(property.default, property)]],
  );
  return fromEntries([...present, ...missing]);
}

function defaultEntry(key: string, item: Json, schema: Schema): [string, Json][] {
  const property = schema.properties.get(key) ?? valueSchema(schema);
  if (property === undefined) return [[key, item]];
  if (!isStrayNull(item, property)) return [[key, applyDefaults(item, property)]];
  return property.default === undefined ? [] : [[key, applyDefaults(property.default, property)]];
}
