/** Work that one caller starts and others wait for too. */
import { unlessAborted } from './unless-aborted.ts';

/** What keeps a process running: sockets, child processes, timers. */
interface Holding {
  ref(): unknown;
  unref(): unknown;
}

/** What a piece of work keeps the process running with, for as long as somebody waits for it. */
export class Hold {
  readonly #things: Set<Holding> = new Set();
  #wanted = true;

  add(thing: Holding): void {
    this.#things.add(thing);
    if (!this.#wanted) thing.unref();
  }

  /** Whether anybody waits. While nobody does, the process may end although the work has not. */
  set wanted(wanted: boolean) {
    if (wanted === this.#wanted) return;
    this.#wanted = wanted;
    for (const thing of this.#things) {
      if (wanted) thing.ref();
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
 * Runs a piece of work once for all who ask while it runs; who asks later starts it anew. A failure is everybody's who
 * waited. A caller whose signal aborts goes away; the work goes on, and alone does not keep the process running.
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
    running.hold.wanted = true;
    try {
      return await unlessAborted(running.result, signal);
    } finally {
      running.waiting -= 1;
      running.hold.wanted = running.waiting > 0;
    }
  }
}
