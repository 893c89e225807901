/** Client options that apply to requests that do not set them. */

import type { APIRequest, APIResponse, Transport } from '../../api/transport.ts';
import { isProxied } from '../request/path.ts';

/** Loaded once: an `import()` per request would be slow. */
let limiter: typeof import('../response/limited-body.ts') | undefined;

/** Returns a transport that limits responses if the request or the client has a limit. */
export function limitingBodies(send: Transport, limit: number | undefined): Transport {
  return (request) => {
    const bytes = request.maxResponseBytes ?? limit;
    return bytes === undefined ? send(request) : sendLimited(send, request, bytes);
  };
}

async function sendLimited(send: Transport, request: APIRequest, bytes: number): Promise<APIResponse> {
  limiter ??= await import('../response/limited-body.ts');
  return limiter.sendLimited(send, request, bytes);
}

/** Adds the client's `fieldValidation` to a write that has none of its own. */
export function validated(request: APIRequest, value: 'Ignore' | 'Warn' | 'Strict' | undefined): APIRequest {
  const { method, path, query, stream } = request;
  const writes = value && method[0] === 'P' && !stream && !isProxied(path);
  if (!writes || query.some(([name]) => name === 'fieldValidation')) return request;
  const all: APIRequest['query'] = [...query, ['fieldValidation', value]];
  return { ...request, query: all.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))) };
}
