/** Combination of schemas that a value must satisfy together. */
import {
  array,
  equal,
  isObject,
  type Json,
  type JsonObject,
  object,
  own,
  put,
  strings,
  text,
} from '@kgen/schema/values/json';
import { type Documents, resolveNode } from '../documents.ts';
import { numberAt } from '../scalars/strings.ts';

/** Members of combined schemas that are not keywords. */
export const combined = {
  /** Names of properties that must not exist. */
  forbidden: 'forbidden',
  /** All patterns of the combined schemas. */
  patterns: 'patterns',
  /** Values that are not allowed. */
  excluded: 'excluded',
} as const;

/** Returns a schema with its reference and its `allOf` resolved. Alternatives are not. */
export function structureOf(node: JsonObject, documents: Documents): JsonObject {
  const known = documents.structures.get(node);
  if (known !== undefined) return known;
  const structure = resolved(node, documents);
  documents.structures.set(node, structure);
  return structure;
}

function resolved(node: JsonObject, documents: Documents): JsonObject {
  const whole = withoutPair(resolveNode(node, documents));
  const members = array(whole, 'allOf').filter(isObject);
  if (members.length === 0) return whole;
  const { allOf: _allOf, ...flat } = whole;
  return members.reduce<JsonObject>((all, member) => merge(all, structureOf(member, documents)), flat);
}

/** The alternatives of an int-or-string add nothing to its type. */
function withoutPair(node: JsonObject): JsonObject {
  if (own(node, 'x-kubernetes-int-or-string') !== true) return node;
  const { anyOf: _anyOf, ...rest } = node;
  const members = array(rest, 'allOf').filter((member) => own(member, 'anyOf') === undefined);
  return own(rest, 'allOf') === undefined ? rest : put(rest, 'allOf', members);
}

/** Keywords that declare fields, which members of `allOf` and alternatives only constrain. */
const structural: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties']);

/** Returns a schema that accepts what both schemas accept, with the fields of the first one. */
export function merge(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const known = own(a, key);
    if (known === undefined) {
      if (!structural.has(key)) merged[key] = value;
    } else merged[key] = mergeKeyword(key, known, value);
  }
  const patterns = [...patternsOf(a), ...patternsOf(b)];
  if (patterns.length > 0) merged[combined.patterns] = patterns;
  return merged;
}

function patternsOf(node: JsonObject): readonly string[] {
  const merged = strings(node, combined.patterns);
  const pattern = text(node, 'pattern');
  return merged.length > 0 ? merged : pattern === '' ? [] : [pattern];
}

function mergeKeyword(key: string, a: Json, b: Json): Json {
  switch (key) {
    case 'properties':
      return mergeMaps(a, b);
    case 'items':
    case 'additionalProperties':
      return isObject(a) && isObject(b) ? merge(a, b) : isObject(a) ? a : b;
    case 'required':
    case combined.forbidden:
    case combined.excluded:
      return [...new Set([...listOf(a), ...listOf(b)])];
    case 'allOf':
    case 'x-kubernetes-validations':
      return [...listOf(a), ...listOf(b)];
    case 'enum':
      return listOf(a).filter((item) => listOf(b).some((other) => equal(item, other)));
    case 'minimum':
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return Math.max(Number(a), Number(b));
    case 'maximum':
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return Math.min(Number(a), Number(b));
    case 'nullable':
      return a === true && b === true;
    default:
      return b;
  }
}

/** Servers drop properties that only an alternative declares. */
function mergeMaps(a: Json, b: Json): Json {
  if (!isObject(a) || !isObject(b)) return a;
  return Object.entries(b).reduce<JsonObject>((all, [name, value]) => {
    const known = own(all, name);
    return isObject(known) && isObject(value) ? put(all, name, merge(known, value)) : all;
  }, a);
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Returns a schema that does not accept the required properties and the enum of `not`. */
export function exclude(node: JsonObject, not: JsonObject, random: () => number): JsonObject {
  const required = strings(not, 'required');
  const chosen = required[Math.floor(random() * required.length)];
  const one: JsonObject = {
    ...(chosen === undefined ? {} : { [combined.forbidden]: [chosen] }),
    ...(own(not, 'enum') === undefined ? {} : { [combined.excluded]: array(not, 'enum') }),
  };
  const outer = merge(node, one);
  return array(not, 'anyOf')
    .filter(isObject)
    .reduce<JsonObject>((all, branch) => exclude(all, branch, random), outer);
}

/** Returns a schema without the properties that it forbids, and the names of those that it requires. */
export function membersOf(node: JsonObject): {
  readonly properties: readonly (readonly [string, JsonObject])[];
  readonly required: ReadonlySet<string>;
} {
  const forbidden = new Set(strings(node, combined.forbidden));
  const properties = Object.entries(object(node, 'properties')).flatMap(
    ([name, value]): [string, JsonObject][] =>
      isObject(value) && !forbidden.has(name) ? [[name, value]] : [],
  );
  return { properties, required: new Set(strings(node, 'required').filter((name) => !forbidden.has(name))) };
}

/** Returns the bounds of a count: of items, members or characters. */
export function countBounds(
  node: JsonObject,
  what: 'Items' | 'Properties' | 'Length',
): { readonly min: number; readonly max: number } {
  return {
    min: numberAt(node, `min${what}`) ?? 0,
    max: numberAt(node, `max${what}`) ?? Number.POSITIVE_INFINITY,
  };
}
