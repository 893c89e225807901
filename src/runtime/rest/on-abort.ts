import { defaultMaxListeners, getMaxListeners, setMaxListeners } from 'node:events';

/**
 * Node warns of a leak at the eleventh listener of one signal. Here many are normal: one signal often ends everything
 * that a program has going on, and each listener goes with its call. A limit that somebody has set stays.
 */
function allowMany(signal: AbortSignal): void {
  try {
    if (getMaxListeners(signal) === defaultMaxListeners) setMaxListeners(0, signal);
  } catch {
    // No limit is left to lift, for which Node 20 throws, or this is not Node's own kind of signal.
  }
}

/** What aborting a signal does, for as long as nobody calls the function that comes back. */
export function onAbort(signal: AbortSignal, act: (reason: unknown) => void): () => void {
  allowMany(signal);
  const listener = (): void => act(signal.reason);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
