/** Interruption of a run by a signal, which the main thread receives. */

/** Memory that both threads share: whether the run is interrupted, and whether it writes files. */
export type InterruptionFlags = Int32Array;

const [interrupted, writing] = [0, 1] as const;

export function interruptionFlags(): InterruptionFlags {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Interrupts the run. Returns false if it writes files: it reverts them and ends by itself. */
export function interrupt(flags: InterruptionFlags): boolean {
  Atomics.store(flags, interrupted, 1);
  return Atomics.load(flags, writing) === 0;
}

/** An interruption, in the thread of the run. */
export class Interruption {
  readonly #flags: InterruptionFlags;

  constructor(flags: InterruptionFlags) {
    this.#flags = flags;
  }

  /** Whether the run is interrupted. Read before each file that is written. */
  get aborted(): boolean {
    return Atomics.load(this.#flags, interrupted) === 1;
  }

  /** Marks the period in which the main thread must not end the process. */
  setWriting(isWriting: boolean): void {
    Atomics.store(this.#flags, writing, Number(isWriting));
  }
}
