import type { TimeSlice } from '../codec/time-slice.ts';
import type { Stored } from '../types.ts';
import { Gate } from './gate.ts';
import type { Calls } from './handler-queue-calls.ts';
import type { InformerHandlers } from './informer.ts';

/** Behind the last of the initial calls. */
interface Mark {
  /** Since which `resume` it counts. */
  readonly round: number;
}

interface Entry<T> {
  readonly content: Calls<T> | Mark;
  next: Entry<T> | undefined;
}

/**
 * The calls that a handler has yet to take, and the loop that makes them: one after the other, in order. Begins paused.
 */
export class HandlerQueue<T> {
  readonly #handlers: InformerHandlers<T>;
  readonly #report: (error: unknown, object: Stored<T> | undefined) => void;
  readonly #slice: Pick<TimeSlice, 'over' | 'next'>;
  readonly #gate = new Gate();
  #first: Entry<T> | undefined;
  #last: Entry<T> | undefined;
  #length = 0;
  #round = 0;
  #state: 'open' | 'paused' | 'closed' = 'paused';
  #draining = false;

  /**
   * `report` is told what handlers throw, and for which object; it must not throw itself. Queues that share a `slice`
   * together leave the event loop its turns.
   */
  constructor(
    handlers: InformerHandlers<T>,
    report: (error: unknown, object: Stored<T> | undefined) => void,
    slice: Pick<TimeSlice, 'over' | 'next'>,
  ) {
    this.#handlers = handlers;
    this.#report = report;
    this.#slice = slice;
  }

  /** Calls that have not begun. */
  get length(): number {
    return this.#length;
  }

  /** Since when the oldest of them has been waiting. */
  get oldestSince(): number | undefined {
    let entry = this.#first;
    while (entry !== undefined && !('since' in entry.content)) entry = entry.next;
    return entry !== undefined && 'since' in entry.content ? entry.content.since : undefined;
  }

  get synced(): Promise<void> {
    return this.#gate.opened;
  }

  /** No handler is called before `push` returns. */
  push(calls: Calls<T>): void {
    if (this.#state === 'closed' || calls.left === 0) return;
    this.#length += calls.left;
    this.#append(calls);
  }

  /** Once all that is queued now has been taken, this is synced. */
  mark(): void {
    this.#append({ round: this.#round });
  }

  /** Keeps what is queued, and calls nobody. Who waits to be synced is given `reason`. */
  pause(reason: Error): void {
    if (this.#state !== 'open') return;
    this.#state = 'paused';
    this.#gate.giveUp(reason);
  }

  /** Calls from now on; whether it is synced is open again, until a mark that comes after this. */
  resume(): void {
    if (this.#state !== 'paused') return;
    this.#state = 'open';
    // Marks of the time before the pause say nothing of what is to come.
    this.#round += 1;
    this.#gate.close();
    this.#wake();
  }

  /** Drops what is queued. */
  close(reason: Error): void {
    this.#state = 'closed';
    this.#first = undefined;
    this.#last = undefined;
    this.#length = 0;
    this.#gate.giveUp(reason);
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
    for (let calls = this.#front(); calls !== undefined; calls = this.#front()) {
      if (calls.left === 1) this.#shift();
      this.#length -= 1;
      try {
        const outcome = calls.call(this.#handlers);
        // A promise for each of many calls that return at once would be most of their cost.
        if (isThenable(outcome)) await outcome;
      } catch (error) {
        this.#report(error, calls.object);
      }
      if (this.#slice.over) await this.#slice.next();
    }
    this.#draining = false;
  }

  /** The calls to go on with, if any; marks before them are passed. */
  #front(): Calls<T> | undefined {
    while (this.#state === 'open' && this.#first !== undefined) {
      const { content } = this.#first;
      if ('since' in content) return content;
      this.#shift();
      if (content.round === this.#round) this.#gate.open();
    }
    return undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
