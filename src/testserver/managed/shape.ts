/** Granularity of the ownership of fields, by the schema of an object. */
import { parseSchema, type Schema, valueSchema } from '@kgen/schema/validation/structural';
import {
  compact,
  equal,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  own,
} from '@kgen/schema/values/json';
import { writeJson } from '@kgen/schema/values/wire';
import type { Step } from './fieldset.ts';

/** Granularity of ownership: as a whole, or by part. */
export type Shape = 'whole' | 'map' | 'set' | 'keyed';

/** An entry of the managed fields, which are not owned: `fieldsV1` is not checked against types. */
const managedEntry: JsonObject = {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
  properties: fromEntries(
    ['manager', 'operation', 'apiVersion', 'time', 'fieldsType', 'subresource'].map((name) => [
      name,
      { type: 'string' },
    ]),
  ),
};

/** Ownership of the parts of ObjectMeta. */
const metadata = parseSchema({
  type: 'object',
  properties: {
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    annotations: { type: 'object', additionalProperties: { type: 'string' } },
    finalizers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
    ...fromEntries(
      [
        'name',
        'generateName',
        'namespace',
        'uid',
        'resourceVersion',
        'creationTimestamp',
        'deletionTimestamp',
        'selfLink',
      ].map((name) => [name, { type: 'string' }]),
    ),
    managedFields: { type: 'array', items: managedEntry },
    generation: { type: 'integer' },
    deletionGracePeriodSeconds: { type: 'integer' },
  },
});

const text = parseSchema({ type: 'string' });
const free = parseSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });

/** Returns the schema of a whole object for ownership: its own, with ObjectMeta and the type fields. */
export function ownershipSchema(schema: Schema | undefined): Schema {
  const base = schema ?? free;
  const known = ownershipSchemas.get(base);
  if (known !== undefined) return known;
  const properties = new Map([
    ...base.properties,
    ['metadata', metadata],
    ['apiVersion', text],
    ['kind', text],
  ]);
  const complete = { ...base, properties };
  ownershipSchemas.set(base, complete);
  return complete;
}

const ownershipSchemas = new WeakMap<Schema, Schema>();

/** Returns the granularity of a value. Without a schema, objects are owned by part and lists as a whole. */
export function shapeOf(value: Json | undefined, schema: Schema | undefined): Shape {
  if (isArray(value)) {
    if (schema?.listType === 'set') return 'set';
    return schema?.listType === 'map' ? 'keyed' : 'whole';
  }
  return isObject(value) && schema?.mapType !== 'atomic' ? 'map' : 'whole';
}

/** A part of a value: its step, its value and its schema. */
export interface Part {
  readonly step: Step;
  readonly value: Json;
  readonly schema: Schema | undefined;
}

/** Returns the members or items of a value that have owners of their own; none if it is owned as a whole. */
export function partsOf(value: Json | undefined, schema: Schema | undefined): readonly Part[] {
  const shape = shapeOf(value, schema);
  if (shape === 'map' && isObject(value)) {
    return Object.entries(value).map(([key, item]) => ({
      step: `f:${key}`,
      value: item,
      schema: fieldSchema(schema, key),
    }));
  }
  if (shape === 'whole' || !isArray(value)) return [];
  return value.map((item) => ({
    step: shape === 'set' ? `v:${writeJson(item)}` : `k:${writeJson(keysOf(item, schema))}`,
    value: item,
    schema: schema?.items,
  }));
}

/** Returns the keys of a list element in the order of their names. Omitted keys have their defaults. */
function keysOf(item: Json, schema: Schema | undefined): Json {
  const names = [...(schema?.listMapKeys ?? [])].sort();
  return compact(Object.fromEntries(names.map((name) => [name, keyOf(item, name, schema?.items)])));
}

function keyOf(item: Json, name: string, schema: Schema | undefined): Json | undefined {
  const given = own(item, name);
  // Null is a key of its own.
  return given === undefined ? schema?.properties.get(name)?.default : given;
}

/** Returns the schema of a field or map value. */
export function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema === undefined) return undefined;
  return schema.properties.get(key) ?? valueSchema(schema);
}

/** Returns whether a field is declared by name, rather than a key of a map. */
export function isDeclared(schema: Schema | undefined, step: Step): boolean {
  return schema !== undefined && step.startsWith('f:') && schema.properties.has(step.slice(2));
}

/** Returns whether two values certainly have parts with the same steps, at all levels. */
export function sameParts(a: Json | undefined, b: Json | undefined, schema: Schema | undefined): boolean {
  const shape = shapeOf(a, schema);
  if (shape !== shapeOf(b, schema)) return false;
  if (shape === 'whole') return true;
  // The steps of a set are its values.
  if (shape === 'set') return equal(a, b);
  if (!isObject(a) || !isObject(b)) return sameElements(partsOf(a, schema), partsOf(b, schema));
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameParts(a[key], b[key], fieldSchema(schema, key)))
  );
}

function sameElements(a: readonly Part[], b: readonly Part[]): boolean {
  if (a.length !== b.length) return false;
  return a.every((part, index) => {
    const other = b[index];
    return other?.step === part.step && sameParts(part.value, other.value, part.schema);
  });
}
