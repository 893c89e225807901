import type { Clock } from './clock.ts';

/** A timer that fires so much too late shows that the process stood still, or that the clock has leapt. */
const LATE_MS = 1000;
/** What the other side has sent meanwhile is read within this time. */
const CATCH_UP_MS = 5000;

/**
 * Finds the wait that lasts too long. There is one timer, however often a wait begins: it looks when it fires, and sets
 * itself anew. Time in which nobody waits is not silence. A timer that is late condemns nothing: while the process stood
 * still, what was sent could not be read.
 */
export class Silence {
  readonly #clock: Clock;
  readonly #tooLong: () => void;
  #waiting = false;
  /** When the present wait is too long. */
  #endsAt = 0;
  /** When the timer is to fire. */
  #firesAt = Number.POSITIVE_INFINITY;
  #disarm: (() => void) | undefined;

  /** `tooLong` is called once; then a new wait may begin. */
  constructor(clock: Clock, tooLong: () => void) {
    this.#clock = clock;
    this.#tooLong = tooLong;
  }

  /** A wait begins, which may last `ms`; or until `endsAt`, and then at least as long as it takes to read what is there. */
  begin(limit: { readonly ms: number } | { readonly endsAt: number }): void {
    const now = this.#clock.now();
    this.#waiting = true;
    this.#endsAt = 'ms' in limit ? now + limit.ms : Math.max(limit.endsAt, now + CATCH_UP_MS);
    if (this.#endsAt < this.#firesAt) this.#arm(now, this.#endsAt);
  }

  /** The wait is over. */
  over(): void {
    this.#waiting = false;
  }

  /** Lets go of the clock. */
  stop(): void {
    this.#disarm?.();
    this.#disarm = undefined;
    this.#firesAt = Number.POSITIVE_INFINITY;
  }

  #arm(now: number, at: number): void {
    this.#disarm?.();
    this.#firesAt = at;
    this.#disarm = this.#clock.timer(at - now, () => this.#look(at));
  }

  #look(dueAt: number): void {
    this.stop();
    if (!this.#waiting) return;
    const now = this.#clock.now();
    if (now < this.#endsAt) this.#arm(now, this.#endsAt);
    else if (now - dueAt > LATE_MS) this.#arm(now, now + CATCH_UP_MS);
    else this.#tooLong();
  }
}
