/** Requests as they are sent where protobuf may come back, and what is sent where it should not. */
import type { ProtobufCodecs, Request, Response } from './types.ts';

/** The media type of protobuf. */
export const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** A request that may be protobuf. Its headers ask for JSON. */
export interface ProtobufRequest extends Request {
  readonly protobuf: ProtobufCodecs;
}

/** Whether an answer says that it is protobuf, whatever its parameters. */
export function isProtobuf({ headers }: Pick<Response, 'headers'>): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  return type.trim().toLowerCase() === PROTOBUF;
}

/** Whether the body is protobuf: it was made so. */
export function hasProtobufBody<R extends Request>(request: R): request is R & { readonly body: Uint8Array } {
  return request.headers['content-type'] === PROTOBUF && request.body instanceof Uint8Array;
}

/** The request with protobuf before the JSON that it asks for, in the same form. */
export function askingProtobuf(request: ProtobufRequest): ProtobufRequest {
  const { headers } = request;
  const accept = (headers['accept'] ?? '').replace(/^application\/json([^,]*)/, `${PROTOBUF}$1,$&`);
  return { ...request, headers: { ...headers, accept } };
}

/** The request with another body. */
export function withBody<R extends Request>(request: R, body: string | Uint8Array): R {
  const type = typeof body === 'string' ? 'application/json' : PROTOBUF;
  return { ...request, body, headers: { ...request.headers, 'content-type': type } };
}

/** Whether the request changes nothing, so that it may be sent once more. */
export function isRead({ method, query, object }: Request): boolean {
  if (method === 'GET' || query.some(([name, value]) => name === 'dryRun' && value === 'All')) return true;
  // A deletion says so in its body.
  const dryRun: unknown = object !== undefined && 'dryRun' in object ? object.dryRun : undefined;
  return Array.isArray(dryRun) && dryRun.includes('All');
}

/**
 * Whether a request writes, and asks for a form of the object. A server that does not know forms answers with the whole
 * object, of whatever kind; in JSON that can be read all the same.
 */
export function writesInForm(request: Request): boolean {
  return /;as=/.test(request.headers['accept'] ?? '') && !isRead(request);
}

/** Whether the server is asked to look for fields that it does not know: it does so in JSON alone. */
export function isValidated({ query }: Request): boolean {
  return query.some(([name, value]) => name === 'fieldValidation' && value !== 'Ignore');
}
