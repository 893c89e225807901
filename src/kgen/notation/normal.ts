/** Normal form of schemas: without the keywords that have no effect, and the members that servers add. */
import {
  equal,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  mapped,
  object,
  omit,
  own,
  strings,
} from '@kgen/schema/values/json';
import { byText } from '../common/words.ts';

/** Members of every Kubernetes object, with their types. */
const identity: ReadonlyMap<string, string> = new Map([
  ['apiVersion', 'string'],
  ['kind', 'string'],
  ['metadata', 'object'],
]);

/** Returns whether servers describe a member of objects of Kubernetes, unless a schema restricts it. */
export function isIdentity(name: string): boolean {
  return identity.has(name);
}

/** Returns the normal form of the schema of a kind. */
export function normalRoot(schema: JsonObject): JsonObject {
  return withoutIdentity(normalSchema(schema));
}

/** Returns the normal form of a schema. */
export function normalSchema(schema: JsonObject): JsonObject {
  const part = (value: Json): Json => (isObject(value) ? normalSchema(value) : value);
  const parts = mapped(schema, (key, value) => {
    if (key === 'properties' && isObject(value)) return mapped(value, (_, item) => part(item));
    return key === 'items' || key === 'additionalProperties' ? part(value) : value;
  });
  return normalNode(parts);
}

/**
 * Returns the normal form of a schema's own keywords. The schemas of its parts are unchanged.
 * @param isRoot whether it is the schema of a kind. Default: false.
 */
export function normalNode(schema: JsonObject, isRoot = false): JsonObject {
  const node = mapped(withoutPair(schema), (key, value) => {
    if ((value === false && flags.has(key)) || isVendor(key)) return undefined;
    if (key === 'description' && typeof value === 'string') return value.trim() || undefined;
    if (key === 'required') return some([...new Set(strings(schema, key))].sort(byText));
    return optional.has(key) ? some(value) : value;
  });
  return isRoot || own(node, 'x-kubernetes-embedded-resource') === true ? withoutIdentity(node) : node;
}

function withoutIdentity(node: JsonObject): JsonObject {
  const properties = mapped(object(node, 'properties'), (name, value) => {
    const type = identity.get(name);
    if (type === undefined || !isObject(value)) return value;
    const constraints = omit(value, 'description');
    return equal(constraints, { type }) ? undefined : constraints;
  });
  const required = strings(node, 'required').filter((name) => !identity.has(name));
  return mapped(node, (key, value) => {
    if (key === 'properties') return some(properties);
    return key === 'required' ? some(required) : value;
  });
}

/** Returns a value that is not empty. */
function some(value: Json): Json | undefined {
  if (isArray(value)) return value.length === 0 ? undefined : value;
  return isObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

/** Returns whether a keyword is an extension of others, which servers drop. */
function isVendor(keyword: string): boolean {
  return keyword.startsWith('x-') && !keyword.startsWith('x-kubernetes-');
}

/** Keywords that are false by default. */
const flags: ReadonlySet<string> = new Set([
  ...['nullable', 'exclusiveMinimum', 'exclusiveMaximum', 'uniqueItems', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-embedded-resource', 'x-kubernetes-preserve-unknown-fields'],
]);

/** Keywords without an effect if they are empty. */
const optional: ReadonlySet<string> = new Set(['properties', 'allOf', 'anyOf', 'oneOf']);

/** `anyOf: [{type: integer}, {type: string}]` has the meaning of `x-kubernetes-int-or-string`. */
function withoutPair(node: JsonObject): JsonObject {
  const pair = own(node, 'anyOf');
  const isPair =
    isArray(pair) &&
    pair.length === 2 &&
    ['integer', 'string'].every((type) => pair.some((member) => equal(member, { type })));
  return isPair && own(node, 'x-kubernetes-int-or-string') === true ? omit(node, 'anyOf') : node;
}
