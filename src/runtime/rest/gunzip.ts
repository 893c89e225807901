import { DecodeError } from '../errors.ts';
import { errorCode } from './codes.ts';
import type { Operation, Response } from './types.ts';

async function* inflate(
  body: AsyncIterable<Uint8Array>,
  operation: Operation,
): AsyncGenerator<Uint8Array, void> {
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  const gunzip = createGunzip();
  // Each end that breaks or is left breaks the other; the error itself comes out of the loop below.
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk;
  } catch (cause) {
    if (!errorCode(cause)?.startsWith('Z_')) throw cause;
    throw new DecodeError('the answer is not complete, or not gzip', operation, { cause });
  }
}

/** The answer with its body as it was before compression. Anything but gzip is left alone. */
export function gunzipped(response: Response, operation: Operation): Response {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  return { ...response, body: inflate(response.body, operation) };
}
