/**
 * Constraints on a value by members of `allOf`, `anyOf` and `oneOf` of the schemas around it. In structural
 * schemas these members have no types: they only narrow the values that `properties` and `items` allow.
 */
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { objectsIn } from './json.ts';

/** A constraint on a value: at least one of its alternatives holds. */
export type Limit = readonly Alternative[];

/** Schemas and limits that hold together. */
export interface Alternative {
  readonly schemas: readonly JsonObject[];
  readonly limits: readonly Limit[];
}

export const noLimits: readonly Limit[] = [];

/**
 * Returns the limits of a part of a value.
 * @param limits the limits of the value itself
 * @param part returns the schema of the part in the schema of the value
 */
export function limitsOf(
  node: JsonObject,
  limits: readonly Limit[],
  part: (schema: JsonObject) => JsonValue | undefined,
): readonly Limit[] {
  const stated = [...limits, ...memberLimits(node)];
  return stated.length === 0 ? noLimits : stated.flatMap((limit) => limitOfPart(limit, part, 0));
}

/** Maximum depth of members of members. Shared members would be visited many times. */
const maxMemberDepth = 6;

/** Returns the members of logical keywords as limits. */
function memberLimits(node: JsonObject): readonly Limit[] {
  if (node['allOf'] === undefined && node['anyOf'] === undefined && node['oneOf'] === undefined)
    return noLimits;
  const limit = (members: readonly JsonObject[]): Limit =>
    members.map((member) => ({ schemas: [member], limits: noLimits }));
  return [
    ...[...new Set(objectsIn(node['allOf']))].map((member) => limit([member])),
    ...[limit(objectsIn(node['anyOf'])), limit(objectsIn(node['oneOf']))].filter(({ length }) => length > 0),
  ];
}

/** A limit with an alternative that does not mention the part leaves it free. */
function limitOfPart(
  limit: Limit,
  part: (schema: JsonObject) => JsonValue | undefined,
  depth: number,
): readonly Limit[] {
  if (depth > maxMemberDepth) return noLimits;
  const below = limit.map(({ schemas, limits }) => ({
    schemas: objectsIn(schemas.map((schema) => part(schema) ?? null)),
    limits: [...limits, ...schemas.flatMap(memberLimits)].flatMap((inner) =>
      limitOfPart(inner, part, depth + 1),
    ),
  }));
  const isFree = below.some(({ schemas, limits }) => schemas.length + limits.length === 0);
  return isFree ? noLimits : [below];
}
