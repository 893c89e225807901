/** Streams that have a limited time to begin. Loaded with the first of them. */
import { checkTimeout, type Limits, timedOut, timerMs } from './deadline.ts';
import { onAbort } from './on-abort.ts';
import type { Operation, Response } from './types.ts';

const nothing = (): void => undefined;

/** The same bytes; `ended` is called when there are no more, or no more are wanted. */
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

/** The same response; `ended` is called at the end of its body. */
function observedResponse(response: Response, ended: () => void): Response {
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

/**
 * Limits the time until a stream begins. Once it has begun only the caller's signal ends it: the signal that `begin` gets
 * stands for both. At the end of the stream nothing of it is left with the caller's signal, which may be that of a whole
 * program: on Node 20, `AbortSignal.any` would leave an entry there for each call.
 * @throws {TimeoutError} it has not begun after `timeoutMs`
 * @throws {RangeError} `timeoutMs` is no time
 */
export async function beginningWithin(
  { signal, timeoutMs }: Limits & { readonly timeoutMs: number },
  operation: Operation,
  begin: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
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
