/** JSON values, looked at by their own properties only: what is inherited is none of the data. */

import { sameInteger } from '../integers/records.ts';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a field of that name, also where assigning would reach for the prototype. */
export function setField(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

/** The own fields, without those that are `undefined`: JSON has no such thing. */
export function fieldsOf(object: JsonObject): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Whether two values are equal as JSON: the order of fields does not count, that of list items does. */
export function isEqual(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (Array.isArray(before) || Array.isArray(after)) {
    if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return false;
    return before.every((_, index) => isEqualMember(before, String(index), after));
  }
  if (!isObject(before) || !isObject(after)) return false;
  const [old, wanted] = [fieldsOf(before), fieldsOf(after)];
  return (
    old.size === wanted.size &&
    [...old.keys()].every((key) => wanted.has(key) && isEqualMember(before, key, after))
  );
}

/** Whether two members are equal as JSON, also in the digits of integers beyond 2^53. */
export function isEqualMember(before: object, key: string, after: object, afterKey: string = key): boolean {
  return (
    sameInteger(before, key, after, afterKey) ??
    isEqual(Reflect.get(before, key), Reflect.get(after, afterKey))
  );
}
