/** JSON values, accessed by own properties only. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    const other: readonly unknown[] = b;
    return a.every((item, index) => isEqual(item, other[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const fields = fieldsOf(b);
  const ours = [...fieldsOf(a)];
  return (
    ours.length === fields.size &&
    ours.every(([key, value]) => fields.has(key) && isEqual(value, fields.get(key)))
  );
}
