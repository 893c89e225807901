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
 * @param lasting followers of a further signal, which outlives the others
 */
export function linkedSignal(
  signals: readonly (AbortSignal | undefined)[],
  lasting?: SignalFollowers,
): LinkedSignal {
  const sources = signals.filter((signal) => signal !== undefined);
  if (sources.length < 2 && lasting === undefined) return { signal: sources[0], release: () => undefined };
  const controller = new AbortController();
  const releases = sources.map((source) => follow(source, controller));
  lasting?.add(controller);
  const release = (): void => {
    for (const one of releases) one();
    lasting?.remove(controller);
  };
  return { signal: controller.signal, release };
}

/**
 * Controllers that abort with a signal that outlives them. They share one listener: Node.js leaves a removed
 * listener linked to the ones that were added after it. With a listener each, all requests would stay in
 * memory from one full garbage collection to the next.
 */
export class SignalFollowers {
  readonly source: AbortSignal;
  readonly #controllers: AbortController[] = [];

  constructor(source: AbortSignal) {
    this.source = source;
  }

  /** Aborts a controller with the signal, until it is removed. */
  add(controller: AbortController): void {
    if (this.source.aborted) controller.abort(this.source.reason);
    else if (this.#controllers.push(controller) === 1) this.source.addEventListener('abort', this.#abort);
  }

  /** Removes a controller. */
  remove(controller: AbortController): void {
    const place = this.#controllers.indexOf(controller);
    if (place < 0) return;
    this.#controllers.splice(place, 1);
    if (this.#controllers.length === 0) this.source.removeEventListener('abort', this.#abort);
  }

  readonly #abort = (): void => {
    for (const controller of [...this.#controllers]) controller.abort(this.source.reason);
  };
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
