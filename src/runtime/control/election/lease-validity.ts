/** Validity of leadership in memory that two threads share. */
import type { LeadershipEnd } from './election-types.ts';

/** Clocks of an election, in milliseconds. */
export interface ElectionClocks {
  /** Monotonic clock with the same origin in all threads of the process. */
  readonly now: () => number;
  /** System clock, in milliseconds since the epoch. */
  readonly wall: () => number;
}

/** Clocks of the process: `performance.now()` has another origin in each thread. */
export const systemClocks: ElectionClocks = {
  now: () => Number(process.hrtime.bigint() / 1000n) / 1000,
  wall: () => Date.now(),
};

/**
 * Largest difference between the progress of the two clocks since a renewal. A larger one shows that the
 * machine was suspended, during which monotonic clocks stop, or that the system clock was set.
 */
const clockToleranceMs = 1000;

/** Cause of a refused write: the end of leadership, or a temporary one. */
export type LeadershipRefusal = LeadershipEnd | 'notLeading' | 'clockJump';

/** Result of `check`: the remaining milliseconds of leadership, or the reason of the refusal. */
export type ValidityCheck =
  | { readonly valid: true; readonly remainingMs: number }
  | { readonly valid: false; readonly refusal: LeadershipRefusal };

/** Ends by their code in the shared memory. 0 means that leadership has not ended. */
const ends: readonly (LeadershipEnd | undefined)[] = [
  undefined,
  'stopped',
  'expired',
  'replaced',
  'blocked',
  'preferredHolder',
  'threadFailed',
];

/** Cells of the shared memory. Times are in microseconds. */
const cell = { renewal: 0, wallOffset: 1, end: 2, heartbeat: 3 } as const;
const cellCount = 4;
const bytesPerCell = 8;
const neverRenewed = -1n;

/**
 * Validity of one period of leadership. One thread renews it, every thread checks it, and each can end it. It
 * cannot be renewed after its end.
 */
export class LeaseValidity {
  /** Memory to pass to the constructor in another thread, which then shares this validity. */
  readonly memory: SharedArrayBuffer;
  readonly #cells: BigInt64Array<SharedArrayBuffer>;
  readonly #clocks: ElectionClocks;
  readonly #renewDeadlineMs: number;

  constructor(clocks: ElectionClocks, renewDeadlineMs: number, memory?: SharedArrayBuffer) {
    this.memory = memory ?? new SharedArrayBuffer(cellCount * bytesPerCell);
    this.#cells = new BigInt64Array(this.memory);
    this.#clocks = clocks;
    this.#renewDeadlineMs = renewDeadlineMs;
    if (memory !== undefined) return;
    Atomics.store(this.#cells, cell.renewal, neverRenewed);
    this.beat();
  }

  /**
   * Records a successful renewal that started at the two times. Returns false if leadership has ended.
   *
   * The offset is stored first: a check between the two stores combines it with the previous start, and both
   * are valid then.
   */
  renew(startedAt: number, wallAtStart: number): boolean {
    Atomics.store(this.#cells, cell.wallOffset, toMicros(wallAtStart - startedAt));
    Atomics.store(this.#cells, cell.renewal, toMicros(startedAt));
    return this.ended === undefined;
  }

  /** Ends leadership for all threads. After the first call, other causes are ignored. */
  end(cause: LeadershipEnd): void {
    Atomics.compareExchange(this.#cells, cell.end, 0n, BigInt(ends.indexOf(cause)));
  }

  /** Cause of the end of leadership; `undefined` as long as it has not ended. */
  get ended(): LeadershipEnd | undefined {
    return ends[Number(Atomics.load(this.#cells, cell.end))];
  }

  /** Returns whether leadership is valid now. Leadership that has expired has ended. */
  check(): ValidityCheck {
    const renewal = Atomics.load(this.#cells, cell.renewal);
    const { clockJumpMs } = this;
    const now = this.#clocks.now();
    const remainingMs = toMillis(renewal) + this.#renewDeadlineMs - now;
    if (renewal !== neverRenewed && remainingMs <= 0 && renewal === this.#renewal) this.end('expired');
    const { ended } = this;
    if (ended !== undefined) return { valid: false, refusal: ended };
    if (renewal === neverRenewed) return { valid: false, refusal: 'notLeading' };
    if (remainingMs <= 0) return this.check();
    if (clockJumpMs !== undefined) return { valid: false, refusal: 'clockJump' };
    return { valid: true, remainingMs };
  }

  /**
   * Time by which the system clock has advanced more than the monotonic one since the last renewal, in
   * milliseconds; negative if it was set back. `undefined` for an ordinary difference.
   */
  get clockJumpMs(): number | undefined {
    if (this.#renewal === neverRenewed) return undefined;
    const offset = toMillis(Atomics.load(this.#cells, cell.wallOffset));
    const jumpMs = Math.round(this.#clocks.wall() - this.#clocks.now() - offset);
    return Math.abs(jumpMs) > clockToleranceMs ? jumpMs : undefined;
  }

  get #renewal(): bigint {
    return Atomics.load(this.#cells, cell.renewal);
  }

  /** Records that the main thread is running. */
  beat(): void {
    Atomics.store(this.#cells, cell.heartbeat, toMicros(this.#clocks.now()));
  }

  /** Returns the milliseconds since the last `beat`. */
  silentMs(): number {
    return this.#clocks.now() - toMillis(Atomics.load(this.#cells, cell.heartbeat));
  }
}

function toMicros(ms: number): bigint {
  return BigInt(Math.round(ms * 1000));
}

function toMillis(micros: bigint): number {
  return Number(micros) / 1000;
}
