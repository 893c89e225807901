/** Responses of servers that are not trusted. Loaded with the first request that has `maxResponseBytes`. */

import { cancel } from '../callbacks.ts';
import { DecodeError } from '../errors.ts';
import type { Operation, Request, Response, Transport } from './types.ts';

/** @throws {RangeError} a limit that no response could keep */
function checkLimit(limit: number): void {
  if (limit >= 1) return;
  throw new RangeError(`maxResponseBytes is not a number of bytes from 1: ${limit}`);
}

function tooLong(limit: number, operation: Operation): DecodeError {
  return new DecodeError(
    `the response has more than ${limit} bytes, which is the limit of this client (maxResponseBytes)`,
    operation,
  );
}

/** The first `limit` bytes of a body; what comes after them makes it fail where `operation` is given. */
async function* limited(
  response: Response,
  limit: number,
  operation: Operation | undefined,
): AsyncGenerator<Uint8Array, void> {
  let left = limit;
  for await (const chunk of response.body) {
    left -= chunk.length;
    if (left < 0) {
      cancel(response);
      if (operation !== undefined) throw tooLong(limit, operation);
      yield chunk.subarray(0, chunk.length + left);
      return;
    }
    yield chunk;
  }
}

function isWatch({ query }: Request): boolean {
  return query.some(([name, value]) => name === 'watch' && value === 'true');
}

/**
 * Sends a request whose response may have at most `limit` bytes, after decompression: each event of a watch, or the whole
 * body otherwise. A body that is handed out as it arrives (`stream`) has no limit, and that of a failure is cut off.
 * @throws {DecodeError} the body, once it is read, has more; then the connection is released
 * @throws {RangeError} no such limit
 */
export async function sendLimited(send: Transport, request: Request, limit: number): Promise<Response> {
  checkLimit(limit);
  const response = await send(request);
  const { status, headers, readFrame } = response;
  const isSuccess = status >= 200 && status < 300;
  const cancel = (): void => response.cancel();
  if (isSuccess && request.stream) {
    const { body } = response;
    const more = { maxEventBytes: limit, ...(readFrame && { readFrame }) };
    return isWatch(request) ? { status, headers, body, cancel, ...more } : response;
  }
  const body = limited(response, limit, isSuccess ? request.operation : undefined);
  return { status, headers, body, cancel };
}
