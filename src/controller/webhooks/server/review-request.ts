/** Parts of the requests of API servers: time limit, content type and body. */
import type { IncomingMessage } from 'node:http';
import { durationToMilliseconds } from '@kgen/runtime/duration';

/** Time that API servers wait by default, in milliseconds. They wait 30 s for each conversion. */
const admissionMs = 10_000;
const conversionMs = 30_000;
/** Longest time that a configuration can state, in milliseconds. */
const maxMs = 30_000;
/** Time for the way of the response: a tenth of the limit, at most this number of milliseconds. */
const maxMarginMs = 500;

/**
 * Returns the time for a review in milliseconds: that of the parameter `timeout`, a duration of Go such as
 * `10s`, less the time for the way of the response. Without a valid one, API servers wait for 10 s, and for
 * 30 s for a conversion.
 */
export function reviewMs(timeout: string | null, isConversion: boolean): number {
  const limitMs = Math.min(durationMs(timeout) ?? (isConversion ? conversionMs : admissionMs), maxMs);
  return limitMs - Math.min(limitMs / 10, maxMarginMs);
}

function durationMs(text: string | null): number | undefined {
  if (text === null || text.length > 50) return undefined;
  try {
    const ms = durationToMilliseconds(text);
    return ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a body is JSON by its `Content-Type`. */
export function isJson(contentType = ''): boolean {
  return /^application\/json *(;|$)/i.test(contentType.trim());
}

/** Error of a body: longer than allowed, or not complete. */
export type BodyProblem = 'too large' | 'incomplete' | 'late';

/**
 * Reads a body. Of a longer one than `maxBytes`, nothing is read if its length is declared, and at most that
 * number of bytes otherwise. Never rejects.
 */
export function bodyOf(
  request: IncomingMessage,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Uint8Array | BodyProblem> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve('too large');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (result: Uint8Array | BodyProblem): void => {
      request.removeListener('data', read).removeListener('end', complete).removeListener('close', closed);
      signal.removeEventListener('abort', late);
      request.pause();
      resolve(result);
    };
    const read = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) end('too large');
      else chunks.push(chunk);
    };
    const complete = (): void => {
      const [only] = chunks;
      end(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, bytes));
    };
    const closed = (): void => end('incomplete');
    const late = (): void => end('late');
    signal.addEventListener('abort', late);
    request.on('data', read).on('end', complete).on('close', closed);
    request.on('error', () => undefined); // `close` follows.
    if (signal.aborted) late();
  });
}
