import { type Limits, withinLimits } from '../rest/deadline.ts';
import type { Operation } from '../rest/types.ts';

/** Why work is ended: nobody sees it, as nobody waits any more. */
class Abandoned extends Error {
  override get name(): 'AbortError' {
    return 'AbortError';
  }
}

/** Work in progress, and how many wait for it. */
interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that calls at the same time share. Each call has limits of its own: one that ends early harms no other, and the
 * work itself is ended with the last of them.
 */
export class Shared<T> {
  #flight: Flight<T> | undefined;

  /** Joins the work in progress, or begins it. */
  async run(limits: Limits, operation: Operation, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    limits.signal?.throwIfAborted();
    const flight = this.#flight ?? this.#begin(work);
    flight.waiting += 1;
    try {
      return await withinLimits(limits, operation, () => flight.result);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0) this.#end(flight);
    }
  }

  #begin(work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const result = work(controller.signal);
    const flight: Flight<T> = { result, controller, waiting: 0 };
    this.#flight = flight;
    const end = (): void => this.#end(flight);
    // Who waits is told of a failure; this is only about what is left running beside it.
    result.then(end, end);
    return flight;
  }

  /** Whatever the work has left behind ends, too. */
  #end(flight: Flight<T>): void {
    if (this.#flight === flight) this.#flight = undefined;
    flight.controller.abort(new Abandoned('nobody waits for the answer any more'));
  }
}
