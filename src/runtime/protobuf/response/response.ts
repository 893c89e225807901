/** Decoder of protobuf responses, as their bytes arrive. */

import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse } from '../../api/transport.ts';
import { cancel } from '../../common/callbacks.ts';
import { TimeSlice } from '../../common/time-slice.ts';
import { type LongList, type ResponseOptions, ResponseReader } from './response-envelope.ts';

/** Maximum size of a body that is decoded at once, which takes about a millisecond. */
const shortBytes = 256 * 1024;

/**
 * Reads and decodes a body: an object or a list of a kind of `codecs`, a `Status`, or metadata. Items of
 * lists have apiVersion and kind. A list of any size is decoded as it arrives, without blocking the event
 * loop.
 * @throws {DecodeError} truncated or malformed bytes, not an envelope, or another kind; `UnknownFieldError`
 * for unknown fields
 */
export async function decodeResponse(
  response: APIResponse,
  operation: RequestOperation,
  options: ResponseOptions,
): Promise<unknown> {
  const reader = new ResponseReader(operation, options);
  try {
    const slice = new TimeSlice();
    const value = await decode(response.body[Symbol.asyncIterator](), reader, slice);
    options.decoded?.('protobuf', slice.workedMs);
    return value;
  } catch (error) {
    // The rest of a malformed body is not read.
    cancel(response);
    throw error;
  } finally {
    reader.forget();
  }
}

async function decode(
  body: AsyncIterator<Uint8Array>,
  reader: ResponseReader,
  slice: TimeSlice,
): Promise<unknown> {
  const head = await slice.input(read(body, shortBytes));
  if (head.length <= shortBytes) return reader.read(head);
  const list = reader.begin(head);
  if (list !== undefined) return decodeLong(list, body, slice);
  return reader.read(Buffer.concat([head, await slice.input(read(body))]));
}

async function decodeLong(
  { list, finish }: LongList,
  body: AsyncIterator<Uint8Array>,
  slice: TimeSlice,
): Promise<unknown> {
  for (let step = list.step(); step !== 'ended'; step = list.step()) {
    if (step === 'incomplete') {
      const next = await slice.input(body.next());
      if (next.done === true) throw list.cutOff();
      list.push(next.value);
    }
    if (slice.over) await slice.next();
  }
  return finish(await slice.input(read(body)));
}

/** Reads the rest, or until there are more than `limit` bytes. */
async function read(body: AsyncIterator<Uint8Array>, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= limit) {
    const next = await body.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return Buffer.concat(chunks);
}
