/** Reading the body of an answer. */
import type { Response } from './types.ts';

/** Reads all of a body. */
export async function readAll(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
}

/** Reads up to `limit` bytes of a body and drops the rest. A body that breaks off gives what came before. */
export async function readSome(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) break;
    }
  } catch (error) {
    // What came is all there will be; without any of it the failure itself is the news.
    if (length === 0) throw error;
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

/** Reads a small rest, so that the connection can be used again; ends the exchange when there is more. Gives what was read. */
export async function discard(response: Response): Promise<Uint8Array> {
  try {
    return await readSome(response, 2048);
  } catch {
    // Nobody waits for this body: how it ends does not matter.
    response.cancel();
    return new Uint8Array();
  }
}
