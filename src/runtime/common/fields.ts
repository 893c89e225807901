/** Access to unvalidated values of JSON and YAML by own members only. */

/** The members of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own member, never an inherited one. */
export function member(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
