/** Problems of schemas with values of the wrong type. */
import { quote } from '../../common/problems.ts';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList } from '../../input/json.ts';
import { asObject, isAbsent, jsonText } from '../schema/json.ts';
import { optionSpot, propertySpot, type Spot } from '../schema/schema-path.ts';
import type { Walker } from './walker.ts';

/** Maximum depth of nested members. The walker has the same limit. */
const maxMemberDepth = 50;

/**
 * Returns a check that reports values where a node must have a schema, or a list or an object of schemas.
 * `null` counts as absent, as in the server. Members that have been checked are not checked again.
 */
export function partsChecker(fail: Walker['fail']): Walker['check'] {
  const seen = new Set<JsonObject>();
  return (node, spot) => {
    if (!seen.has(node)) checkParts(node, spot, { fail, seen }, 0);
  };
}

interface Check extends Pick<Walker, 'fail'> {
  /** Members of logical keywords, which may be shared. */
  readonly seen: Set<JsonObject>;
}

function checkParts(node: JsonObject, spot: Spot, check: Check, depth: number): void {
  checkProperties(node, spot, check);
  checkSchema(node, 'items', spot, check);
  checkSchema(node, 'not', spot, check);
  if (typeof node['additionalProperties'] !== 'boolean')
    checkSchema(node, 'additionalProperties', spot, check);
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    if (!isAbsent(node[keyword])) checkMembers(node, keyword, spot, check, depth);
  }
}

function checkProperties(node: JsonObject, spot: Spot, { fail }: Check): void {
  const properties = asObject(node['properties']);
  if (properties === undefined) {
    if (!isAbsent(node['properties'])) fail(spot, propertiesText(spot, node['properties']), ['properties']);
    return;
  }
  for (const name of Object.keys(properties)) {
    if (isSchema(properties[name])) continue;
    const at = propertySpot(spot, name);
    fail(at, schemaText(at, properties[name]));
  }
}

function checkSchema(node: JsonObject, keyword: string, spot: Spot, { fail }: Check): void {
  const value = node[keyword];
  if (!isSchema(value)) fail(spot, schemaText(spot, value, ` as its ${keyword}`), [keyword]);
}

function checkMembers(node: JsonObject, keyword: string, spot: Spot, check: Check, depth: number): void {
  const list = node[keyword];
  if (!isList(list)) {
    check.fail(spot, listText(spot, keyword, list), [keyword]);
    return;
  }
  for (const [index, member] of list.entries()) {
    const at = optionSpot(spot, keyword, index);
    const schema = asObject(member);
    if (!isSchema(member)) check.fail(at, schemaText(at, member));
    if (schema === undefined || depth >= maxMemberDepth || check.seen.has(schema)) continue;
    check.seen.add(schema);
    checkParts(schema, at, check, depth + 1);
  }
}

function isSchema(value: JsonValue | undefined): boolean {
  return isAbsent(value) || asObject(value) !== undefined;
}

function schemaText(spot: Spot, value: JsonValue | undefined, as = ''): string {
  return `${quote(spot.path)} has ${found(value)}${as} instead of a schema, so its values are typed as unknown: write a schema there`;
}

function propertiesText(spot: Spot, value: JsonValue | undefined): string {
  return `${quote(spot.path)} has ${found(value)} as its properties, so they are left out: write an object of names and schemas there`;
}

function listText(spot: Spot, keyword: string, value: JsonValue | undefined): string {
  return `${quote(spot.path)} has ${found(value)} as its ${keyword}, so it is left out: write a list of schemas there`;
}

function found(value: JsonValue | undefined): string {
  return jsonText(value, { limit: 40 });
}
