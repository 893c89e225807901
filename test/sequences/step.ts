/** Requests of a sequence, without anything that differs between servers. */
import type { HTTPMethod } from '@kgen/runtime/rest';
import type { Json } from '../../src/schema/values/json.ts';

/**
 * One request. Strings in its path, query and body have placeholders that are replaced when it is sent:
 * `{ns}`, the namespace of the sequence; `{address}`, the first half of IPv6 addresses that it alone uses;
 * `{rv}` and `{uid}`, those of the last object of a response;
 * `{rv:3}`, the fourth version of an object that responses had; `{continue}`, the last token.
 */
export interface Step {
  readonly method: HTTPMethod;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** Media type of the body. Default: JSON. */
  readonly type?: string;
  readonly accept?: string;
  /** User whom the administrator impersonates. */
  readonly user?: string;
  /** Further headers; names are lower-case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the body is a merge patch that the client applies to the object, which it reads before. */
  readonly isUpdate?: boolean;
  /** Whether a real server needs a moment for the effects of the request. */
  readonly settles?: boolean;
}

/** Prints a step in one line. */
export function printStep({
  method,
  path,
  query = {},
  body,
  type,
  accept,
  user,
  headers = {},
  isUpdate,
}: Step): string {
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return [
    isUpdate === true ? 'GET+PUT' : method,
    search.length === 0 ? path : `${path}?${search.join('&')}`,
    ...(type === undefined ? [] : [type.replace(/^application\//, '')]),
    ...(accept === undefined ? [] : [`Accept: ${accept}`]),
    ...(user === undefined ? [] : [`as ${user}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [typeof body === 'string' ? body : JSON.stringify(body)]),
  ].join(' ');
}
