/** Responses of servers that are not trusted. Loaded with the first request that has `maxResponseBytes`. */

import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIRequest, APIResponse, Transport } from '../../api/transport.ts';
import { cancel } from '../../common/callbacks.ts';

/**
 * Sends a request whose response may have at most `limit` bytes after decompression: each event of a watch,
 * otherwise the whole body. Bodies of other streams (`stream`) have no limit, and those of error responses
 * are cut off.
 * @throws {DecodeError} when the body is read and exceeds the limit; the connection is released
 * @throws {RangeError} if the limit is invalid
 */
export async function sendLimited(send: Transport, request: APIRequest, limit: number): Promise<APIResponse> {
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

function isWatch({ query }: APIRequest): boolean {
  return query.some(([name, value]) => name === 'watch' && value === 'true');
}

/** Yields the first `limit` bytes of a body; throws for more bytes if `operation` is set. */
async function* limited(
  response: APIResponse,
  limit: number,
  operation: RequestOperation | undefined,
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

function tooLong(limit: number, operation: RequestOperation): DecodeError {
  return new DecodeError(`the response exceeds the limit of ${limit} bytes (maxResponseBytes)`, operation);
}

/** @throws {RangeError} if the limit is invalid */
function checkLimit(limit: number): void {
  if (limit >= 1) return;
  throw new RangeError(`maxResponseBytes must be >= 1, got ${limit}`);
}
