/** Plain values, made so that every key is a property of its own. */

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** An object with these entries; `__proto__` is a key like any other. The last entry of a key holds. */
export function object(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}

/** True for objects that are no lists. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
