import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { errorCode } from '../abort/error-codes.ts';
import type { Incoming } from './response-body.ts';

/**
 * Each chunk is a job for another thread and an event-loop turn: few large chunks take less time than many
 * small ones.
 */
const chunkSize = 128 * 1024;

/**
 * Yields the decompressed bytes of a gzip body. Ends when the reader cancels the body. An empty body, as in
 * the response to HEAD or with 204, yields nothing.
 * @throws {DecodeError} if the body is not gzip, or is cut off
 */
export async function* gunzipped(
  body: Incoming,
  operation: RequestOperation,
): AsyncGenerator<Uint8Array, void> {
  const first = await body.next();
  if (first.done === true) return;
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  const gunzip = createGunzip({ chunkSize });
  gunzip.write(first.value);
  // The pipeline destroys each stream if the other fails or is abandoned; the loop below throws the error
  // itself.
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) {
      if (body.cancelled) return;
      yield chunk;
    }
  } catch (cause) {
    if (body.cancelled) return;
    if (!errorCode(cause)?.startsWith('Z_')) throw cause;
    throw new DecodeError('the response is incomplete, or not gzip', operation, { cause });
  }
}
