/** Keywords of schemas that tags stand for. */
import { isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { memberRules } from './rules.ts';
import type { TagDefinition, TaggedType } from './tags.ts';

/** A tag with its value. */
export interface SchemaTag {
  readonly definition: TagDefinition;
  readonly value: Json;
}

/** Returns a schema with the keywords of a tag. */
export function withTag(schema: JsonObject, tag: SchemaTag): JsonObject {
  const { definition, value } = tag;
  const { name, keyword } = definition;
  if (keyword !== undefined) return { ...schema, [keyword]: value };
  switch (name) {
    case 'exclusiveMinimum':
      return { ...schema, minimum: value, exclusiveMinimum: true };
    case 'exclusiveMaximum':
      return { ...schema, maximum: value, exclusiveMaximum: true };
    case 'listMap':
      return { ...schema, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': value };
    case 'listSet':
      return { ...schema, 'x-kubernetes-list-type': 'set' };
    case 'atomic':
      return { ...schema, [atomicKeyword(schema)]: 'atomic' };
    case 'granular':
      return { ...schema, 'x-kubernetes-map-type': 'granular' };
    case 'embedded':
      return { ...schema, 'x-kubernetes-embedded-resource': true };
    case 'constraint':
    case 'schema':
      return merged(schema, value);
    default:
      return withRules(schema, tag);
  }
}

/** Returns the keyword that makes a list or an object atomic. */
export function atomicKeyword({ type }: JsonObject): string {
  return type === 'array' ? 'x-kubernetes-list-type' : 'x-kubernetes-map-type';
}

/** Adds keywords as they are; `null` removes one. */
function merged(schema: JsonObject, keywords: Json): JsonObject {
  if (!isObject(keywords)) return schema;
  const kept = Object.entries({ ...schema, ...keywords }).filter(([key]) => keywords[key] !== null);
  return Object.fromEntries(kept);
}

function withRules(schema: JsonObject, tag: SchemaTag): JsonObject {
  const before = schema['x-kubernetes-validations'];
  const rules = isArray(before) ? before : [];
  const added = memberRules(tag, rules);
  return added.length === 0 ? schema : { ...schema, 'x-kubernetes-validations': [...rules, ...added] };
}

/** Returns the type of the values of a schema, as far as tags depend on it. */
export function taggedType(schema: JsonObject): TaggedType | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  const { type } = schema;
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'array':
    case 'object':
      return type;
    default:
      return schema['x-kubernetes-preserve-unknown-fields'] === true ? 'unknown' : undefined;
  }
}
