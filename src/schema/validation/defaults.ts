import {
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  unlessSame,
  unlessSameItems,
} from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/** Whether a null without a default is removed, or stays, so that validation rejects it. */
export type StrayNulls = 'removed' | 'kept';

/**
 * Objects with all defaults, with their latest schema: values never change, and most parts of an object stay
 * the same in a write.
 */
const complete = {
  removed: new WeakMap<JsonObject, Schema>(),
  kept: new WeakMap<JsonObject, Schema>(),
} as const satisfies Record<StrayNulls, unknown>;

/**
 * Returns the value with the schema's defaults, and the value itself if it has them. A null that the schema
 * does not allow counts as absent: it is replaced by the default, or removed if there is none (in lists it
 * stays, so that validation rejects it).
 */
export function applyDefaults(value: Json, schema: Schema, nulls: StrayNulls = 'removed'): Json {
  if (isObject(value)) return defaultObject(value, schema, nulls);
  const { items } = schema;
  if (!isArray(value) || items === undefined) return value;
  const defaulted = value.map((item) =>
    applyDefaults(isStrayNull(item, items) ? (items.default ?? item) : item, items, nulls),
  );
  return unlessSameItems(value, defaulted);
}

function isStrayNull(value: Json, schema: Schema): boolean {
  return value === null && !schema.nullable;
}

function defaultObject(value: JsonObject, schema: Schema, nulls: StrayNulls): JsonObject {
  if (complete[nulls].get(value) === schema) return value;
  const present = mapped(value, (key, item) => defaultItem(key, item, schema, nulls));
  const missing = [...schema.properties].flatMap(([key, property]): [string, Json][] =>
    property.default === undefined || Object.hasOwn(present, key)
      ? []
      : [[key, applyDefaults(property.default, property, nulls)]],
  );
  const result =
    missing.length === 0 ? unlessSame(value, present) : fromEntries([...Object.entries(present), ...missing]);
  complete[nulls].set(result, schema);
  return result;
}

function defaultItem(key: string, item: Json, schema: Schema, nulls: StrayNulls): Json | undefined {
  const property = schema.properties.get(key) ?? valueSchema(schema);
  if (property === undefined) return item;
  if (!isStrayNull(item, property)) return applyDefaults(item, property, nulls);
  if (property.default !== undefined) return applyDefaults(property.default, property, nulls);
  return nulls === 'kept' ? item : undefined;
}
