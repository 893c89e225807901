/** JSON values, accessed by own properties only. */

import { sameInteger } from '../codec/integers/records.ts';
import { isFields } from '../common/fields.ts';

export type JsonObject = Record<string, unknown>;

/** Sets a member of any name, including `__proto__`. */
export function setField(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Returns the own members except those that are `undefined`, which JSON cannot represent. */
export function fieldsOf(object: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object).filter(([, value]) => value !== undefined));
}

/**
 * Returns whether two values are equal as JSON. The order of members does not count, that of list items does.
 */
export function isEqual(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (Array.isArray(before) || Array.isArray(after)) {
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return false;
    return before.every((_, index) => isEqualMember(before, String(index), after));
  }
  if (!isFields(before) || !isFields(after)) return false;
  const [old, desired] = [fieldsOf(before), fieldsOf(after)];
  return (
    old.size === desired.size &&
    [...old.keys()].every((key) => desired.has(key) && isEqualMember(before, key, after))
  );
}

/** Returns whether two members are equal as JSON, including the digits of integers beyond 2^53. */
export function isEqualMember(before: object, key: string, after: object, afterKey: string = key): boolean {
  return (
    sameInteger(before, key, after, afterKey) ??
    isEqual(Reflect.get(before, key), Reflect.get(after, afterKey))
  );
}
