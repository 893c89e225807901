/** Query parameters as values, in the order of their names. */

/** A parameter as callers give it. Lists repeat the name; `undefined` leaves it out. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Names and values, sorted by name; values of one name keep their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Makes a query from what callers give. Empty text is left out, as it means the same as nothing; lists are repeated.
 * @throws {TypeError} a value is some other object, such as a `Date`, which plain JavaScript can get here
 */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): Query {
  const pairs = Object.entries(parameters).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || value === null || value === '') return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    if (!Array.isArray(value))
      throw new TypeError(`the query parameter ${name} is an object; write it as text`);
    return value.map((one) => [name, String(one)]);
  });
  return pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Writes a query as it goes into a URL: spaces are `+`. */
export function encodeQuery(query: Query): string {
  return query.length === 0
    ? ''
    : new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
}
