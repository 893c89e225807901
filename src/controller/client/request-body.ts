/** Bodies of requests. Pure. */
import type { RESTRequest } from '@kgen/runtime/rest';

/** Returns the body of a request as JSON; `undefined` if it has none, or one that is not JSON. */
export function bodyOf({ object, body }: Pick<RESTRequest, 'object' | 'body'>): unknown {
  if (object !== undefined) return object;
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
