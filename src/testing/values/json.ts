/**
 * A value as `readJson` returns it: 64-bit integers beyond 2^53 are bigints, as the API server keeps them
 * exactly.
 */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

/**
 * A JSON object with untrusted keys: read them with `own`, write them with `put`, never by plain assignment.
 */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns whether a value is an object, and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an array, and types its elements as JSON. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the own property `key`, so that `constructor` and `__proto__` are ordinary names. */
export function own(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns the value at the path `keys`, or `undefined` if the path ends early. */
export function at(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(own, value);
}

/** Returns the string at the path `keys`, or an empty one. */
export function text(value: Json | undefined, ...keys: readonly string[]): string {
  const found = at(value, ...keys);
  return typeof found === 'string' ? found : '';
}

/** Returns the object at the path `keys`, or an empty one. */
export function object(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  const found = at(value, ...keys);
  return isObject(found) ? found : {};
}

/** Returns the array at the path `keys`, or an empty one. */
export function array(value: Json | undefined, ...keys: readonly string[]): readonly Json[] {
  const found = at(value, ...keys);
  return isArray(found) ? found : [];
}

/** Returns the strings of the array at the path `keys`. */
export function strings(value: Json | undefined, ...keys: readonly string[]): readonly string[] {
  return array(value, ...keys).filter((item) => typeof item === 'string');
}

/** Returns a copy of `value` with `key` set. `__proto__` becomes an ordinary own property. */
export function put(value: JsonObject, key: string, item: Json): JsonObject {
  // Spreading and computed names define own properties, also for `__proto__`.
  return { ...(Object.hasOwn(value, key) ? omit(value, key) : value), [key]: item };
}

/** Returns a copy of `value` with `key` replaced in its position, or added at the end. */
export function replace(value: JsonObject, key: string, item: Json): JsonObject {
  return { ...value, [key]: item };
}

/** Returns a copy of `value` without `keys`. */
export function omit(value: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(value, key))) return value;
  return filled(value, (name) => !keys.includes(name));
}

/** Returns a copy with the keys for which the predicate is true. Faster than entries for ordinary keys. */
function filled(
  value: { readonly [key: string]: Json | undefined },
  isKept: (key: string) => boolean,
): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === undefined || !isKept(key)) continue;
    if (key === '__proto__')
      Object.defineProperty(result, key, {
        value: item,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else result[key] = item;
  }
  return result;
}

/** Returns a copy of `value` with `item` at the path `keys`. Missing objects are created. */
export function putAt(value: JsonObject, keys: readonly string[], item: Json): JsonObject {
  const [head, ...rest] = keys;
  if (head === undefined) return value;
  return replace(value, head, rest.length === 0 ? item : putAt(object(value, head), rest, item));
}

/** Returns an object with own properties only, for any keys. */
export function fromEntries(entries: Iterable<readonly [string, Json]>): JsonObject {
  return Object.fromEntries(entries);
}

/**
 * Returns the object without keys whose value is `undefined`: converts literals with optional parts to JSON.
 */
export function compact(value: { readonly [key: string]: Json | undefined }): JsonObject {
  return filled(value, () => true);
}

/** Compares deeply, independent of the order of keys. */
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
