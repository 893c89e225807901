/** Time limit for the beginning of streams. Loaded with the first stream. */

import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse } from '../../api/transport.ts';
import { checkTimeout, type Limits, timedOut, timerMs } from './deadline.ts';
import { onAbort } from './on-abort.ts';

const nothing = (): void => undefined;

/**
 * Limits the time until a stream begins. After that only the caller's signal ends it: the signal that `begin`
 * receives combines both. At the end of the stream, no listener is left on the caller's signal, which may
 * live as long as the program: on Node 20, `AbortSignal.any` would leave an entry per call.
 * @throws {TimeoutError} if the stream has not begun after `timeoutMs`
 * @throws {RangeError} if `timeoutMs` is invalid
 */
export async function beginningWithin(
  { signal, timeoutMs }: Limits & { readonly timeoutMs: number },
  operation: RequestOperation,
  begin: (signal: AbortSignal) => Promise<APIResponse>,
): Promise<APIResponse> {
  checkTimeout(timeoutMs);
  signal?.throwIfAborted();
  const both = new AbortController();
  const abort = (reason: unknown): void => both.abort(reason);
  const forget = signal === undefined ? nothing : onAbort(signal, abort);
  const expire = (): void => abort(timedOut(both.signal, timeoutMs, operation));
  const timer = setTimeout(expire, timerMs(timeoutMs));
  try {
    const response = await begin(both.signal);
    return signal === undefined ? response : observedResponse(response, forget);
  } catch (error) {
    forget();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the response with a body that calls `ended` at its end. */
function observedResponse(response: APIResponse, ended: () => void): APIResponse {
  const { status, headers, body, readFrame, maxEventBytes } = response;
  const cancel = (): void => {
    ended();
    response.cancel();
  };
  return {
    status,
    headers,
    body: observed(body, ended),
    cancel,
    ...(maxEventBytes !== undefined && { maxEventBytes }),
    ...(readFrame && { readFrame: (frame) => readFrame.call(response, frame) }),
  };
}

/** Yields the chunks of `body`; calls `ended` when it is exhausted or its reader stops. */
function observed(body: AsyncIterable<Uint8Array>, ended: () => void): AsyncIterable<Uint8Array> {
  const iterate = (): AsyncIterator<Uint8Array> => {
    const chunks = body[Symbol.asyncIterator]();
    return {
      next: () => {
        const next = chunks.next();
        next.then(({ done }) => (done ? ended() : undefined), ended);
        return next;
      },
      return: async () => {
        ended();
        return (await chunks.return?.()) ?? { done: true, value: undefined };
      },
    };
  };
  return { [Symbol.asyncIterator]: iterate };
}
