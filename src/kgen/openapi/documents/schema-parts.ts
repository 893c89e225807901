import { schemaHoldings } from '@kgen/schema/rules/schema-keywords';
import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';

/** Transforms a schema. `keyword` is its position in the parent, `name` its key or index there. */
export type Visit = (schema: JsonObject, keyword: string, name?: string) => JsonObject;

/**
 * Returns the node with every direct subschema replaced by the result of `visit`. Unchanged parts are shared,
 * and the input is not modified. Values of keywords such as `default` and `enum` are not schemas.
 */
export function mapParts(node: JsonObject, visit: Visit): JsonObject {
  let copy: Record<string, JsonValue> | undefined;
  for (const keyword in node) {
    const holding = schemaHoldings.get(keyword);
    const value = node[keyword];
    if (holding === undefined || typeof value !== 'object' || value === null) continue;
    const made = mapHeld(value, holding === 'map', keyword, visit);
    if (made === value) continue;
    copy ??= { ...node };
    copy[keyword] = made;
  }
  return copy ?? node;
}

function mapHeld(value: JsonValue, isMap: boolean, keyword: string, visit: Visit): JsonValue {
  if (isList(value)) return isMap ? value : mapList(value, keyword, visit);
  if (!isObject(value)) return value;
  return isMap ? mapValues(value, keyword, visit) : visit(value, keyword);
}

function mapList(list: readonly JsonValue[], keyword: string, visit: Visit): JsonValue {
  const made = list.map((item, index) => (isObject(item) ? visit(item, keyword, String(index)) : item));
  return made.every((item, index) => item === list[index]) ? list : made;
}

function mapValues(map: JsonObject, keyword: string, visit: Visit): JsonObject {
  let copy: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(map)) {
    const value = map[name];
    if (!isObject(value)) continue;
    const made = visit(value, keyword, name);
    if (made === value) continue;
    copy ??= { ...map };
    put(copy, name, made);
  }
  return copy ?? map;
}

/** `__proto__` is an ordinary key. */
function put(into: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') into[name] = value;
  else Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
}
