import type { SimulatedClock } from './clock.ts';

/** The clock as it is lent to somebody who should leave no timer behind. */
export class LentClock {
  readonly #clock: SimulatedClock;
  /** Timers that are set. */
  armed = 0;

  constructor(clock: SimulatedClock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  timer(ms: number, callback: () => void): () => void {
    let over = false;
    const end = (): void => {
      if (!over) this.armed -= 1;
      over = true;
    };
    this.armed += 1;
    const cancel = this.#clock.timer(ms, () => {
      end();
      callback();
    });
    return () => {
      end();
      cancel();
    };
  }
}
