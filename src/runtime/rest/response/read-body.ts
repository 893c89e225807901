/** Readers of response bodies. */
import type { APIResponse } from '../../api/transport.ts';

/** Reads a whole body. */
export async function readAll(response: APIResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/**
 * Reads up to `limit` bytes of a body and discards the rest. Of a body that is interrupted, returns the bytes
 * before the interruption.
 */
export async function readSome(response: APIResponse, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) break;
    }
  } catch (error) {
    // Without any bytes, the error is the only information.
    if (length === 0) throw error;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/**
 * Reads a short remaining body, so that the connection can be reused; aborts the exchange if the body is
 * longer. Returns the bytes that were read.
 */
export async function discard(response: APIResponse): Promise<Uint8Array> {
  try {
    return await readSome(response, 2048);
  } catch {
    // The body is not needed: its errors are ignored.
    response.cancel();
    return new Uint8Array();
  }
}
