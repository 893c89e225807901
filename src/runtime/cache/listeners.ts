import { callSafely } from '../callbacks.ts';

/** Listeners by event. One that throws, or whose promise rejects, is reported as a warning of the process and harms nobody. */
export class Listeners<Events extends { [event in keyof Events]: readonly unknown[] }> {
  readonly #listeners: { [event in keyof Events]?: Set<(...args: Events[event]) => void> } = {};

  /** The function that it gives removes the listener. */
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): () => void {
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
