import { TimeSlice } from '../codec/time-slice.ts';
import type { Stored } from '../types.ts';
import type { Clock } from '../watch/clock.ts';
import { checkHandlers } from './handler-checks.ts';
import { HandlerQueue } from './handler-queue.ts';
import { type Calls, ChangeCalls, ObjectCalls, shareChanges } from './handler-queue-calls.ts';
import type { HandleOptions, InformerHandlers, Registration } from './informer.ts';
import type { Change, StoreReader } from './store.ts';

/** What the registrations of an informer need to know of it. */
export interface HandlerHost<T> {
  /** Names the informer in errors. */
  readonly name: string;
  readonly clock: Clock;
  readonly reader: Pick<StoreReader<Stored<T>>, 'snapshot' | 'size'>;
  /** `object` is the one that the handler was called with. */
  report(error: unknown, object: Stored<T> | undefined): void;
}

/** The registrations of one informer. */
export class HandlerSet<T> {
  readonly #host: HandlerHost<T>;
  readonly #slice: TimeSlice = new TimeSlice();
  readonly #members = new Set<Member<T>>();
  /** Everything that was there at first has been delivered to the queues. */
  #complete = false;
  #running = false;

  constructor(host: HandlerHost<T>) {
    this.#host = host;
  }

  /** Calls that have not begun, over all registrations. */
  get queued(): number {
    let queued = 0;
    for (const { queue } of this.#members) queued += queue.length;
    return queued;
  }

  /** Since when the oldest of them has been waiting, by the host's clock. */
  get oldestQueuedAt(): number | undefined {
    let oldest: number | undefined;
    for (const { queue } of this.#members) {
      const since = queue.oldestSince;
      if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since;
    }
    return oldest;
  }

  /** @throws {TypeError | RangeError} for handlers that never would be called, and resyncs that cannot be */
  add(handlers: InformerHandlers<T>, options: HandleOptions): Registration {
    checkHandlers(handlers, options);
    const queue = new HandlerQueue(
      handlers,
      (error, object) => this.#host.report(error, object),
      this.#slice,
    );
    const member = new Member(this.#host, queue, options.resyncMs);
    this.#members.add(member);
    if (this.#running) member.resume();
    queue.push(callsForAll('add', this.#host));
    if (this.#complete) queue.mark();
    return {
      get synced() {
        return queue.synced;
      },
      remove: () => {
        this.#members.delete(member);
        member.remove();
      },
    };
  }

  /**
   * Queues one call for each change. To be called in the same turn in which the store changed: who is added between
   * the two would be told twice. `initial`: what is added was there before the informer.
   */
  push(changes: readonly Change<Stored<T>>[], initial: boolean): void {
    if (changes.length === 0 || this.#members.size === 0) return;
    const shared = shareChanges(changes);
    const since = this.#host.clock.now();
    for (const { queue } of this.#members) {
      queue.push(new ChangeCalls(shared, changes.length, initial, since));
    }
  }

  /** The copy is complete: registrations are synced once they have taken what is queued. */
  complete(): void {
    this.#complete = true;
    for (const { queue } of this.#members) queue.mark();
  }

  resume(): void {
    this.#running = true;
    this.#complete = false;
    for (const member of this.#members) member.resume();
  }

  pause(): void {
    this.#running = false;
    for (const member of this.#members) member.pause();
  }
}

function callsForAll<T>(as: 'add' | 'update', { reader, clock }: HandlerHost<T>): ObjectCalls<T> {
  return new ObjectCalls<T>(as, reader.snapshot(), reader.size, clock.now());
}

class Member<T> {
  readonly queue: HandlerQueue<T>;
  readonly #host: HandlerHost<T>;
  readonly #resyncMs: number | undefined;
  /** The calls of the last one. */
  #resync: Calls<T> | undefined;
  #stopResync: (() => void) | undefined;

  constructor(host: HandlerHost<T>, queue: HandlerQueue<T>, resyncMs: number | undefined) {
    this.#host = host;
    this.#resyncMs = resyncMs;
    this.queue = queue;
  }

  resume(): void {
    this.queue.resume();
    this.#armResync();
  }

  pause(): void {
    this.#stopResync?.();
    this.queue.pause(new Error(`informer for ${this.#host.name} was stopped before it was synced`));
  }

  remove(): void {
    this.#stopResync?.();
    this.queue.close(
      new Error(`handlers of the informer for ${this.#host.name} were removed before they were synced`),
    );
  }

  #armResync(): void {
    this.#stopResync?.();
    if (this.#resyncMs === undefined) return;
    this.#stopResync = this.#host.clock.timer(this.#resyncMs, () => {
      // A handler that is still busy with the last resync needs no other one.
      if (this.#resync === undefined || this.#resync.left === 0) {
        this.#resync = callsForAll('update', this.#host);
        this.queue.push(this.#resync);
      }
      this.#armResync();
    });
  }
}
