import type { JsonObject, JsonValue } from '../input/crd-input.ts';
import { isList, isObject } from '../input/json.ts';
import { maxLevels } from './dialect.ts';

/** Said of a definition as a whole, and not the same in all its copies. */
const claims = 'x-kubernetes-group-version-kind';

/**
 * Whether two copies of a definition say the same, apart from the kinds that they are for: each document lists its own
 * for `DeleteOptions`. Takes time by the size of one of them; what is nested too deep counts as different.
 */
export function isCopy(a: JsonObject, b: JsonObject): boolean {
  return haveEqual(a, b, claims, 0);
}

function isEqual(a: JsonValue | undefined, b: JsonValue | undefined, level: number): boolean {
  if (a === b) return true;
  if (level > 2 * maxLevels) return false;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, at) => isEqual(item, b[at], level + 1));
  }
  return isObject(a) && isObject(b) && haveEqual(a, b, undefined, level + 1);
}

/** Compares what two objects have, but for one key. Millions of nodes pass here, so nothing is allocated. */
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
