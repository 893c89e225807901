/** Properties of objects, with those of their `allOf`, `anyOf` and `oneOf` members. */
import { byText } from '../../common/words.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { own } from '../../input/json.ts';
import { asObject, jsonText, objectsIn, textsIn } from '../schema/json.ts';
import { type Limit, limitsOf, noLimits } from '../schema/limits.ts';
import type { Siblings } from '../schema/schema-path.ts';

/** A property of an object before its schema is walked. */
export interface Field {
  readonly node: JsonValue;
  readonly required: boolean;
  /** The properties of the object, this one included. */
  readonly siblings: Siblings;
  /** Constraints by members of logical keywords of the object. */
  readonly limits: readonly Limit[];
}

/**
 * The properties of an object node by name, sorted, and required names without a property. Servers publish
 * properties in this order, whatever that of the definition is.
 */
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
 * @param limits constraints on the object
 */
export function fieldsOf(node: JsonObject, limits: readonly Limit[] = noLimits): Fields {
  const properties = asObject(node['properties']) ?? {};
  const required = new Set(textsIn(node['required']));
  if (hasMembers(node)) return fieldsWithMembers(node, properties, required, limits);
  const named = new Map<string, Field>();
  for (const name of Object.keys(properties).sort(byText)) {
    const below = limits.length === 0 ? noLimits : limitsOfProperty(name, node, limits);
    named.set(name, {
      node: properties[name] ?? null,
      required: required.delete(name),
      siblings: named,
      limits: below,
    });
  }
  return { named, missing: required.size === 0 ? none : [...required].sort() };
}

const none: readonly string[] = [];

function limitsOfProperty(name: string, node: JsonObject, limits: readonly Limit[]): readonly Limit[] {
  return limitsOf(node, limits, (schema) => own(asObject(schema['properties']) ?? {}, name));
}

/** Returns whether the node has members that may add properties. */
export function hasMembers(node: JsonObject): boolean {
  return node['allOf'] !== undefined || node['anyOf'] !== undefined || node['oneOf'] !== undefined;
}

function fieldsWithMembers(
  node: JsonObject,
  properties: JsonObject,
  required: Set<string>,
  limits: readonly Limit[],
): Fields {
  const nodes = new Map<string, JsonValue>(Object.entries(properties));
  const certain = new Map<string, JsonValue[]>();
  const possible = new Map<string, JsonValue[]>();
  collect(node, { certain, possible, required }, true, 0);
  for (const found of [certain, possible]) {
    for (const [name, schemas] of found) {
      if (!nodes.has(name)) nodes.set(name, found === certain ? strongest(schemas) : anyOf(schemas));
    }
  }
  const named = new Map<string, Field>();
  for (const [name, schema] of [...nodes].sort(([a], [b]) => byText(a, b))) {
    // A property that only members have is a union of theirs already.
    const below = Object.hasOwn(properties, name) ? limitsOfProperty(name, node, limits) : noLimits;
    named.set(name, { node: schema, required: required.delete(name), siblings: named, limits: below });
  }
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
