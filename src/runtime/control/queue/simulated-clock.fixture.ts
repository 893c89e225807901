import type { Clock } from '../../common/clock.ts';

/** Clock of tests whose timers fire synchronously. */
export class SimulatedClock implements Clock {
  #now = 1000;
  readonly #timers = new Map<() => void, number>();

  now(): number {
    return this.#now;
  }

  timer(ms: number, callback: () => void): () => void {
    this.#timers.set(callback, this.#now + ms);
    return () => void this.#timers.delete(callback);
  }

  /** Number of pending timers. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Times from now to the pending timers, in milliseconds. */
  get delays(): readonly number[] {
    return [...this.#timers.values()].map((at) => at - this.#now);
  }

  /** Sets the time without firing timers: the next `advance` fires those that are late. */
  leap(ms: number): void {
    this.#now += ms;
  }

  /** Advances the time and fires the timers that are due. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = [...this.#timers].sort(([, a], [, b]) => a - b);
      if (next === undefined || next[1] > end) break;
      this.#timers.delete(next[0]);
      this.#now = Math.max(this.#now, next[1]);
      next[0]();
    }
    this.#now = Math.max(this.#now, end);
  }
}
