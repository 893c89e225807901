import type { JsonObject, JsonValue } from '../../input/crd/crd-input.ts';
import { isList, isObject } from '../../input/json.ts';
import { maxLevels } from './dialect.ts';

/** Extension of a whole definition that differs between its copies. */
const claims = 'x-kubernetes-group-version-kind';

/**
 * Returns whether two copies of a definition are equal, apart from the kinds that they are for: each document
 * lists its own kinds for `DeleteOptions`. Takes time linear in the smaller copy. Values that are nested too
 * deeply count as different.
 */
export function isCopy(a: JsonObject, b: JsonObject): boolean {
  return haveEqual(a, b, claims, 0);
}

/**
 * Compares the members of two objects, except one key. Called for millions of nodes, so it allocates nothing.
 */
function haveEqual(a: JsonObject, b: JsonObject, except: string | undefined, level: number): boolean {
  let count = 0;
  for (const key in a) {
    if (key === except) continue;
    count += 1;
    if (!Object.hasOwn(b, key) || !isEqual(a[key], b[key], level)) return false;
  }
  for (const key in b) if (key !== except) count -= 1;
  return count === 0;
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined, level: number): boolean {
  if (a === b) return true;
  if (level > 2 * maxLevels) return false;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at], level + 1));
  }
  return isObject(a) && isObject(b) && haveEqual(a, b, undefined, level + 1);
}
