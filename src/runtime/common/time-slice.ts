/** Slices of time: long work leaves timers, connections and signals their turns of the event loop. */

import type { EventLoopTurn } from './event-loop-turn.ts';

/** Maximum time, in milliseconds, for which one work blocks the event loop. */
const sliceMs = 5;

/**
 * Maximum time for which all works together do. Timers may wait twice as long: callbacks of connections can
 * use one share, and the work that has waited for its turn another one behind it.
 */
const shareMs = 3;

/** Steps of one turn if the clock stands still meanwhile. */
const mostSteps = 200;

/** Callbacks in which works resume in one turn. */
const mostResumptions = 64;

/** Captured at load time, because a test that replaces timers must not block later work. */
const { setImmediate: schedule } = globalThis;
const { now: systemNow } = performance;

/** Parts of a `MeasuredTurn`. */
export interface MeasuredTurnParts {
  /** Returns milliseconds; only differences between two values are meaningful. */
  readonly now: () => number;
  /** Calls a function in the next turn of the event loop. Default: `setImmediate`. */
  readonly nextTurn?: ((callback: () => void) => void) | undefined;
}

/** Turn that is over after some time on a clock, or after some steps if the clock does not advance. */
export class MeasuredTurn implements EventLoopTurn {
  readonly #now: () => number;
  readonly #schedule: (callback: () => void) => void;
  /** Time of the first step of the turn; `undefined` before it. */
  #startedAt: number | undefined;
  #steps = 0;
  /** Works that wait for a turn, in the order of their calls. */
  readonly #waiting = new Set<() => void>();
  #resumptions = 0;

  constructor({ now, nextTurn = (callback) => void schedule(callback) }: MeasuredTurnParts) {
    this.#now = now;
    this.#schedule = nextTurn;
  }

  get isOver(): boolean {
    const now = this.#now();
    const ms = now - (this.#startedAt ?? Number.NaN);
    if (!(ms >= 0)) {
      this.#begin(now);
      return false;
    }
    this.#steps += 1;
    return ms >= shareMs || (ms === 0 && this.#steps > mostSteps);
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      this.#plan();
    });
  }

  /** Works resume in callbacks of their own: the promises of each are settled before the next one resumes. */
  #plan(): void {
    if (this.#resumptions >= Math.min(this.#waiting.size, mostResumptions)) return;
    this.#resumptions += 1;
    this.#schedule(() => this.#resume());
  }

  #resume(): void {
    this.#resumptions -= 1;
    const [first] = this.#waiting;
    if (first !== undefined && !this.isOver) {
      this.#waiting.delete(first);
      first();
    }
    this.#plan();
  }

  /** The first callback of the next turn ends this one. */
  #begin(now: number): void {
    this.#startedAt = now;
    this.#steps = 1;
    this.#schedule(() => {
      this.#startedAt = undefined;
    });
  }
}

/** Simulations replace `performance.now`: their time does not measure work, and stands still for it. */
export const processTurn: MeasuredTurn = new MeasuredTurn({
  now: () => (performance.now === systemNow ? performance.now() : 0),
});

/** Splits one long work into slices: check `over` between steps, and await `next` if it is true. */
export class TimeSlice {
  readonly #turn: EventLoopTurn;
  readonly #now: () => number;
  #endMs: number;
  #resumedAt: number;
  #workedMs = 0;

  /** Default: the turn and the clock of the process. */
  constructor(turn: EventLoopTurn = processTurn, now: () => number = () => performance.now()) {
    this.#turn = turn;
    this.#now = now;
    this.#resumedAt = now();
    this.#endMs = this.#resumedAt + sliceMs;
  }

  get over(): boolean {
    return this.#turn.isOver || this.#now() >= this.#endMs;
  }

  /** Time of the work so far, in milliseconds, without `next` and `input`. */
  get workedMs(): number {
    return this.#workedMs + this.#now() - this.#resumedAt;
  }

  /** Waits for input of the work. */
  async input<Input>(waited: Promise<Input>): Promise<Input> {
    this.#workedMs = this.workedMs;
    try {
      return await waited;
    } finally {
      this.#resumedAt = this.#now();
    }
  }

  /** Yields to timers, connections and other work. */
  async next(): Promise<void> {
    await this.input(this.#turn.next());
    this.#endMs = this.#resumedAt + sliceMs;
  }
}

/** Calls a function for each item, in slices. */
export async function inSlices<Item>(
  items: readonly Item[],
  act: (item: Item) => void,
  slice: TimeSlice = new TimeSlice(),
): Promise<void> {
  for (const item of items) {
    act(item);
    if (slice.over) await slice.next();
  }
}
