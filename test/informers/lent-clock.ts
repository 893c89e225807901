import type { SimulatedClock } from './simulated-clock.ts';

/** A clock that counts the timers of one user, who should leave none behind. */
export class LentClock {
  readonly #clock: SimulatedClock;
  /** Number of pending timers. */
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
