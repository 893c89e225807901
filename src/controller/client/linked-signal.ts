/** Signals that abort with any of several others, and leave no listener behind. */

import { setMaxListeners } from 'node:events';

/** A signal that follows others until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal | undefined;
  /** Removes all listeners. */
  release(): void;
}

/**
 * Returns a signal that aborts with the first of the others, with the same reason. With a single one it is
 * that signal. `AbortSignal.any` would keep each result alive as long as its sources.
 */
export function linkedSignal(signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const sources = signals.filter((signal) => signal !== undefined);
  if (sources.length < 2) return { signal: sources[0], release: () => undefined };
  const controller = new AbortController();
  const releases = sources.map((source) => follow(source, controller));
  const release = (): void => {
    for (const one of releases) one();
  };
  return { signal: controller.signal, release };
}

/** Allows any number of listeners on a signal that many calls share, for which Node.js warns otherwise. */
export function allowListeners(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

function follow(source: AbortSignal, controller: AbortController): () => void {
  const abort = (): void => controller.abort(source.reason);
  if (source.aborted) abort();
  else source.addEventListener('abort', abort, { once: true });
  return () => source.removeEventListener('abort', abort);
}
