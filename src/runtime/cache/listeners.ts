import { callSafely } from '../callbacks.ts';
import type { InformerEvents } from './informer.ts';

export const informerEvents: readonly (keyof InformerEvents)[] = ['error', 'relist'];

/** Listeners by event. One that throws, or whose promise rejects, is reported as a warning of the process and harms nobody. */
export class Listeners<Events extends { [event in keyof Events]: readonly unknown[] }> {
  readonly #events: readonly (keyof Events)[];
  readonly #listeners: { [event in keyof Events]?: Set<(...args: Events[event]) => void> } = {};

  /** @param events all that there are */
  constructor(events: readonly (keyof Events)[]) {
    this.#events = events;
  }

  /**
   * The function that it gives removes the listener.
   * @throws {TypeError} for an event that never comes, and a listener that is no function, as JavaScript may give them
   */
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): () => void {
    if (!this.#events.includes(event)) {
      const known = this.#events.join(', ');
      throw new TypeError(
        `on: there is no event ${String(event)}, only ${known}; handlers of changes come with handle()`,
      );
    }
    if (typeof listener !== 'function')
      throw new TypeError(`on: the listener for ${String(event)} is no function`);
    const listeners = this.#listeners[event] ?? new Set();
    this.#listeners[event] = listeners;
    // The same function twice is two listeners.
    const own = (...args: Events[E]): void => listener(...args);
    listeners.add(own);
    return () => void listeners.delete(own);
  }

  /** Tells all listeners; false when there are none. */
  emit<E extends keyof Events>(event: E, ...args: Events[E]): boolean {
    const listeners = [...(this.#listeners[event] ?? [])];
    for (const listener of listeners) {
      callSafely(() => listener(...args), `a listener for ${String(event)}`, 'InformerWarning');
    }
    return listeners.length > 0;
  }
}
