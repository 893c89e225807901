import type { Stored } from '../../api/types.ts';
import type { Clock } from '../../common/clock.ts';
import { TimeSlice } from '../../common/time-slice.ts';
import type { HandleOptions, HandlerRegistration, InformerHandlers } from '../informer/informer.ts';
import type { Change, StoreReader } from '../store/store.ts';
import { HandlerQueue } from './handler-queue.ts';
import { type Calls, ChangeCalls, ObjectCalls, shareChanges } from './handler-queue-calls.ts';

const names = ['add', 'update', 'delete'] as const;

/** Interface of an informer for its registrations. */
export interface HandlerHost<T> {
  /** Name of the informer, for errors. */
  readonly name: string;
  readonly clock: Clock;
  readonly reader: Pick<StoreReader<Stored<T>>, 'snapshot' | 'size'>;
  /** `object` is the argument of the handler call. */
  report(error: unknown, object: Stored<T> | undefined): void;
  /** Called after calls of one event-loop turn, with their duration. */
  handled(durationMs: number): void;
}

/** Registrations of one informer. */
export class HandlerSet<T> {
  readonly #host: HandlerHost<T>;
  readonly #slice: TimeSlice = new TimeSlice();
  readonly #members = new Set<Member<T>>();
  /** Whether all initial objects have been added to the queues. */
  #complete = false;
  #running = false;

  constructor(host: HandlerHost<T>) {
    this.#host = host;
  }

  /** Number of calls that have not begun, over all registrations. */
  get queued(): number {
    let queued = 0;
    for (const { queue } of this.#members) queued += queue.length;
    return queued;
  }

  /** Time at which the oldest of these calls was queued, by the host's clock. */
  get oldestQueuedAt(): number | undefined {
    let oldest: number | undefined;
    for (const { queue } of this.#members) {
      const since = queue.oldestSince;
      if (since !== undefined && (oldest === undefined || since < oldest)) oldest = since;
    }
    return oldest;
  }

  /** @throws {TypeError | RangeError} if no handler would ever be called, or `resyncMs` is invalid */
  add(handlers: InformerHandlers<T>, options: HandleOptions): HandlerRegistration {
    checkHandlers(handlers, options);
    const queue = new HandlerQueue(handlers, this.#host, this.#slice);
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
   * Queues one call for each change. Must run in the same turn as the change of the store: a registration
   * that is added between the two would receive the change twice. `initial` means that added objects existed
   * before the informer.
   */
  push(changes: readonly Change<Stored<T>>[], initial: boolean): void {
    if (changes.length === 0 || this.#members.size === 0) return;
    const shared = shareChanges(changes);
    const since = this.#host.clock.now();
    for (const { queue } of this.#members) {
      queue.push(new ChangeCalls(shared, changes.length, initial, since));
    }
  }

  /** Marks the cache as complete: registrations are synced after their present calls. */
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
  /** Calls of the last resync. */
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
    if (this.#resyncMs === undefined) return;
    this.#stopResync = this.#host.clock.timer(this.#resyncMs, () => {
      // A handler that has not finished the last resync needs no other one.
      if (this.#resync === undefined || this.#resync.left === 0) {
        this.#resync = callsForAll('update', this.#host);
        this.queue.push(this.#resync);
      }
      this.#armResync();
    });
  }
}

/**
 * @throws {TypeError} if no handler would ever be called: misspelt names, and values that are not functions
 * @throws {RangeError} if `resyncMs` is invalid
 */
function checkHandlers<T>(handlers: InformerHandlers<T>, { resyncMs }: HandleOptions): void {
  const problem = problemOf(handlers);
  if (problem !== undefined) throw new TypeError(`handle: ${problem}; expected { add, update, delete }`);
  if (resyncMs === undefined || (Number.isFinite(resyncMs) && resyncMs > 0)) return;
  throw new RangeError(`handle: resyncMs must be > 0, got ${resyncMs}; omit it to disable resyncs`);
}

/** A class may have other members besides its handlers, so they are an error only if it has no handlers. */
function problemOf(handlers: unknown): string | undefined {
  if (typeof handlers !== 'object' || handlers === null)
    return `handlers must be an object, got ${String(handlers)}`;
  const given = names.map((name) => [name, Reflect.get(handlers, name)] as const);
  const wrong = given.find(([, handler]) => handler !== undefined && typeof handler !== 'function');
  if (wrong !== undefined) return `${wrong[0]} is not a function`;
  const others = Object.keys(handlers).filter((name) => !names.some((known) => known === name));
  if (others.length === 0 || given.some(([, handler]) => handler !== undefined)) return undefined;
  return `unknown handlers: ${others.join(', ')}`;
}
