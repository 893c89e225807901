/** Operations other than requests that are aborted when their client is closed. */

import type { Operation } from '../../api/operation.ts';
import { clientClosed } from './error-codes.ts';
import { onAbort } from './on-abort.ts';

/**
 * By a client, or by an error that ended one of its watches: the signal that aborts when the client is
 * closed.
 */
export const closedSignals: WeakMap<object, AbortSignal> = new WeakMap();

/**
 * Waits on behalf of a request. `begin` receives a signal that aborts with that of the request, and when
 * `closed` aborts: then its reason is a `TransportError` with the code `CLIENT_CLOSED`. All listeners are
 * removed.
 */
export async function untilClosed<T>(
  closed: AbortSignal | undefined,
  { signal, operation }: { readonly signal?: AbortSignal | undefined; readonly operation: Operation },
  begin: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (closed === undefined) return begin(signal);
  const controller = new AbortController();
  const close = (): void => controller.abort(clientClosed(operation));
  const abort = (reason: unknown): void => controller.abort(reason);
  const forget = [onAbort(closed, close), ...(signal === undefined ? [] : [onAbort(signal, abort)])];
  if (closed.aborted) close();
  else if (signal?.aborted === true) abort(signal.reason);
  try {
    return await begin(controller.signal);
  } finally {
    for (const one of forget) one();
  }
}
