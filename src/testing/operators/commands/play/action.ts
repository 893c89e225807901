/** Actions of the page, whose values come from a browser. */

/** Reads a member of an action. Returns `undefined` for an invalid value. */
export type Field<T> = (value: unknown) => T | undefined;

/** Members of an action by their names. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Values of the members of an action. */
export type ValuesOf<F extends Fields> = { readonly [K in keyof F]: NonNullable<ReturnType<F[K]>> };

/** Returns the members of an action, or the name of the first one that is invalid. */
export function valuesOf<F extends Fields>(fields: F, action: object): ValuesOf<F> | string {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = field(Reflect.get(action, name));
    if (value === undefined) return name;
    values[name] = value;
  }
  // seam: every member was read by its field.
  return values as ValuesOf<F>;
}

/** A string that is not empty. */
export const text: Field<string> = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A string; empty if it is absent. */
export const optionalText: Field<string> = (value) =>
  value === undefined ? '' : typeof value === 'string' ? value : undefined;

/** An integer of a range. */
export function integer(least: number, most: number): Field<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : undefined;
}

/** One of several strings; the first one if it is absent. */
export function oneOf<const T extends string>(...names: readonly [T, ...T[]]): Field<T> {
  return (value) => (value === undefined ? names[0] : names.find((name) => name === value));
}
