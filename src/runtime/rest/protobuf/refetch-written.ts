/**
 * Fetches the object after a write whose protobuf response has unknown content: the write cannot be repeated.
 */

import type { APIRequest, Transport } from '../../api/transport.ts';
import { type Fields, isFields } from '../../common/fields.ts';
import { pathSegment } from '../request/path.ts';
import { decodeBody } from '../response/decode-body.ts';
import { discard } from '../response/read-body.ts';
import type { ProtobufRequest } from './requests.ts';

/**
 * Fetches the object that a request has written, as JSON. Returns `answered` if it is deleted meanwhile or
 * cannot be fetched: the write succeeded nevertheless.
 */
export async function fetchWritten(
  send: Transport,
  request: ProtobufRequest,
  responded: unknown,
): Promise<unknown> {
  try {
    const fetch = fetchRequest(request, responded);
    if (fetch === undefined) return responded;
    const object = await fetched(send, fetch);
    return metadataOf(object)['uid'] === metadataOf(responded)['uid'] ? object : responded;
  } catch {
    request.signal?.throwIfAborted();
    // A failed fetch does not fail the write.
    return responded;
  }
}

async function fetched(send: Transport, request: APIRequest): Promise<unknown> {
  const response = await send(request);
  if (response.status === 200) return decodeBody(response, request.operation);
  await discard(response);
  return undefined;
}

function metadataOf(object: unknown): Fields {
  const metadata = isFields(object) ? object['metadata'] : undefined;
  return isFields(metadata) ? metadata : {};
}

/** Returns `undefined` for writes that store no object: a review, a `Status`, a list. */
function fetchRequest(request: ProtobufRequest, written: unknown): APIRequest | undefined {
  const { name, uid } = metadataOf(written);
  const isObject = isFields(written) && written['kind'] === request.protobuf.kind;
  if (!isObject || typeof name !== 'string' || name === '' || typeof uid !== 'string') return undefined;
  // Observers see this as a part of the call: the other members of the request stay.
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

/** Returns the path of the object of a request; for a subresource, that of the object. */
function objectPath({ method, path, operation }: APIRequest, name: string): string {
  if (operation.resource.includes('/')) return path.slice(0, path.lastIndexOf('/'));
  return method === 'POST' ? `${path}/${pathSegment(name, 'the name of the object')}` : path;
}
