/** Single-flight execution of asynchronous work. */
import { unlessAborted } from './unless-aborted.ts';

/** A resource that keeps a process running: a socket, child process or timer. */
interface Holding {
  ref(): unknown;
  unref(): unknown;
}

/** Resources of a task that keep the process running while a caller waits for the task. */
export class Hold {
  readonly #things: Set<Holding> = new Set();
  #isNeeded = true;

  add(thing: Holding): void {
    this.#things.add(thing);
    if (!this.#isNeeded) thing.unref();
  }

  /** Whether a caller waits. Otherwise the process may exit before the task has ended. */
  set needed(needed: boolean) {
    if (needed === this.#isNeeded) return;
    this.#isNeeded = needed;
    for (const thing of this.#things) {
      if (needed) thing.ref();
      else thing.unref();
    }
  }
}

interface Running<T> {
  readonly result: Promise<T>;
  readonly hold: Hold;
  waiting: number;
}

/**
 * Runs a task once for all callers during its run; a later call starts it again. All waiting callers receive
 * its failure. A caller whose signal aborts stops waiting; the task continues, and does not keep the process
 * running by itself.
 */
export class SharedWork<T> {
  #running: Running<T> | undefined;

  async join(start: (hold: Hold) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#running ??= this.#begin(start);
    return this.#wait(this.#running, signal);
  }

  #begin(start: (hold: Hold) => Promise<T>): Running<T> {
    const hold = new Hold();
    const result = start(hold).finally(() => {
      this.#running = undefined;
    });
    return { result, hold, waiting: 0 };
  }

  async #wait(running: Running<T>, signal: AbortSignal | undefined): Promise<T> {
    running.waiting += 1;
    running.hold.needed = true;
    try {
      return await unlessAborted(running.result, signal);
    } finally {
      running.waiting -= 1;
      running.hold.needed = running.waiting > 0;
    }
  }
}
