/** Times of the bookmarks of a watch. */
import type { ServerEnvironment } from '../environment/environment.ts';
import type { Change } from '../store/store.ts';

/** Intervals between bookmarks, in milliseconds. */
export interface BookmarkTimes {
  /** Time between two bookmarks of a watch. */
  readonly everyMs: number;
  /** Interval at whose ends a bookmark follows if an object has changed. Default: none follows. */
  readonly afterChangeMs?: number;
  /** Whether a bookmark follows a change. Default: it follows each one. */
  readonly isFollowed?: (change: Change) => boolean;
}

/** The bookmarks of one watch. */
export class BookmarkTimer {
  readonly #environment: ServerEnvironment;
  readonly #times: BookmarkTimes;
  readonly #startMs: number;
  readonly #lastMs: number;
  readonly #send: () => void;
  #cancelRegular: () => void = () => undefined;
  #cancelNext: (() => void) | undefined;

  /** @param lastMs time from which on no bookmark is sent */
  constructor(environment: ServerEnvironment, times: BookmarkTimes, lastMs: number, send: () => void) {
    this.#environment = environment;
    this.#times = times;
    this.#startMs = environment.now();
    this.#lastMs = lastMs;
    this.#send = send;
    this.#scheduleRegular();
    this.#scheduleNext();
  }

  #scheduleRegular(): void {
    const { now, timer } = this.#environment;
    const delayMs = Math.min(Math.max(this.#times.everyMs, 1), this.#lastMs - now());
    if (delayMs <= 0) return;
    this.#cancelRegular = timer(delayMs, () => {
      this.#send();
      this.#scheduleRegular();
    });
  }

  /** Schedules a bookmark after a change, unless one is scheduled. */
  changed(change: Change): void {
    if (this.#times.isFollowed?.(change) !== false) this.#scheduleNext();
  }

  #scheduleNext(): void {
    const { afterChangeMs } = this.#times;
    if (afterChangeMs === undefined || this.#cancelNext !== undefined) return;
    const { now, timer } = this.#environment;
    const delayMs = afterChangeMs - ((now() - this.#startMs) % afterChangeMs);
    if (now() + delayMs > this.#lastMs) return;
    this.#cancelNext = timer(delayMs, () => {
      this.#cancelNext = undefined;
      this.#send();
    });
  }

  cancel(): void {
    this.#cancelRegular();
    this.#cancelNext?.();
  }
}
