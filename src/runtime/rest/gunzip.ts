import { DecodeError } from '../errors.ts';
import { errorCode } from './codes.ts';
import type { Incoming } from './incoming.ts';
import type { Operation } from './types.ts';

/** Each chunk is a job for another thread and a turn of the event loop: few large ones take less time than many. */
const chunkSize = 128 * 1024;

/**
 * The bytes of a gzip body as they were before compression. A body that its reader cancels ends there; one without bytes,
 * as behind a HEAD or a 204, has none.
 * @throws {DecodeError} the body is not gzip, or is cut off
 */
export async function* gunzipped(body: Incoming, operation: Operation): AsyncGenerator<Uint8Array, void> {
  const first = await body.next();
  if (first.done === true) return;
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  const gunzip = createGunzip({ chunkSize });
  gunzip.write(first.value);
  // Each end that breaks or is left breaks the other; the error itself comes out of the loop below.
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) {
      if (body.cancelled) return;
      yield chunk;
    }
  } catch (cause) {
    if (body.cancelled) return;
    if (!errorCode(cause)?.startsWith('Z_')) throw cause;
    throw new DecodeError('the answer is not complete, or not gzip', operation, { cause });
  }
}
