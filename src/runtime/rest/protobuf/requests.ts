/** Requests for which protobuf may be sent or returned. */
import type { APIRequest, APIResponse, ProtobufCodecs } from '../../api/transport.ts';

/** Media type of Kubernetes protobuf. */
export const protobuf = 'application/vnd.kubernetes.protobuf';

/** Media type of most requests and responses that are not protobuf. */
const json = 'application/json';
const protobufOrJson = `${protobuf},${json}`;

/** A request that may be protobuf. Its headers request JSON. */
export interface ProtobufRequest extends APIRequest {
  readonly protobuf: ProtobufCodecs;
}

/** Returns whether a response is declared as protobuf, with any parameters. */
export function isProtobuf({ headers }: Pick<APIResponse, 'headers'>): boolean {
  const declared = headers['content-type'] ?? '';
  if (declared === protobuf || declared === json) return declared === protobuf;
  const [type = ''] = declared.split(';');
  return type.trim().toLowerCase() === protobuf;
}

/** Returns whether the body is encoded as protobuf. */
export function hasProtobufBody<R extends APIRequest>(
  request: R,
): request is R & { readonly body: Uint8Array } {
  return request.headers['content-type'] === protobuf && request.body instanceof Uint8Array;
}

/** Returns the request with protobuf before JSON in its `Accept` header, in the same representation. */
export function acceptingProtobuf(request: ProtobufRequest): ProtobufRequest {
  const { headers } = request;
  const given = headers['accept'] ?? '';
  const accept =
    given === json ? protobufOrJson : given.replace(/^application\/json([^,]*)/, `${protobuf}$1,$&`);
  return { ...request, headers: { ...headers, accept } };
}

/** Returns the request with another body. */
export function withBody<R extends APIRequest>(request: R, body: string | Uint8Array): R {
  const type = typeof body === 'string' ? 'application/json' : protobuf;
  return { ...request, body, headers: { ...request.headers, 'content-type': type } };
}

/** Returns whether the request has no effect on the server, so that it may be repeated. */
export function isRead({ method, query, object }: APIRequest): boolean {
  if (method === 'GET' || query.some(([name, value]) => name === 'dryRun' && value === 'All')) return true;
  // Deletions contain `dryRun` in their body.
  const dryRun: unknown = object !== undefined && 'dryRun' in object ? object.dryRun : undefined;
  return Array.isArray(dryRun) && dryRun.includes('All');
}

/**
 * Returns whether a request is a write that requests a representation such as a table. A server that does not
 * support it returns the whole object, of any kind, which can be decoded only in JSON.
 */
export function writesInForm(request: APIRequest): boolean {
  return (request.headers['accept'] ?? '').includes(';as=') && !isRead(request);
}

/** Returns whether the server checks for unknown fields: it does so only in JSON. */
export function isValidated({ query }: APIRequest): boolean {
  return query.some(([name, value]) => name === 'fieldValidation' && value !== 'Ignore');
}
