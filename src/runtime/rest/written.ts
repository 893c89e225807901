/** What was written, where the answer to it cannot be read in full: it cannot be asked for again, but be fetched. */
import { type Fields, isFields } from '../fields.ts';
import { discard } from './body.ts';
import { decodeBody } from './decode-body.ts';
import { pathSegment } from './path.ts';
import type { ProtobufRequest } from './protobuf-requests.ts';
import type { Request, Transport } from './types.ts';

function metadataOf(object: unknown): Fields {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  return isFields(metadata) ? metadata : {};
}

/** Where the object of a request is: that of a subresource is the object. */
function objectPath({ method, path, operation }: Request, name: string): string {
  if (operation.resource.includes('/')) return path.slice(0, path.lastIndexOf('/'));
  return method === 'POST' ? `${path}/${pathSegment(name, 'the name of the object')}` : path;
}

/** `undefined` where what was written is nothing that is stored: a review, a `Status`, a list. */
function fetchRequest(request: ProtobufRequest, written: unknown): Request | undefined {
  const { name, uid } = metadataOf(written);
  const isObject = isFields(written) && written['kind'] === request.protobuf.kind;
  if (!isObject || typeof name !== 'string' || name === '' || typeof uid !== 'string') return undefined;
  // Who looks on at the call sees this as a part of it: what else is in the request stays.
  const { protobuf: _, object: __, body: ___, headers, operation, ...same } = request;
  const { 'content-type': ____, ...others } = headers;
  return {
    ...same,
    method: 'GET',
    path: objectPath(request, name),
    query: [],
    headers: others,
    operation: { ...operation, verb: 'get', name },
  };
}

async function fetched(send: Transport, request: Request): Promise<unknown> {
  const response = await send(request);
  if (response.status === 200) return decodeBody(response, request.operation);
  await discard(response);
  return undefined;
}

/**
 * Fetches what a request has written, as JSON. Gives `answered` where it is gone meanwhile or cannot be fetched: the write
 * is done all the same.
 */
export async function fetchWritten(
  send: Transport,
  request: ProtobufRequest,
  answered: unknown,
): Promise<unknown> {
  try {
    const fetch = fetchRequest(request, answered);
    if (fetch === undefined) return answered;
    const object = await fetched(send, fetch);
    return metadataOf(object)['uid'] === metadataOf(answered)['uid'] ? object : answered;
  } catch {
    request.signal?.throwIfAborted();
    // That it cannot be fetched is no failure of the write.
    return answered;
  }
}
