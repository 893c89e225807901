import type { Clock } from '../watch/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is told to go on. */
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

  /** How many timers are armed. */
  get armed(): number {
    return this.#timers.size;
  }

  /** The clock jumps, as when the machine has slept: what was due meanwhile is late, and fires with the next `advance`. */
  leap(ms: number): void {
    this.#now += ms;
  }

  /** Lets `ms` pass; after each timer that fires, everything it sets off happens first. */
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

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(turns = 2): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
