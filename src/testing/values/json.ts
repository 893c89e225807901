/** A value as `readJson` returns it: integers of 64 bits beyond 2^53 are bigints, as the API server keeps them exactly. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/** A JSON object. Keys come from outside: read them with `own`, write them with `put`, never by plain assignment. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an array, with its elements typed as JSON. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The own property `key`, so that `constructor` and `__proto__` are names like any other. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value found by following `keys` through objects, or undefined where the path ends early. */
export function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(own, value);
}

/** The string under `keys`, or an empty one. */
export function text(value: Json | undefined, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

/** The object under `keys`, or an empty one. */
export function object(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  const found = at(value, ...keys);
  return isObject(found) ? found : {};
}

/** The array under `keys`, or an empty one. */
export function array(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = at(value, ...keys);
  return isArray(found) ? found : [];
}

/** The strings of the array under `keys`; other elements are left out. */
export function strings(value: Json | undefined, ...keys: readonly string[]): readonly string[] {
  return array(value, ...keys).filter((item) => typeof item === 'string');
}

/** A copy of `value` with `key` set; `__proto__` becomes an ordinary own property. */
export function put(value: JsonObject, key: string, item: Json): JsonObject {
  return fromEntries([...Object.entries(value).filter(([name]) => name !== key), [key, item]]);
}

/** A copy of `value` with `key` replaced in its place, or added at the end. */
export function replace(value: JsonObject, key: string, item: Json): JsonObject {
  if (!Object.hasOwn(value, key)) return put(value, key, item);
  return fromEntries(Object.entries(value).map(([name, old]) => [name, name === key ? item : old]));
}

/** A copy of `value` without `keys`. */
export function omit(value: JsonObject, ...keys: readonly string[]): JsonObject {
  return fromEntries(Object.entries(value).filter(([name]) => !keys.includes(name)));
}

/** A copy of `value` with `item` at the path `keys`; objects are made on the way where there are none. */
export function putAt(value: JsonObject, keys: readonly string[], item: Json): JsonObject {
  const [head, ...rest] = keys;
  if (head === undefined) return value;
  return replace(value, head, rest.length === 0 ? item : putAt(object(value, head), rest, item));
}

/** An object of own properties only, whatever the keys are called. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}

/** The object without the keys whose value is undefined: how literals with optional parts become JSON. */
export function compact(value: { readonly [key: string]: Json | undefined }): JsonObject {
  return fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, item]])),
  );
}

/** Deep equality; the order of keys does not matter. */
export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isArray(a) && isArray(b)) return a.length === b.length && a.every((item, i) => equal(item, b[i]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]))
  );
}
