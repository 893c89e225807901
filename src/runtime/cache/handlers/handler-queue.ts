import type { Stored } from '../../api/types.ts';
import type { Clock } from '../../common/clock.ts';
import type { TimeSlice } from '../../common/time-slice.ts';
import type { InformerHandlers } from '../informer/informer.ts';
import { Deferred } from './deferred.ts';
import type { Calls } from './handler-queue-calls.ts';

/** Marker after the last of the initial calls. */
interface Mark {
  /** Number of the `resume` for which it counts. */
  readonly round: number;
}

interface Entry<T> {
  readonly content: Calls<T> | Mark;
  next: Entry<T> | undefined;
}

/** Interface of an informer for its queues. Its functions must not throw. */
export interface QueueHost<T> {
  readonly clock: Pick<Clock, 'now'>;
  /** Called with each error of a handler and the object concerned. */
  report(error: unknown, object: Stored<T> | undefined): void;
  /** Called after calls of one event-loop turn, with their duration. */
  handled(durationMs: number): void;
}

/** Queue of handler calls, and the loop that makes them one after the other, in order. Initially paused. */
export class HandlerQueue<T> {
  readonly #handlers: InformerHandlers<T>;
  readonly #host: QueueHost<T>;
  readonly #slice: Pick<TimeSlice, 'over' | 'next'>;
  readonly #synced = new Deferred();
  #first: Entry<T> | undefined;
  #last: Entry<T> | undefined;
  #length = 0;
  #round = 0;
  #state: 'open' | 'paused' | 'closed' = 'paused';
  #draining = false;

  /** Queues that share a `slice` yield to the event loop together. */
  constructor(handlers: InformerHandlers<T>, host: QueueHost<T>, slice: Pick<TimeSlice, 'over' | 'next'>) {
    this.#handlers = handlers;
    this.#host = host;
    this.#slice = slice;
  }

  /** Number of calls that have not begun. */
  get length(): number {
    return this.#length;
  }

  /** Time at which the oldest pending call was queued. */
  get oldestSince(): number | undefined {
    let entry = this.#first;
    while (entry !== undefined && !('since' in entry.content)) entry = entry.next;
    return entry !== undefined && 'since' in entry.content ? entry.content.since : undefined;
  }

  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /** No handler is called before `push` returns. */
  push(calls: Calls<T>): void {
    if (this.#state === 'closed' || calls.left === 0) return;
    this.#length += calls.left;
    this.#append(calls);
  }

  /** Marks the end of the initial calls: `synced` resolves when all present calls have been made. */
  mark(): void {
    this.#append({ round: this.#round });
  }

  /** Stops calling handlers, but keeps the queue. Rejects a pending `synced` with `reason`. */
  pause(reason: Error): void {
    if (this.#state !== 'open') return;
    this.#state = 'paused';
    this.#synced.reject(reason);
  }

  /** Starts calling handlers. `synced` is pending until a later mark. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'open';
    // Marks from before the pause do not cover later calls.
    this.#round += 1;
    this.#synced.reset();
    this.#wake();
  }

  /** Discards the queue. */
  close(reason: Error): void {
    this.#state = 'closed';
    this.#first = undefined;
    this.#last = undefined;
    this.#length = 0;
    this.#synced.reject(reason);
  }

  #append(content: Calls<T> | Mark): void {
    const entry: Entry<T> = { content, next: undefined };
    if (this.#last === undefined) this.#first = entry;
    else this.#last.next = entry;
    this.#last = entry;
    this.#wake();
  }

  #shift(): void {
    this.#first = this.#first?.next;
    if (this.#first === undefined) this.#last = undefined;
  }

  #wake(): void {
    if (this.#draining || this.#state !== 'open') return;
    this.#draining = true;
    queueMicrotask(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    const { clock } = this.#host;
    let startedAt = clock.now();
    let isPending = false;
    for (let calls = this.#front(); calls !== undefined; calls = this.#front()) {
      if (calls.left === 1) this.#shift();
      this.#length -= 1;
      try {
        const outcome = calls.call(this.#handlers);
        // Awaiting every call, including synchronous ones, would dominate the cost.
        if (isThenable(outcome)) await outcome;
      } catch (error) {
        this.#host.report(error, calls.object);
      }
      isPending = true;
      if (!this.#slice.over) continue;
      this.#host.handled(clock.now() - startedAt);
      isPending = false;
      await this.#slice.next();
      startedAt = clock.now();
    }
    if (isPending) this.#host.handled(clock.now() - startedAt);
    this.#draining = false;
  }

  /** Returns the next calls, if any, and passes the marks before them. */
  #front(): Calls<T> | undefined {
    while (this.#state === 'open' && this.#first !== undefined) {
      const { content } = this.#first;
      if ('since' in content) return content;
      this.#shift();
      if (content.round === this.#round) this.#synced.resolve();
    }
    return undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
