/** Query parameters, sorted by name. */

/** Value of a parameter. Lists repeat the name; `undefined` omits it. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** Names and values, sorted by name; values of one name keep their order. */
export type Query = readonly (readonly [name: string, value: string])[];

/**
 * Builds a query from parameters. Empty strings are omitted, as they have no effect; lists are repeated.
 * @throws {TypeError} if a value is another object, such as a `Date`, which plain JavaScript may pass
 */
export function queryOf(parameters: Readonly<Record<string, QueryValue>>): Query {
  const pairs: [string, string][] = [];
  for (const name of Object.keys(parameters)) {
    const value = parameters[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'object') pairs.push([name, String(value)]);
    else if (Array.isArray(value)) for (const one of value) pairs.push([name, String(one)]);
    else throw new TypeError(`the query parameter ${name} must not be an object; convert it to a string`);
  }
  return pairs.length < 2 ? pairs : pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Characters that are the same in an encoded query: most queries have no others. */
const plain = /^[\w.*-]*$/;

/** Encodes a query for a URL: spaces are `+`. */
export function encodeQuery(query: Query): string {
  if (query.every(([name, value]) => plain.test(name) && plain.test(value)))
    return query.map((pair) => pair.join('=')).join('&');
  return new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString();
}
