/**
 * JSON merge patches on values in memory.
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
import { copyDigits, exactClone } from '../integers/records.ts';
import type { MergePatch } from '../types.ts';
import { fieldsOf, isEqualMember, isObject, type JsonObject, setField } from './json.ts';

/**
 * What a merge patch makes of an object: `null` deletes a field, objects are merged, everything else is replaced, lists
 * too. What is given is never changed, and the result shares nothing with it. Keys such as `__proto__` are keys like
 * others.
 */
export function applyMergePatch<T>(object: T, patch: MergePatch<T>): T {
  // What a patch makes of a T is a T, as its type says.
  return merged(exactClone(object), exactClone(patch)) as T;
}

/** Both are copies, of which the result may be made. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: JsonObject = isObject(target) ? target : {};
  for (const [key, value] of fieldsOf(patch)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    if (value === null) delete result[key];
    else setField(result, key, merged(old, value));
    copyDigits(patch, key, result, key);
  }
  return result;
}

/**
 * The merge patch that makes `after` of `before`; `{}` where they are equal. Merge patches cannot set `null`: a field
 * that is `null` in `after` counts as absent, as it does to the server.
 */
export function createMergePatch<T>(before: T, after: T): MergePatch<T> {
  // Made of the fields of both, each as it is in a patch.
  return difference(before, after) as MergePatch<T>;
}

function difference(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return exactClone(after);
  const patch: JsonObject = {};
  const [old, wanted] = [presentFields(before), presentFields(after)];
  for (const key of old.keys()) if (!wanted.has(key)) setField(patch, key, null);
  for (const [key, value] of wanted) {
    if (old.has(key) && isEqualMember(before, key, after)) continue;
    setField(patch, key, difference(old.get(key), value));
    copyDigits(after, key, patch, key);
  }
  return patch;
}

function presentFields(object: JsonObject): ReadonlyMap<string, unknown> {
  return new Map([...fieldsOf(object)].filter(([, value]) => value !== null));
}
