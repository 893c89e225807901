/** Parameters of queries, as Go reads them. */
import { badRequest } from '../errors/failures.ts';

/**
 * Returns a boolean query parameter: any value except `false` and `0` is true. `undefined` if it is absent.
 */
export function boolean(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value.toLowerCase() !== 'false' && value !== '0';
}

/**
 * Returns an integer query parameter. `undefined` if it is absent.
 * @throws {Failure} 400 for other values
 */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^-?\d+$/.test(value)) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing "${value}": invalid syntax`);
}
