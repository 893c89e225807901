import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  unlessSame,
  unlessSameItems,
} from '../values/json.ts';
import { type Schema, valueSchema } from './structural.ts';

/** A value without unknown fields, and the paths of the removed fields, such as `spec.items[0].colour`. */
export interface Pruned {
  readonly value: Json;
  readonly unknown: readonly string[];
}

const meta: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Returns metadata with its known fields, and the paths of the others, relative to the object.
 * @param field the field of the metadata: `spec.templates[web].metadata`
 */
export type CoerceMetadata = (
  metadata: JsonObject,
  field: string,
) => {
  readonly metadata: JsonObject;
  readonly unknown: readonly string[];
};

/** State of pruning: the unknown fields, and the conversion of metadata of embedded resources. */
interface Pruning {
  readonly unknown: string[];
  readonly coerce: CoerceMetadata;
}

/** Objects without unknown fields, with their latest schema: values never change. */
const known = new WeakMap<JsonObject, Schema>();

/** Schemas of whole resources, as those of embedded ones. */
const roots = new WeakMap<Schema, Schema>();

/**
 * Prunes a whole resource. `apiVersion`, `kind` and `metadata` of the root are unchanged. Parts without
 * unknown fields are returned as they are.
 */
export function prune(value: JsonObject, schema: Schema, coerce: CoerceMetadata): Pruned {
  const pruning: Pruning = { unknown: [], coerce };
  return { value: pruneValue(value, rootOf(schema), undefined, pruning), unknown: pruning.unknown };
}

function rootOf(schema: Schema): Schema {
  const root = roots.get(schema) ?? { ...schema, embeddedResource: true };
  roots.set(schema, root);
  return root;
}

/** Returns the paths of the unknown fields of a value that is not a whole resource. */
export function unknownIn(value: Json, schema: Schema, coerce: CoerceMetadata): readonly string[] {
  const pruning: Pruning = { unknown: [], coerce };
  pruneValue(value, schema, undefined, pruning);
  return pruning.unknown;
}

/** A step from the root to a part of a value. */
interface Step {
  readonly above: Step | undefined;
  readonly key: string | number;
  /** Whether the key is that of a map. */
  readonly isEntry?: boolean;
}

function pruneValue(value: Json, schema: Schema | undefined, step: Step | undefined, pruning: Pruning): Json {
  if (isArray(value)) {
    const items = schema?.preserveUnknown ? preserving(schema.items) : schema?.items;
    if (schema?.preserveUnknown && items === undefined) return value;
    const pruned = value.map((item, key) => pruneValue(item, items, { above: step, key }, pruning));
    return unlessSameItems(value, pruned);
  }
  return isObject(value) ? pruneObject(value, { schema, step, pruning }) : value;
}

/** In a list that preserves unknown fields, the fields of its items are preserved too. */
function preserving(items: Schema | undefined): Schema | undefined {
  return items === undefined ? undefined : { ...items, preserveUnknown: true };
}

function pruneObject(value: JsonObject, place: Place): JsonObject {
  const { schema } = place;
  if (schema !== undefined && known.get(value) === schema) return value;
  const pruned = mapped(value, (key, item) => prunedItem(key, item, place));
  const result = unlessSame(value, pruned);
  if (schema !== undefined) known.set(result, schema);
  return result;
}

/** The object of a field. */
interface Place {
  readonly schema: Schema | undefined;
  readonly step: Step | undefined;
  readonly pruning: Pruning;
}

/** Returns the pruned item of a field, or `undefined` if the field is unknown. */
function prunedItem(key: string, item: Json, { schema, step, pruning }: Place): Json | undefined {
  if (schema?.embeddedResource && meta.has(key)) return metaField(key, item, step, pruning);
  const property = schema?.properties.get(key);
  if (property !== undefined) return pruneValue(item, property, { above: step, key }, pruning);
  if (schema?.preserveUnknown && schema.additionalProperties === undefined) return item;
  if (schema?.additionalProperties !== undefined && schema.additionalProperties !== false) {
    return pruneValue(item, valueSchema(schema), { above: step, key, isEntry: true }, pruning);
  }
  if (schema?.isQuiet !== true) pruning.unknown.push(pathOf({ above: step, key }));
  return undefined;
}

/**
 * The metadata of the root is handled elsewhere; that of an embedded resource keeps the fields of ObjectMeta,
 * and is dropped if it is null.
 */
function metaField(key: string, item: Json, step: Step | undefined, pruning: Pruning): Json | undefined {
  if (key !== 'metadata' || step === undefined) return item;
  if (!isObject(item)) return item ?? undefined;
  const { metadata, unknown } = pruning.coerce(item, fieldOf({ above: step, key }));
  const path = pathOf(step);
  for (const field of unknown) pruning.unknown.push(`${path}.${field}`);
  return metadata;
}

/** Returns the path of an unknown field. */
function pathOf(step: Step | undefined): string {
  if (step === undefined) return '';
  const above = pathOf(step.above);
  if (typeof step.key === 'number') return `${above}[${step.key}]`;
  return above === '' ? step.key : `${above}.${step.key}`;
}

/** Returns the field of an error, in which keys of maps are in brackets. */
function fieldOf(step: Step): string {
  const above = step.above === undefined ? '' : fieldOf(step.above);
  if (typeof step.key === 'number' || step.isEntry === true) return `${above}[${step.key}]`;
  return above === '' ? step.key : `${above}.${step.key}`;
}
