/** Mistakes in the schemas of CRDs: unknown keywords. */

import { isPlain } from '@kgen/schema/rules/places';
import { plainKeywords, schemaHoldings } from '@kgen/schema/rules/schema-keywords';
import { quote } from '../../common/problems.ts';
import { closestName } from '../../common/words.ts';
import { isList, isObject, own } from '../json.ts';
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
 * weaken the types. Vendor extensions (`x-…` other than `x-kubernetes-…`) are accepted. A node that aliases
 * share is checked once.
 */
export function checkSchema(check: Checker, path: JsonPath, schema: JsonObject): void {
  const seen = new Set<JsonObject>();
  const open: Node[] = [{ path, schema }];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node.schema)) continue;
    seen.add(node.schema);
    checkKeywords(check, node);
    // Reversed, so that findings are in the order of the document.
    for (const child of inner(node).reverse()) open.push(child);
  }
}

function checkKeywords(check: Checker, { path, schema }: Node): void {
  for (const key of Object.keys(schema)) {
    if (keywords.has(key) || /^x-(?!kubernetes-)/.test(key)) continue;
    const closest = closestName(key, keywords);
    const advice = closest === undefined ? 'remove it' : `did you mean ${quote(closest)}?`;
    check.warning(
      { path: [...path, key], value: schema[key] },
      `unknown keyword ${quote(key)} in a schema, which the API server drops: ${advice}`,
    );
  }
}

function inner({ path, schema }: Node): Node[] {
  if (isPlain(schema)) return [];
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
