interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Simulated time, which advances on request and can leap. Never goes back. */
export class SimulatedClock {
  #now = 5000;
  #orders = 0;
  readonly #timers = new Set<Timer>();
  /** Number of timers set or cancelled so far: a difference shows activity. */
  activity = 0;

  now(): number {
    return this.#now;
  }

  timer(ms: number, callback: () => void): () => void {
    this.activity += 1;
    this.#orders += 1;
    const timer = { at: this.#now + ms, order: this.#orders, callback };
    this.#timers.add(timer);
    return () => {
      if (this.#timers.delete(timer)) this.activity += 1;
    };
  }

  /** Number of pending timers. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Advances time. All work that a timer starts is completed before the next timer fires. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    await settle();
    const end = this.#now + ms;
    for (let next = this.#first(end); next !== undefined; next = this.#first(end)) {
      this.#now = Math.max(this.#now, next.at);
      this.#fire(next);
      await settle();
    }
    this.#now = end;
  }

  /** Simulates a computer that slept: time leaps, and all timers due in between fire together. */
  async leap(ms: number, settle: () => Promise<void>): Promise<void> {
    await settle();
    this.#now += ms;
    const end = this.#now;
    const due = [...this.#timers].filter(({ at }) => at <= end).sort(earlier);
    for (const timer of due) if (this.#timers.has(timer)) this.#fire(timer);
    await settle();
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    this.activity += 1;
    timer.callback();
  }

  #first(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (first === undefined || earlier(timer, first) < 0)) first = timer;
    }
    return first;
  }
}

function earlier(one: Timer, other: Timer): number {
  return one.at - other.at || one.order - other.order;
}
