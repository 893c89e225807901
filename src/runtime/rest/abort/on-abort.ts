import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

/** Calls `act` when a signal aborts, until the returned function is called. */
export function onAbort(signal: AbortSignal, act: (reason: unknown) => void): () => void {
  allowMany(signal);
  const listener = (): void => act(signal.reason);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/**
 * Node warns of a leak at the eleventh listener of one signal. Here many are normal: one signal often ends
 * all calls of a program, and each listener is removed with its call. A limit that was set is kept.
 */
function allowMany(signal: AbortSignal): void {
  try {
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(0, signal);
  } catch {
    // The limit was removed before, for which Node 20 throws, or this is not Node's own kind of signal.
  }
}
