/**
 * Merge patches on values in memory.
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */

import type { MergePatch } from '../api/types.ts';
import { copyDigits, exactClone } from '../codec/integers/records.ts';
import { isFields } from '../common/fields.ts';
import { fieldsOf, isEqualMember, type JsonObject, setField } from './json.ts';

/**
 * Applies a merge patch: `null` removes a member, objects are merged, other values are replaced, lists
 * included. The arguments are not modified and share nothing with the result. Keys such as `__proto__` are
 * ordinary keys.
 */
export function applyMergePatch<T>(object: T, patch: MergePatch<T>): T {
  // The type of the patch ensures that the result is a T.
  return merged(exactClone(object), exactClone(patch)) as T;
}

/** Both are copies, which may become part of the result. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: JsonObject = isFields(target) ? target : {};
  for (const [key, value] of fieldsOf(patch)) {
    const old = Object.hasOwn(result, key) ? result[key] : undefined;
    if (value === null) delete result[key];
    else setField(result, key, merged(old, value));
    copyDigits(patch, key, result, key);
  }
  return result;
}

/**
 * Returns the merge patch that converts `before` to `after`; `{}` if they are equal. Merge patches cannot set
 * `null`: a member that is `null` in `after` counts as absent, as in the server.
 */
export function createMergePatch<T>(before: T, after: T): MergePatch<T> {
  // Consists of members of both, each in its patch form.
  return difference(before, after) as MergePatch<T>;
}

function difference(before: unknown, after: unknown): unknown {
  if (!isFields(before) || !isFields(after)) return exactClone(after);
  const patch: JsonObject = {};
  const [old, desired] = [presentFields(before), presentFields(after)];
  for (const key of old.keys()) if (!desired.has(key)) setField(patch, key, null);
  for (const [key, value] of desired) {
    if (old.has(key) && isEqualMember(before, key, after)) continue;
    setField(patch, key, difference(old.get(key), value));
    copyDigits(after, key, patch, key);
  }
  return patch;
}

function presentFields(object: JsonObject): ReadonlyMap<string, unknown> {
  return new Map([...fieldsOf(object)].filter(([, value]) => value !== null));
}
