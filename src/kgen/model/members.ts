import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { asObject, isAbsent, objectsIn, textsIn } from './json.ts';

/** Keywords that a node takes from a member of its `allOf` when it does not say them itself. */
const inherited = [
  'type',
  'nullable',
  'items',
  'additionalProperties',
  'patternProperties',
  'enum',
  'anyOf',
  'oneOf',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
] as const;

/** Members of members deeper than this are not asked for a type. */
const maxMemberDepth = 50;

/**
 * The node with the type that its `allOf` members give it, where it states none itself. Properties are left
 * to `fieldsOf`, which looks into `allOf` by itself; an empty `properties` marks the node as an object when a
 * member is one.
 */
export function withAllOf(node: JsonObject, depth = 0): JsonObject {
  const members = objectsIn(node['allOf']);
  if (members.length === 0 || depth > maxMemberDepth || statedType(node) !== undefined) return node;
  const merged: Record<string, JsonValue> = { ...node };
  for (const member of members.map((each) => withAllOf(each, depth + 1))) {
    for (const keyword of inherited) {
      const value = member[keyword];
      if (merged[keyword] === undefined && value !== undefined) merged[keyword] = value;
    }
    if (merged['properties'] === undefined && member['properties'] !== undefined) merged['properties'] = {};
  }
  return merged;
}

/** What the node itself says its type is, in words or by the keywords that only one type has. */
export function statedType(node: JsonObject): string | undefined {
  const type = node['type'];
  if (typeof type === 'string' && type !== '') return type;
  if (textsIn(type).length > 0) return textsIn(type)[0];
  if (asObject(node['properties']) !== undefined) return 'object';
  if (!isAbsent(node['items'])) return 'array';
  return !isAbsent(node['additionalProperties']) || node['patternProperties'] !== undefined
    ? 'object'
    : undefined;
}

/**
 * True for the members that spell an IntOrString: one integer, one string, and nothing else about them.
 */
export function isIntOrStringPair(members: JsonValue | undefined): boolean {
  const pair = objectsIn(members);
  const types = pair.map((member) => member['type']);
  return pair.length === 2 && types.includes('integer') && types.includes('string');
}

/** True where the pair of an IntOrString says nothing that the type does not say. */
export function isBarePair(members: JsonValue | undefined): boolean {
  return isIntOrStringPair(members) && objectsIn(members).every((member) => Object.keys(member).length === 1);
}
