/** Decoders of JSON and plain text bodies. */

import type { RequestOperation } from '../../api/operation.ts';
import type { APIRequest, APIResponse, DecodeObserver, ReadItem } from '../../api/transport.ts';
import { decodeJson, wholeText } from '../../codec/json.ts';
import { onDemand } from '../../common/on-demand.ts';
import { heldResponse } from './buffered-response.ts';
import { readAll } from './read-body.ts';

const jsonStream = onDemand(() => import('../../codec/json-stream.ts'));

/** Maximum bytes of a body that is decoded synchronously. */
const shortBytes = 256 * 1024;

/**
 * Reads and decodes a body. A long body is decoded as it arrives, without blocking the event loop, as lists
 * may be of any size. A short body is decoded synchronously, which takes about a millisecond, unless its
 * items are read one by one.
 * @throws {DecodeError} if the body is empty, cut off, or not JSON
 */
export async function decodeBody(
  response: APIResponse,
  operation: RequestOperation,
  readItem?: ReadItem,
  decoded?: DecodeObserver,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const rest = response.body[Symbol.asyncIterator]();
  let length = 0;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    chunks.push(next.value);
    length += next.value.length;
    if (length > shortBytes) return decodeLong(response, { chunks, rest, readItem, decoded }, operation);
  }
  if (readItem !== undefined) return decodeLong(response, { chunks, rest, readItem, decoded }, operation);
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  return decodeJson(bytes, operation, response.headers['content-type']);
}

/**
 * Decodes JSON, or returns a string if the response declares plain text or has no content: the log of a pod
 * without a node, and a success of a write without a body.
 * @throws {DecodeError} as `decodeBody`
 */
export async function decodeAny(
  response: APIResponse,
  { method, operation }: Pick<APIRequest, 'method' | 'operation'>,
): Promise<unknown> {
  const isText = /^text\/plain\b/i.test(response.headers['content-type'] ?? '');
  if (isText || response.status === 204) return wholeText(await readAll(response), operation);
  if (method === 'GET') return decodeBody(response, operation);
  const bytes = await readAll(response);
  return bytes.length === 0 ? '' : decodeBody(heldResponse(response, bytes), operation);
}

interface Begun {
  readonly chunks: readonly Uint8Array[];
  readonly rest: AsyncIterator<Uint8Array>;
  readonly readItem: ReadItem | undefined;
  readonly decoded: DecodeObserver | undefined;
}

async function decodeLong(
  response: APIResponse,
  { chunks, ...begun }: Begun,
  operation: RequestOperation,
): Promise<unknown> {
  const head = Buffer.concat(chunks);
  const long = await jsonStream();
  return long.decodeResponse(response, { head, operation, ...begun });
}
