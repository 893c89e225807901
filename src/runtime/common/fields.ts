/** Access to unvalidated values of JSON and YAML by own members only. */

/** The members of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not an array. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is a string and not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns an own member, never an inherited one. */
export function member(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Returns the value at a path of own members of objects; `undefined` if one is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  return valueAt(value, path);
}

/** Returns the value at a path of own members, like `memberAt`. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isFields(inner) ? member(inner, name) : undefined), value);
}

/** Returns the list at a path of own members; an empty one if there is none. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}
