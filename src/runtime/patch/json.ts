/** JSON values, looked at by their own properties only: what is inherited is none of the data. */

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

/** Whether two values are one as JSON: the order of fields says nothing, that of lists does. */
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
