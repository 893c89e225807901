/** Mistakes in the schemas of CRDs: unknown keywords. */

import { plainKeywords, schemaHoldings } from '@kgen/schema/rules/schema-keywords';
import { quote } from '../../common/problems.ts';
import { closestName } from '../../common/words.ts';
import { isList, isObject, own } from '../json.ts';
import { maxExpandedNodes } from '../reading/aliases.ts';
import type { Checker } from './checker.ts';
import type { JsonObject, JsonPath, JsonValue } from './crd-input.ts';

/** The API server drops every other keyword. */
const keywords: ReadonlySet<string> = new Set([
  ...schemaHoldings.keys(),
  ...Object.values(plainKeywords).flat(),
]);

interface Node {
  readonly path: JsonPath;
  readonly schema: JsonObject;
}

/**
 * Adds a warning for each keyword that the API server drops. Such mistakes do not prevent the generation, but
 * weaken the types. Vendor extensions (`x-…` other than `x-kubernetes-…`) are accepted.
 */
export function checkSchema(check: Checker, path: JsonPath, schema: JsonObject): void {
  if (!hasMistakes(schema)) return;
  const open: Node[] = [{ path, schema }];
  let left = maxExpandedNodes;
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    left -= 1;
    checkKeywords(check, node);
    // Reversed, so that findings are in the order of the document.
    for (const child of inner(node).reverse()) open.push(child);
  }
}

/** Returns whether a schema has an unknown keyword. Visits parts that occur more than once only once. */
function hasMistakes(root: JsonObject): boolean {
  const seen = new Set<JsonValue>();
  const open: JsonObject[] = [root];
  const add = (schema: JsonValue | undefined): void => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    open.push(schema);
  };
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    for (const keyword of Object.keys(schema)) {
      if (!isKnown(keyword)) return true;
      const value = schema[keyword];
      const holding = schemaHoldings.get(keyword);
      if (holding === undefined || typeof value !== 'object' || value === null) continue;
      if (holding === 'schema' && isObject(value)) add(value);
      else for (const part of Object.values(value)) add(part);
    }
  }
  return false;
}

function isKnown(keyword: string): boolean {
  return keywords.has(keyword) || /^x-(?!kubernetes-)/.test(keyword);
}

function checkKeywords(check: Checker, { path, schema }: Node): void {
  for (const key of Object.keys(schema)) {
    if (isKnown(key)) continue;
    const closest = closestName(key, keywords);
    const advice = closest === undefined ? 'remove it' : `did you mean ${quote(closest)}?`;
    check.warning(
      { path: [...path, key], value: schema[key] },
      `unknown keyword ${quote(key)} in a schema, which the API server drops: ${advice}`,
    );
  }
}

function inner({ path, schema }: Node): Node[] {
  return [...schemaHoldings].flatMap(([keyword, holding]): readonly Node[] => {
    const value = own(schema, keyword);
    if (isObject(value) && holding === 'schema') return [{ path: [...path, keyword], schema: value }];
    return typeof value === 'object' && value !== null ? nodes(value, [...path, keyword]) : [];
  });
}

function nodes(members: JsonObject | readonly JsonValue[], path: JsonPath): readonly Node[] {
  const entries = isList(members) ? [...members.entries()] : Object.entries(members);
  return entries.flatMap(([step, schema]) => (isObject(schema) ? [{ path: [...path, step], schema }] : []));
}
