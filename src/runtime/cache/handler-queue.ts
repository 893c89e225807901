import type { Stored } from '../types.ts';
import { Gate } from './gate.ts';
import type { InformerHandlers } from './informer.ts';

/** One call of a handler, or the mark behind the last of the initial ones. */
export type Delivery<O> =
  | { readonly type: 'add'; readonly object: O; readonly initial: boolean }
  | { readonly type: 'update'; readonly object: O; readonly old: O }
  | { readonly type: 'delete'; readonly object: O; readonly missed: boolean }
  | { readonly type: 'synced' };

/** So many calls in a row that return at once, then the event loop has its turn. */
const CALLS_PER_TURN = 256;
/** Taken deliveries are cleared away once there are so many, and they are half of all. */
const COMPACT_AT = 1024;

/**
 * The calls that a handler has yet to take, and the loop that makes them: one after the other, in order. Begins paused.
 */
export class HandlerQueue<T> {
  readonly #handlers: InformerHandlers<T>;
  readonly #report: (error: unknown) => void;
  readonly #gate = new Gate();
  #queue: Delivery<Stored<T>>[] = [];
  #taken = 0;
  #state: 'open' | 'paused' | 'closed' = 'paused';
  #draining = false;

  /** `report` is told what handlers throw, and must not throw itself. */
  constructor(handlers: InformerHandlers<T>, report: (error: unknown) => void) {
    this.#handlers = handlers;
    this.#report = report;
  }

  get length(): number {
    return this.#queue.length - this.#taken;
  }

  get synced(): Promise<void> {
    return this.#gate.opened;
  }

  /** No handler is called before `push` returns. */
  push(delivery: Delivery<Stored<T>>): void {
    if (this.#state === 'closed') return;
    this.#queue.push(delivery);
    this.#wake();
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
    this.#queue = this.#queue.slice(this.#taken).filter(({ type }) => type !== 'synced');
    this.#taken = 0;
    this.#gate.close();
    this.#wake();
  }

  /** Drops what is queued. */
  close(reason: Error): void {
    this.#state = 'closed';
    this.#queue = [];
    this.#taken = 0;
    this.#gate.giveUp(reason);
  }

  #wake(): void {
    if (this.#draining || this.#state !== 'open') return;
    this.#draining = true;
    queueMicrotask(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    for (let calls = 1; ; calls += 1) {
      const delivery = this.#take();
      if (delivery === undefined) break;
      try {
        const outcome = this.#deliver(delivery);
        if (outcome !== undefined) await outcome;
      } catch (error) {
        this.#report(error);
      }
      if (calls % CALLS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#draining = false;
  }

  #take(): Delivery<Stored<T>> | undefined {
    if (this.#state !== 'open' || this.length === 0) return undefined;
    const delivery = this.#queue[this.#taken];
    this.#taken += 1;
    if (this.length === 0 || (this.#taken >= COMPACT_AT && this.#taken * 2 >= this.#queue.length)) {
      this.#queue = this.#queue.slice(this.#taken);
      this.#taken = 0;
    }
    return delivery;
  }

  #deliver(delivery: Delivery<Stored<T>>): void | Promise<void> {
    switch (delivery.type) {
      case 'add':
        return this.#handlers.add?.(delivery.object, { initial: delivery.initial });
      case 'update':
        return this.#handlers.update?.(delivery.object, delivery.old);
      case 'delete':
        return this.#handlers.delete?.(delivery.object, { missed: delivery.missed });
      case 'synced':
        return this.#gate.open();
    }
  }
}
