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

/**
 * Returns `value` with `key` replaced in its position, or added at the end: `value` itself if it has that
 * item already, so that equal parts of two objects stay identical.
 */
export function replace(value: JsonObject, key: string, item: Json): JsonObject {
  return Object.hasOwn(value, key) && value[key] === item ? value : { ...value, [key]: item };
}

/** Returns a copy of `value` without `keys`. */
export function omit(value: JsonObject, ...keys: readonly string[]): JsonObject {
  if (!keys.some((key) => Object.hasOwn(value, key))) return value;
  return filled(value, (name) => !keys.includes(name));
}

/** Returns a copy with the keys for which the predicate is true. */
function filled(
  value: { readonly [key: string]: Json | undefined },
  isKept: (key: string) => boolean,
): JsonObject {
  return mapped(value, (key, item) => (isKept(key) ? item : undefined));
}

/** Returns a copy with other items, without those that are `undefined`. Faster than entries. */
export function mapped(
  value: { readonly [key: string]: Json | undefined },
  change: (key: string, item: Json) => Json | undefined,
): JsonObject {
  const result: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const before = value[key];
    const item = before === undefined ? undefined : change(key, before);
    if (item === undefined) continue;
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

/** Returns `value` with `item` at the path `keys`, as `replace` does. Missing objects are created. */
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

/** Returns `next`, or `value` if both have identical members in the same order. */
export function unlessSame(value: JsonObject, next: JsonObject): JsonObject {
  const keys = Object.keys(value);
  const others = Object.keys(next);
  const isSame =
    keys.length === others.length &&
    keys.every((key, index) => key === others[index] && value[key] === next[key]);
  return isSame ? value : next;
}

/** Returns `next`, or `items` if both have identical elements. */
export function unlessSameItems(items: readonly Json[], next: readonly Json[]): readonly Json[] {
  const isSame = items.length === next.length && items.every((item, index) => item === next[index]);
  return isSame ? items : next;
}

/**
 * Returns `next` with the parts of `value` in place of equal ones, so that later comparisons see that they
 * are identical.
 */
export function sharing(value: Json | undefined, next: Json): Json {
  if (value === next) return next;
  if (isArray(value) && isArray(next))
    return unlessSameItems(
      value,
      next.map((item, index) => sharing(value[index], item)),
    );
  return isObject(value) && isObject(next) ? sharingMembers(value, next) : next;
}

/** Returns `next` with the parts of `value` in place of equal ones; `value` if all are equal. */
export function sharingMembers(value: JsonObject, next: JsonObject): JsonObject {
  return unlessSame(
    value,
    mapped(next, (key, item) => sharing(own(value, key), item)),
  );
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
