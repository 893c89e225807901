/** Values of JSON and YAML that may be anything, looked at by their own members: what is inherited is none of the data. */

/** The members of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member of its own: nothing that every object inherits. */
export function member(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
