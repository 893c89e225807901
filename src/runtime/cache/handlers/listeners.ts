import { callSafely } from '../../common/callbacks.ts';
import type { InformerEvents } from '../informer/informer.ts';

export const informerEvents: readonly (keyof InformerEvents)[] = ['error', 'relist', 'handled'];

/**
 * Listeners by event. An error or rejection of a listener is reported as a process warning, and does not
 * affect other listeners.
 */
export class Listeners<Events extends { [event in keyof Events]: readonly unknown[] }> {
  readonly #events: readonly (keyof Events)[];
  readonly #listeners: { [event in keyof Events]?: Set<(...args: Events[event]) => void> } = {};

  /** @param events names of all events */
  constructor(events: readonly (keyof Events)[]) {
    this.#events = events;
  }

  /**
   * Adds a listener. Returns a function that removes it.
   * @throws {TypeError} if the event is unknown, or the listener is not a function
   */
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): () => void {
    if (!this.#events.includes(event)) {
      const known = this.#events.join(', ');
      throw new TypeError(
        `on: unknown event ${String(event)}, expected ${known}; add handlers of changes with handle()`,
      );
    }
    if (typeof listener !== 'function')
      throw new TypeError(`on: the listener for ${String(event)} is not a function`);
    const listeners = this.#listeners[event] ?? new Set();
    this.#listeners[event] = listeners;
    // A function that is added twice is called twice.
    const own = (...args: Events[E]): void => listener(...args);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** Calls all listeners. Returns false if there are none. */
  emit<E extends keyof Events>(event: E, ...args: Events[E]): boolean {
    const added = this.#listeners[event];
    if (added === undefined || added.size === 0) return false;
    const listeners = [...added];
    for (const listener of listeners) {
      callSafely(() => listener(...args), `a listener for ${String(event)}`, 'InformerWarning');
    }
    return true;
  }
}
