import type { Stored } from '../types.ts';
import type { Clock } from '../watch/clock.ts';
import { type Delivery, HandlerQueue } from './handler-queue.ts';
import type { HandleOptions, InformerHandlers, Registration } from './informer.ts';

/** What the registrations of an informer need to know of it. */
export interface HandlerHost<T> {
  /** Names the informer in errors. */
  readonly name: string;
  readonly clock: Clock;
  /** The objects that are there now. */
  objects(): Iterable<Stored<T>>;
  report(error: unknown): void;
}

/** The registrations of one informer. */
export class HandlerSet<T> {
  readonly #host: HandlerHost<T>;
  readonly #members = new Set<Member<T>>();
  /** Everything that was there at first has been delivered to the queues. */
  #complete = false;
  #running = false;

  constructor(host: HandlerHost<T>) {
    this.#host = host;
  }

  get queued(): number {
    let queued = 0;
    for (const { queue } of this.#members) queued += queue.length;
    return queued;
  }

  add(handlers: InformerHandlers<T>, { resyncMs }: HandleOptions): Registration {
    if (resyncMs !== undefined && !(resyncMs > 0)) {
      throw new RangeError(`handle: resyncMs must be above 0, not ${resyncMs}; leave it out for none`);
    }
    const member = new Member(this.#host, handlers, resyncMs);
    this.#members.add(member);
    if (this.#running) member.resume();
    for (const object of this.#host.objects()) member.queue.push({ type: 'add', object, initial: true });
    if (this.#complete) member.queue.push({ type: 'synced' });
    return {
      get synced() {
        return member.queue.synced;
      },
      remove: () => {
        this.#members.delete(member);
        member.remove();
      },
    };
  }

  push(delivery: Delivery<Stored<T>>): void {
    for (const { queue } of this.#members) queue.push(delivery);
  }

  /** The copy is complete: registrations are synced once they have taken what is queued. */
  complete(): void {
    this.#complete = true;
    this.push({ type: 'synced' });
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

class Member<T> {
  readonly queue: HandlerQueue<T>;
  readonly #host: HandlerHost<T>;
  readonly #resyncMs: number | undefined;
  #stopResync: (() => void) | undefined;

  constructor(host: HandlerHost<T>, handlers: InformerHandlers<T>, resyncMs: number | undefined) {
    this.#host = host;
    this.#resyncMs = resyncMs;
    this.queue = new HandlerQueue(handlers, (error) => host.report(error));
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
      if (this.queue.length === 0) {
        for (const object of this.#host.objects()) this.queue.push({ type: 'update', object, old: object });
      }
      this.#armResync();
    });
  }
}
