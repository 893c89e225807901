import type { Clock } from '../../../src/runtime/common/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Clock that advances only by calls. */
export class FakeClock implements Clock {
  #now = 1000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  timer(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Number of pending timers. */
  get armed(): number {
    return this.#timers.size;
  }

  /**
   * Advances the time without firing timers, as when the machine was suspended: due timers are late, and fire
   * with the next `advance`.
   */
  leap(ms: number): void {
    this.#now += ms;
  }

  /** Advances the time by `ms`; after each timer that fires, pending promise callbacks run first. */
  async advance(ms: number): Promise<void> {
    await settle();
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settle();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    }
    return first;
  }
}

/** Waits until all callbacks that are ready have run. */
export async function settle(turns = 2): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
