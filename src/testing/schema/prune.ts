import { fromEntries, isArray, isObject, type Json, type JsonObject } from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/** A value without what its schema does not know, and the paths of what was taken out, such as `spec.items[0].colour`. */
export interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

const META: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** Metadata with its known fields only, and the paths of the others, from `metadata` on. */
type CoerceMetadata = (metadata: Json) => {
  readonly metadata: JsonObject;
  readonly unknown: readonly string[];
};

/** What is carried along: where unknown fields are noted, and how the metadata of embedded resources is made plain. */
interface Pruning {
  readonly unknown: string[];
  readonly coerce: CoerceMetadata;
}

/** Prunes a whole resource; `apiVersion`, `kind` and `metadata` of the root always stay as they are. */
export function prune(value: JsonObject, schema: Schema, coerce: CoerceMetadata): Pruned {
  const pruning: Pruning = { unknown: [], coerce };
  const pruned = pruneValue(value, { ...schema, embeddedResource: true }, '', pruning);
  return { value: pruned, unknown: pruning.unknown.toSorted() };
}

function pruneValue(value: Json, schema: Schema | undefined, path: string, pruning: Pruning): Json {
  if (isArray(value)) {
    const items = schema?.preserveUnknown ? preserving(schema.items) : schema?.items;
    if (schema?.preserveUnknown && items === undefined) return value;
    return value.map((item, index) => pruneValue(item, items, `${path}[${index}]`, pruning));
  }
  return isObject(value) ? pruneObject(value, schema, path, pruning) : value;
}

/** Below a list that preserves unknown fields, the fields of its items are preserved too. */
function preserving(items: Schema | undefined): Schema | undefined {
  return items === undefined ? undefined : { ...items, preserveUnknown: true };
}

function pruneObject(
  value: JsonObject,
  schema: Schema | undefined,
  path: string,
  pruning: Pruning,
): JsonObject {
  return fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const child = path === '' ? key : `${path}.${key}`;
      if (schema?.embeddedResource && META.has(key)) return [[key, metaField(key, item, path, pruning)]];
      const property = schema?.properties.get(key);
      if (property !== undefined) return [[key, pruneValue(item, property, child, pruning)]];
      if (schema?.preserveUnknown && schema.additionalProperties === undefined) return [[key, item]];
      if (schema?.additionalProperties !== undefined && schema.additionalProperties !== false) {
        return [[key, pruneValue(item, valueSchema(schema), child, pruning)]];
      }
      pruning.unknown.push(child);
      return [];
    }),
  );
}

/** The root's metadata is somebody else's; that of an embedded resource keeps the fields of ObjectMeta. */
function metaField(key: string, item: Json, path: string, pruning: Pruning): Json {
  if (key !== 'metadata' || path === '' || !isObject(item)) return item;
  const { metadata, unknown } = pruning.coerce(item);
  for (const field of unknown) pruning.unknown.push(`${path}.${field}`);
  return metadata;
}
