/** Client options that apply to requests that do not set them. */

import type { APIRequest, APIResponse, Transport } from '../../api/transport.ts';
import { onDemand } from '../../common/on-demand.ts';
import { isProxied } from '../request/path.ts';

const limiter = onDemand(() => import('../response/limited-body.ts'));

/** Returns a transport that limits responses if the request or the client has a limit. */
export function limitingBodies(send: Transport, limit: number | undefined): Transport {
  return (request) => {
    const bytes = request.maxResponseBytes ?? limit;
    return bytes === undefined ? send(request) : sendLimited(send, request, bytes);
  };
}

async function sendLimited(send: Transport, request: APIRequest, bytes: number): Promise<APIResponse> {
  // Without `await` once it is loaded: the caller stays in stacks.
  const { sendLimited: limited } = limiter.loaded ?? (await limiter());
  return limited(send, request, bytes);
}

const noFieldManager =
  'fieldManager is missing, the name that owns the fields; set it in the options of the call or of the client';

/** Query parameters of a client that apply to writes without their own. */
export type WriteDefaults = readonly (readonly [
  name: 'fieldManager' | 'fieldValidation',
  value: string | undefined,
])[];

/**
 * Adds the client's defaults to a write.
 * @throws {TypeError} if an apply has no field manager
 */
export function withWriteDefaults(request: APIRequest, defaults: WriteDefaults): APIRequest {
  const { method, path, query, stream } = request;
  if (method[0] !== 'P' || stream || isProxied(path)) return request;
  const isGiven = (name: string): boolean => query.some(([known]) => known === name);
  const missing = defaults.filter(([name, value]) => value && !isGiven(name));
  const all =
    missing.length === 0 ? query : [...query, ...missing.map(([name, value = '']) => [name, value] as const)];
  if (request.operation.verb === 'apply' && !all.some(([name, value]) => name === 'fieldManager' && value)) {
    throw new TypeError(`apply ${request.operation.resource}: ${noFieldManager}`);
  }
  if (missing.length === 0) return request;
  return { ...request, query: all.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))) };
}
