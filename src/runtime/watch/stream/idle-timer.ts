import type { Clock } from '../../common/clock.ts';
import { defaultTiming, type Timing } from '../../common/timing.ts';

type IdleTiming = Pick<Timing, 'lateTimerMs' | 'catchUpMs'>;

/**
 * Idle timer of a stream. It uses one timer, regardless of the number of waits: when the timer fires, it
 * checks the deadline of the pending wait, and is set again. Only time within waits counts. A timer that
 * fires late does not end the wait, because a suspended process could not read the data that was sent.
 */
export class IdleTimer {
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  readonly #timing: IdleTiming;
  #waiting = false;
  /** Deadline of the pending wait. */
  #endsAt = 0;
  /** Time at which the timer fires. */
  #firesAt = Number.POSITIVE_INFINITY;
  #disarm: (() => void) | undefined;

  /** `onIdle` is called once; then a new wait may begin. */
  constructor(clock: Clock, onIdle: () => void, timing: IdleTiming = defaultTiming) {
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.#timing = timing;
  }

  /**
   * Begins a wait of at most `ms`, or until `endsAt`, but at least long enough to read the data that has
   * arrived.
   */
  begin(limit: { readonly ms: number } | { readonly endsAt: number }): void {
    const now = this.#clock.now();
    this.#waiting = true;
    this.#endsAt = 'ms' in limit ? now + limit.ms : Math.max(limit.endsAt, now + this.#timing.catchUpMs);
    if (this.#endsAt < this.#firesAt) this.#arm(now, this.#endsAt);
  }

  /** Ends the pending wait, so that `onIdle` is not called for it. */
  stop(): void {
    this.#waiting = false;
  }

  /** Cancels the timer. */
  close(): void {
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
    this.close();
    if (!this.#waiting) return;
    const now = this.#clock.now();
    if (now < this.#endsAt) this.#arm(now, this.#endsAt);
    else if (now - dueAt > this.#timing.lateTimerMs) this.#arm(now, now + this.#timing.catchUpMs);
    else this.#onIdle();
  }
}
