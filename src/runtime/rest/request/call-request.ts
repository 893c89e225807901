/** Requests of the methods of `RESTClient`, as values. */
import type { RequestOptions } from '../../api/options.ts';
import type { APIRequest, RESTRequest } from '../../api/transport.ts';
import { jsonOf } from '../../codec/integers/write-json.ts';
import type { BodyOptions } from '../calls.ts';
import { lowerCased } from './headers.ts';
import { expandPath, isProxied } from './path.ts';
import { queryOf } from './query.ts';

/** Methods of requests to arbitrary paths. */
export type CallMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const bodyTypes: Readonly<Record<CallMethod, string>> = {
  GET: 'application/json',
  POST: 'application/json',
  PUT: 'application/json',
  PATCH: 'application/merge-patch+json',
  DELETE: 'application/json',
};

/** Returns the request members that the options of all methods share. */
export function commonParts({
  signal,
  timeoutMs,
  impersonate,
  maxResponseBytes,
}: RequestOptions): Pick<APIRequest, 'signal' | 'timeoutMs' | 'impersonate' | 'maxResponseBytes'> {
  return { signal, timeoutMs, impersonate, maxResponseBytes };
}

/** Builds the request of one of the methods `get`, `post`, … */
export function callRequest(method: CallMethod, path: string, options: BodyOptions = {}): RESTRequest {
  const { body, contentType = bodyTypes[method] } = options;
  const expanded = expandPath(path, options.path);
  checkEnd(method, expanded);
  return {
    method,
    path: expanded,
    query: queryOf(options.query ?? {}),
    headers: {
      // Accepts other media types for endpoints without JSON: metrics, or keys, which have their own media
      // type.
      accept: 'application/json, */*',
      ...(body !== undefined && { 'content-type': contentType }),
      ...lowerCased(options.headers),
    },
    ...(body !== undefined && { body: encodeBody(body), source: body }),
    ...commonParts(options),
  };
}

/** With an empty name at the end of the path, a request for one object would apply to all objects. */
function checkEnd(method: CallMethod, path: string): void {
  if (method === 'GET' || !path.endsWith('/') || isProxied(path)) return;
  throw new TypeError(`the path to ${method} ends with an empty name: ${JSON.stringify(path)}`);
}

function encodeBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  const text = jsonOf(body);
  if (text === undefined)
    throw new TypeError(`a ${typeof body} cannot be sent as a body: pass an object, a string or bytes`);
  return text;
}
