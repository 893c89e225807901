import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { asObject, jsonText, objectsIn, textsIn } from '../schema/json.ts';
import type { Siblings } from '../schema/schema-path.ts';

/** A property of an object before its schema is walked. */
export interface Field {
  readonly node: JsonValue;
  readonly required: boolean;
  /** The properties of the object, this one included. */
  readonly siblings: Siblings;
}

/** The properties of an object node by name, and required names without a property. */
export interface Fields {
  readonly named: ReadonlyMap<string, Field>;
  readonly missing: readonly string[];
}

/** Maximum depth of members of `allOf`, `anyOf` and `oneOf` that are searched for properties. */
const maxMemberDepth = 50;

/**
 * Collects the properties of an object node. Its own properties take precedence. Properties of `allOf`
 * members are added, properties of `anyOf` or `oneOf` members are added as optional. Structural schemas
 * contain neither, older schemas do. Names that `allOf` members require are required.
 */
export function fieldsOf(node: JsonObject): Fields {
  const own = asObject(node['properties']) ?? {};
  const required = new Set(textsIn(node['required']));
  if (hasMembers(node)) return fieldsWithMembers(node, own, required);
  const named = new Map<string, Field>();
  for (const name of Object.keys(own))
    named.set(name, { node: own[name] ?? null, required: required.delete(name), siblings: named });
  return { named, missing: required.size === 0 ? none : [...required].sort() };
}

const none: readonly string[] = [];

/** Returns whether the node has members that may add properties. */
export function hasMembers(node: JsonObject): boolean {
  return node['allOf'] !== undefined || node['anyOf'] !== undefined || node['oneOf'] !== undefined;
}

function fieldsWithMembers(node: JsonObject, own: JsonObject, required: Set<string>): Fields {
  const nodes = new Map<string, JsonValue>(Object.entries(own));
  const certain = new Map<string, JsonValue[]>();
  const possible = new Map<string, JsonValue[]>();
  collect(node, { certain, possible, required }, true, 0);
  for (const found of [certain, possible]) {
    for (const [name, schemas] of found) {
      if (!nodes.has(name)) nodes.set(name, found === certain ? strongest(schemas) : anyOf(schemas));
    }
  }
  const named = new Map<string, Field>();
  for (const [name, schema] of nodes)
    named.set(name, { node: schema, required: required.delete(name), siblings: named });
  return { named, missing: [...required].sort() };
}

interface Found {
  readonly certain: Map<string, JsonValue[]>;
  readonly possible: Map<string, JsonValue[]>;
  readonly required: Set<string>;
}

function collect(node: JsonObject, found: Found, always: boolean, depth: number): void {
  if (depth > maxMemberDepth) return;
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    const holds = always && keyword === 'allOf';
    for (const member of objectsIn(node[keyword])) {
      if (holds) for (const name of textsIn(member['required'])) found.required.add(name);
      for (const [name, schema] of Object.entries(asObject(member['properties']) ?? {})) {
        const into = holds ? found.certain : found.possible;
        const before = into.get(name);
        if (before === undefined) into.set(name, [schema]);
        else before.push(schema);
      }
      collect(member, found, holds, depth + 1);
    }
  }
}

/** All schemas apply, so the first one with a type is the most specific. */
function strongest(schemas: readonly JsonValue[]): JsonValue {
  return schemas.find((schema) => asObject(schema)?.['type'] !== undefined) ?? schemas[0] ?? {};
}

/** One of the schemas applies. Members that only constrain do not hide the type of the others. */
function anyOf(schemas: readonly JsonValue[]): JsonValue {
  const typed = schemas.filter((schema) => statesType(asObject(schema)));
  const distinct = new Map((typed.length > 0 ? typed : schemas).map((schema) => [jsonText(schema), schema]));
  const [first = {}, ...others] = distinct.values();
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

function statesType(schema: JsonObject | undefined): boolean {
  const keywords = ['type', 'properties', 'items', 'enum', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];
  return schema !== undefined && keywords.some((keyword) => schema[keyword] !== undefined);
}
