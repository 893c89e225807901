/** The times at which a run is at rest: nothing is written any more, and nothing is delayed. */

/** Time without any change or write after which a run is at rest, in milliseconds. */
const quietMs = 20_000;

/** Maximum time until a run is at rest, in milliseconds. */
export const mostRestMs = 1_200_000;

/** The longest backoff of a watch, and the longest time for which processes are down, in milliseconds. */
const backoffMs = 60_000;

/** Time in which a retry begins to write, in milliseconds. */
const retryMs = 1_000;

/** Number of retries at rest after which a reconcile counts as one that fails without end. */
const failingRetries = 3;

/** Interval in which the ends of elections and retries are checked, in milliseconds. */
const stepMs = 1_000;

/** Parts of a run whose rest is awaited. */
export interface RestParts {
  readonly time: { now(): number; advance(ms: number): Promise<void> };
  /** Returns the times of the timers of the processes. */
  readonly dueTimes: () => readonly number[];
  /** Returns the time at which the last retry of a failed reconcile that is pending begins. */
  readonly retriesEndMs: () => number;
  /** Returns the time at which the last reconcile begins that an operator has asked for, if that is soon. */
  readonly requeuesEndMs: () => number;
  /** Whether a process waits for the lease of one that has ended. */
  readonly isElecting: () => boolean;
  readonly isOver: () => boolean;
}

/** Waits in virtual time until a run is at rest. */
export class Rest {
  readonly #parts: RestParts;
  /** Time of the last write or change. */
  #activeMs = 0;
  /** Time of the last start of a process, which may be in the future. */
  #startMs = 0;

  constructor(parts: RestParts) {
    this.#parts = parts;
  }

  /** Notes a write or a change. */
  noteActivity(): void {
    this.#activeMs = this.#parts.time.now();
  }

  /** Notes that a process starts after `ms` milliseconds. */
  noteStart(ms: number): void {
    this.#startMs = Math.max(this.#startMs, this.#parts.time.now() + ms);
  }

  /** Waits until the processes that have ended run again, and what has failed is repeated. */
  async passDelays(): Promise<void> {
    const { time, dueTimes } = this.#parts;
    const now = time.now();
    const delays = dueTimes().filter((due) => due <= now + backoffMs);
    const end = delays.reduce((latest, due) => Math.max(latest, due), Math.max(now, this.#startMs));
    await time.advance(end - now);
  }

  /**
   * Waits until nothing changes any more. The retries and polls that were pending when the changes ended have
   * run then: an operator may wait for minutes before it repeats a reconcile. Returns false if there are
   * changes until the end of the limit.
   */
  async reach(): Promise<boolean> {
    const { time, retriesEndMs, requeuesEndMs, isElecting, isOver } = this.#parts;
    const start = time.now();
    this.#activeMs = start;
    let retries: { readonly activeMs: number; readonly endMs: number } | undefined;
    while (!isOver() && time.now() - start < mostRestMs) {
      // A process that becomes the leader begins to write only then.
      if (isElecting()) {
        this.noteActivity();
        await time.advance(stepMs);
        continue;
      }
      const activeMs = this.#activeMs;
      const quiet = time.now() - activeMs;
      if (quiet >= quietMs) {
        // Those of this moment: an operator that polls, or never succeeds, always has a pending one.
        if (retries?.activeMs !== activeMs)
          retries = { activeMs, endMs: Math.max(retriesEndMs(), requeuesEndMs()) + retryMs };
        if (time.now() >= retries.endMs) return true;
      }
      await time.advance(Math.max(quietMs - quiet, stepMs));
    }
    return isOver();
  }

  /** Returns whether a reconcile that has failed is retried without end: each of several retries fails. */
  async isFailing(): Promise<boolean> {
    const { time, retriesEndMs, isOver } = this.#parts;
    for (let left = failingRetries; left > 0; left -= 1) {
      const end = retriesEndMs();
      if (isOver() || end <= time.now()) return false;
      await time.advance(end + retryMs - time.now());
    }
    return retriesEndMs() > time.now();
  }
}

/** Returns the latest time of items; 0 without items. */
export function latestOf<T>(items: readonly T[], timeOf: (item: T) => number): number {
  return items.reduce((latest, item) => Math.max(latest, timeOf(item)), 0);
}
