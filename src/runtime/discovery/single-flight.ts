import type { RequestOperation } from '../api/operation.ts';
import { type Limits, withinLimits } from '../rest/abort/deadline.ts';

/** Reason of an abort because no caller is waiting any more. */
class Abandoned extends Error {
  override get name(): 'AbortError' {
    return 'AbortError';
  }
}

/** Pending work with the number of its callers. */
interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Work that concurrent calls share. Each call has its own limits: a call that ends early does not affect the
 * others, and the work is aborted with the last of them.
 */
export class Shared<T> {
  #flight: Flight<T> | undefined;

  /** Joins the pending work, or starts it. */
  async run(
    limits: Limits,
    operation: RequestOperation,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
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
    // Callers receive the error themselves; this only ends remaining work.
    result.then(end, end);
    return flight;
  }

  /** Ends the work and everything that it started. */
  #end(flight: Flight<T>): void {
    if (this.#flight === flight) this.#flight = undefined;
    flight.controller.abort(new Abandoned('all callers have aborted'));
  }
}
