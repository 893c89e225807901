/** Types that nodes have by their logical members. */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { asObject, isAbsent, objectsIn, textsIn } from '../schema/json.ts';

/** Keywords that a node inherits from a member of its `allOf`. */
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

/** Maximum depth of members that are searched for a type. */
const maxMemberDepth = 50;

/**
 * Returns the node with the type of its `allOf` members if it has none itself. Properties are handled by
 * `fieldsOf`, which searches `allOf` itself. An empty `properties` marks the node as an object if a member is
 * one.
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

/** Returns the type that the node itself declares, by `type` or by keywords that only one type has. */
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
 * Returns whether the members are the pair of an IntOrString: one integer and one string without further
 * constraints.
 */
export function isIntOrStringPair(members: JsonValue | undefined): boolean {
  const pair = objectsIn(members);
  const types = pair.map((member) => member['type']);
  return pair.length === 2 && types.includes('integer') && types.includes('string');
}

/** Returns whether the pair of an IntOrString adds nothing to its type. */
export function isBarePair(members: JsonValue | undefined): boolean {
  return isIntOrStringPair(members) && objectsIn(members).every((member) => Object.keys(member).length === 1);
}
