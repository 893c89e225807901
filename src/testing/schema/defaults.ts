import { fromEntries, isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/**
 * Returns the value with the schema's defaults. A null that the schema does not allow counts as absent: it is
 * replaced by the default, or removed if there is none (in lists it stays, so that validation rejects it).
 */
export function applyDefaults(value: Json, schema: Schema, nulls: StrayNulls = 'removed'): Json {
  if (isObject(value)) return defaultObject(value, schema, nulls);
  const { items } = schema;
  if (!isArray(value) || items === undefined) return value;
  return value.map((item) =>
    applyDefaults(isStrayNull(item, items) ? (items.default ?? item) : item, items, nulls),
  );
}

/** Whether a null without a default is removed, or stays, so that validation rejects it. */
export type StrayNulls = 'removed' | 'kept';

function isStrayNull(value: Json, schema: Schema): boolean {
  return value === null && !schema.nullable;
}

function defaultObject(value: JsonObject, schema: Schema, nulls: StrayNulls): JsonObject {
  const present = Object.entries(value).flatMap(([key, item]) => defaultEntry(key, item, schema, nulls));
  const names = new Set(present.map(([key]) => key));
  const missing = [...schema.properties].flatMap(([key, property]): [string, Json][] =>
    names.has(key) || property.default === undefined
      ? []
      : [[key, applyDefaults(property.default, property, nulls)]],
  );
  return fromEntries([...present, ...missing]);
}

function defaultEntry(key: string, item: Json, schema: Schema, nulls: StrayNulls): [string, Json][] {
  const property = schema.properties.get(key) ?? valueSchema(schema);
  if (property === undefined) return [[key, item]];
  if (!isStrayNull(item, property)) return [[key, applyDefaults(item, property, nulls)]];
  if (property.default !== undefined) return [[key, applyDefaults(property.default, property, nulls)]];
  return nulls === 'kept' ? [[key, item]] : [];
}
