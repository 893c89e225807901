/** Nodes of the schemas of definitions, in pairs: what a value had to be, and what it has to be. */
import { parseSchema, type Schema, valueSchema } from '@kgen/schema/validation/structural';
import { isObject, type JsonObject, object, own } from '@kgen/schema/values/json';
import type { DefinitionChange } from './change.ts';

/** A schema as written, and parsed. */
export interface SchemaNode {
  readonly json: JsonObject;
  readonly schema: Schema;
}

/** Effect on stored objects. */
export type Effect = Pick<DefinitionChange, 'stored' | 'unchanged'>;

/** The schemas of one value before and after a change, and the effects of differences. */
export interface NodePair {
  readonly before: SchemaNode;
  readonly after: SchemaNode;
  /** Effect if the value is refused. */
  readonly refused: Effect;
  /** Effect if the value has another type: API servers report rules that fail for unchanged values, too. */
  readonly mistyped: Effect;
  /** Effect if the server changes the value, or its type in rules: whether a schema refuses the result. */
  readonly altered: Effect;
  /** Effect if null is not accepted any more: it is dropped where a value is optional. */
  readonly nulled: Effect;
}

export const harmless: Effect = { stored: 'none' };

/** Returns the effect if servers refuse a value, and compare the field `unit` with that of the old object. */
export function refusal(unit: string): Effect {
  // Each update changes the object as a whole.
  return unit === '' ? { stored: 'breaks' } : { stored: 'breaks unless unchanged', unchanged: unit };
}

/** Returns the effect of dropped values, with the effect of the altered value around them. */
export function dropping(altered: Effect): Effect {
  return altered.stored === 'none' ? { stored: 'drops data' } : altered;
}

/** Returns the node of a schema. */
export function nodeOf(json: JsonObject): SchemaNode {
  return { json, schema: parseSchema(json) };
}

/** A value without a schema, as objects that preserve unknown fields have it. */
export const anything: SchemaNode = nodeOf({ 'x-kubernetes-preserve-unknown-fields': true });

/** Returns the properties of a node by name. */
export function propertiesOf({ json, schema }: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const written = object(json, 'properties');
  return new Map(
    [...schema.properties].map(([name, child]) => [name, { json: object(written, name), schema: child }]),
  );
}

/** Returns the node of all values of a map. */
export function valuesOf({ json, schema }: SchemaNode): SchemaNode | undefined {
  const child = valueSchema(schema);
  return child === undefined ? undefined : { json: object(json, 'additionalProperties'), schema: child };
}

/** Returns the node of the items of a list. */
export function itemsOf({ json, schema }: SchemaNode): SchemaNode | undefined {
  const child = own(json, 'items');
  return schema.items === undefined || !isObject(child) ? undefined : { json: child, schema: schema.items };
}

/** Returns whether a node keeps fields without a schema. */
export function keepsUnknown({ schema }: SchemaNode): boolean {
  return schema.preserveUnknown || schema.additionalProperties === true;
}

/** Returns the JSON types of accepted values; `undefined` if any is accepted. */
export function typesOf({ intOrString, type }: Schema): ReadonlySet<string> | undefined {
  if (intOrString) return new Set(['integer', 'string']);
  if (type === '') return undefined;
  return new Set(type === 'number' ? ['number', 'integer'] : [type]);
}
