// Simulated time, for programs that measure a day of watching in a minute.

/** Clock for the `environment` of informers. */
export class SimulatedClock {
  #now = 0;
  /** Sorted by time. */
  #timers = [];

  now() {
    return this.#now;
  }

  timer(ms, callback) {
    const timer = { at: this.#now + ms, callback };
    const later = this.#timers.findIndex(({ at }) => at > timer.at);
    this.#timers.splice(later === -1 ? this.#timers.length : later, 0, timer);
    return () => {
      const index = this.#timers.indexOf(timer);
      if (index !== -1) this.#timers.splice(index, 1);
    };
  }

  /** Advances by `ms` milliseconds; `settle` waits after each timer for the work that it started. */
  async advance(ms, settle) {
    const end = this.#now + ms;
    while (this.#timers.length > 0 && this.#timers[0].at <= end) {
      const { at, callback } = this.#timers.shift();
      this.#now = Math.max(this.#now, at);
      callback();
      await settle();
    }
    this.#now = end;
  }
}
