/** Work queue of controllers: the timer and the waiting workers around the core. */
import { channel } from 'node:diagnostics_channel';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { type EventLoopTurn, eventLoopTurn } from '../../common/event-loop-turn.ts';
import { type SafeObserver, safeObserver, type WorkQueueObserver } from './observer.ts';
import { QueueCore } from './queue-core.ts';
import type { QueueItem } from './queue-item.ts';
import { exponentialRateLimiter, type RateLimiter } from './rate-limiters.ts';

/** Options of a work queue for keys of type `K`. */
export interface WorkQueueOptions<K> {
  /** Name of the queue, for warnings and metrics. */
  readonly name: string;
  /**
   * Returns the identity of a key: keys with equal identities, as a `Map` compares them, are one key. Needed
   * for objects: ``({ namespace, name }) => `${namespace}/${name}` ``. Default: the key itself.
   */
  readonly idOf?: ((key: K) => unknown) | undefined;
  /** Delays of keys that are added with `rateLimited`. Default: `exponentialRateLimiter()`. */
  readonly rateLimiter?: RateLimiter | undefined;
  /**
   * Each `fairShare`-th delivery is that of the key that has been ready for longest, regardless of its
   * priority. A key therefore waits for at most `fairShare` times as many deliveries as in a queue without
   * priorities. An integer >= 1; 1 ignores priorities. Default: 5.
   */
  readonly fairShare?: number | undefined;
  /** Clock of delays. Default: that of the system. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
  /** Functions that are called for metrics. Default: none. */
  readonly observer?: WorkQueueObserver | undefined;
}

/** Options of `WorkQueue.add`. */
export interface WorkQueueAddOptions {
  /** Keys of a higher priority are delivered first. Default: 0. */
  readonly priority?: number | undefined;
  /** Delay before the key can be delivered, in milliseconds; at most 0 for none. Default: 0. */
  readonly afterMs?: number | undefined;
  /**
   * Counts a failure of the key, and delays it as long as the rate limiter returns. With `afterMs`, the
   * smaller delay applies. Default: false.
   */
  readonly rateLimited?: boolean | undefined;
}

/** Numbers of keys of a work queue in each state, and durations of the keys that are processing. */
export interface WorkQueueStats {
  /** Number of keys that can be delivered now. */
  readonly ready: number;
  /**
   * Number of keys that can be delivered, by priority. The first 25 priorities of the queue have an entry
   * each, which stays when its keys are delivered; all others share `exceeded_cardinality_limit`.
   */
  readonly depth: ReadonlyMap<string, number>;
  /** Number of keys whose delay is not over. Keys that are processing are not counted. */
  readonly waiting: number;
  /** Number of keys that were delivered and are not done. */
  readonly processing: number;
  /** Sum of the times since the deliveries of the processing keys, in milliseconds. */
  readonly unfinishedWorkMs: number;
  /** Longest time since the delivery of a processing key, in milliseconds. */
  readonly longestRunningMs: number;
}

interface Waiter<K> {
  readonly resolve: (key: K | undefined) => void;
}

/** Publishes each queue that is created. Referenced here, as unreferenced channels are garbage-collected. */
const created = channel('kgen:queue');

/** Keys that one call makes ready, in about a millisecond: 100,000 would block the event loop. */
const mostPromoted = 1000;

/** Longer delays overflow the timers of Node.js. The timer is started again if it fires early. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * A queue of keys for any number of workers. A key that is added several times before its delivery is
 * delivered once. A key is never delivered while it is processing: if it is added in the meantime, it is
 * delivered again after `done`.
 *
 * Keys are delivered by priority, and within a priority in the order in which they became ready; each
 * `fairShare`-th delivery is that of the oldest key. Adding a key that waits applies the higher priority and
 * the shorter delay. A higher priority moves the key behind the others of that priority.
 * @example
 * ```ts
 * import { WorkQueue } from '@kgen/runtime/queue';
 *
 * const reconcile = async (key: string) => console.log(key);
 * const queue = new WorkQueue<string>({ name: 'pods' });
 * queue.add('shop/web-0');
 * async function work(): Promise<void> {
 *   for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
 *     try {
 *       await reconcile(key);
 *       queue.forget(key);
 *     } catch {
 *       queue.add(key, { rateLimited: true });
 *     } finally {
 *       queue.done(key);
 *     }
 *   }
 * }
 * const workers = [work(), work()];
 * await Promise.all([queue.shutDown({ drain: true }), ...workers]);
 * ```
 */
export class WorkQueue<K> {
  /** Name of the queue, as in warnings and metrics. */
  readonly name: string;
  /**
   * Resolves once the queue is shut down, all keys that were ready are delivered, and no key is processing.
   * Never rejects.
   */
  readonly drained: Promise<void>;
  readonly #idOf: (key: K) => unknown;
  readonly #limiter: RateLimiter;
  readonly #clock: RuntimeEnvironment['clock'];
  readonly #observer: SafeObserver | undefined;
  readonly #core: QueueCore<K>;
  readonly #turn: EventLoopTurn;
  /** Calls of `get` that wait, in their order: for a key, or for the next turn of the event loop. */
  readonly #waiters = new Set<Waiter<K>>();
  #isShutDown = false;
  /** Whether workers receive keys in the next turn. */
  #isDeliveryDue = false;
  #resolveDrained: () => void = () => undefined;
  #cancelTimer: () => void = () => undefined;
  /** Time at which the timer fires. */
  #timerAt = Number.POSITIVE_INFINITY;

  /**
   * Creates an empty queue.
   * @throws {RangeError} if `fairShare` is not an integer >= 1
   */
  constructor(options: WorkQueueOptions<K>) {
    const { name, idOf = (key) => key, rateLimiter = exponentialRateLimiter(), fairShare = 5 } = options;
    if (!Number.isInteger(fairShare) || fairShare < 1) {
      throw new RangeError(`fairShare of work queue ${name} must be an integer >= 1, got ${fairShare}`);
    }
    this.name = name;
    this.#idOf = idOf;
    this.#limiter = rateLimiter;
    this.#clock = (options.environment ?? systemEnvironment).clock;
    this.#turn = eventLoopTurn(this.#clock);
    this.#observer = options.observer && safeObserver(options.observer, name);
    this.#core = new QueueCore(fairShare, this.#observer?.added);
    this.drained = new Promise((resolve) => {
      this.#resolveDrained = resolve;
    });
    if (created.hasSubscribers) created.publish(this);
  }

  /** Number of keys that can be delivered. Keys with a delay and processing keys are not counted. */
  get length(): number {
    return this.#core.length;
  }

  /** Whether `shutDown` was called: added keys are then ignored. */
  get isShutDown(): boolean {
    return this.#isShutDown;
  }

  /**
   * Adds a key. Ignored after `shutDown`.
   * @throws {RangeError} if `priority`, `afterMs` or the delay of the rate limiter is NaN
   */
  add(key: K, options?: WorkQueueAddOptions): void {
    if (this.#isShutDown) return;
    const id = this.#idOf(key);
    const priority = this.#number('priority', options?.priority ?? 0);
    const delayMs = options === undefined ? 0 : this.#delayOf(id, options);
    const now = this.#promote();
    // Functions of the caller have run, which may have called `shutDown`.
    if (this.#isShutDown) return;
    this.#core.add(id, key, priority, now + delayMs, now);
    if (delayMs > 0) this.#observer?.retried();
    this.#advance(now);
  }

  /**
   * Makes keys ready whose delay is over: callbacks of clocks may come late. The timer follows for those that
   * are left. Returns the time.
   */
  #promote(): number {
    const now = this.#clock.now();
    this.#core.promote(now, mostPromoted);
    return now;
  }

  #delayOf(id: unknown, { afterMs, rateLimited = false }: WorkQueueAddOptions): number {
    const after = this.#number('afterMs', afterMs ?? (rateLimited ? Number.POSITIVE_INFINITY : 0));
    const limit = rateLimited ? this.#number('the delay of the rate limiter', this.#limiter.when(id)) : after;
    return Math.max(0, Math.min(after, limit));
  }

  #number(name: string, value: number): number {
    if (Number.isNaN(value)) throw new RangeError(`${name} of work queue ${this.name} must not be NaN`);
    return value;
  }

  /** Passes ready keys to waiting workers, and adapts the timer to the first delay. */
  #advance(now: number): void {
    if (this.#waiters.size > 0) this.#deliver(now);
    const { nextReadyAt } = this.#core;
    if (nextReadyAt < this.#timerAt) this.#startTimer(nextReadyAt, now);
  }

  #deliver(now: number): void {
    for (const waiter of this.#waiters) {
      if (this.#core.length === 0) return;
      if (this.#turn.isOver) {
        this.#deliverLater();
        return;
      }
      const item = this.#core.take(now);
      if (item === undefined) return;
      // Before the observer is called, which may abort the signal of this worker or add another key.
      this.#waiters.delete(waiter);
      waiter.resolve(item.key);
      this.#observer?.taken(this.#core.lastWaitedMs);
    }
  }

  /** Workers whose work needs no IO would leave timers and connections no turn of the event loop. */
  #deliverLater(): void {
    if (this.#isDeliveryDue) return;
    this.#isDeliveryDue = true;
    void this.#turn.next().then(() => {
      this.#isDeliveryDue = false;
      this.#advance(this.#promote());
      if (this.#isShutDown) this.#settle();
    });
  }

  #startTimer(at: number, now: number): void {
    this.#cancelTimer();
    this.#timerAt = at;
    const ms = Math.min(Math.max(1, Math.ceil(at - now)), longestTimerMs);
    this.#cancelTimer = this.#clock.timer(ms, () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.#advance(this.#promote());
    });
  }

  /**
   * Returns the next key, or waits for it. Calls are served in their order. The key must be passed to `done`.
   * Keys are delivered in a later turn of the event loop if workers have used most of the present one.
   * Returns undefined once the queue is shut down and no key is ready.
   * @throws the reason of `signal`, if it is aborted before a key is delivered
   */
  get({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<K | undefined> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const now = this.#passOn();
    const isReady = this.#core.length > 0;
    const isLater = isReady && (this.#waiters.size > 0 || this.#turn.isOver);
    const item = isLater ? undefined : this.#take(now);
    if (item !== undefined) return Promise.resolve(item.key);
    if (isLater) this.#deliverLater();
    else if (this.#isShutDown) return Promise.resolve(undefined);
    return this.#wait(signal);
  }

  /** Makes keys ready, and passes them to workers that wait already. Returns the time. */
  #passOn(): number {
    const now = this.#promote();
    if (this.#waiters.size > 0) this.#deliver(now);
    return now;
  }

  #take(now: number): QueueItem<K> | undefined {
    const item = this.#core.take(now);
    if (item !== undefined) this.#observer?.taken(this.#core.lastWaitedMs);
    if (this.#isShutDown) this.#settle();
    return item;
  }

  #wait(signal: AbortSignal | undefined): Promise<K | undefined> {
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter<K> = {
        resolve: (key) => {
          signal?.removeEventListener('abort', abort);
          resolve(key);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Returns the next key if one is ready, otherwise undefined. The key must be passed to `done`. */
  tryGet(): K | undefined {
    return this.#take(this.#passOn())?.key;
  }

  /**
   * Ends the processing of a key. If it was added in the meantime, it can be delivered again. Without effect
   * for a key that is not processing.
   */
  done(key: K): void {
    const id = this.#idOf(key);
    const now = this.#promote();
    const workedMs = this.#core.done(id, now);
    if (workedMs !== undefined) this.#observer?.done(workedMs);
    this.#advance(now);
    if (this.#isShutDown) this.#settle();
  }

  /** After the shutdown, workers wait only for keys that are ready. */
  #settle(): void {
    if (this.#core.length > 0) return;
    for (const waiter of this.#waiters) waiter.resolve(undefined);
    this.#waiters.clear();
    if (this.#core.processing === 0) this.#resolveDrained();
  }

  /** Resets the failures of a key, so that its next delay is the shortest one. Call it after a success. */
  forget(key: K): void {
    this.#limiter.forget(this.#idOf(key));
  }

  /** Returns the number of failures of a key since the last `forget`. */
  failures(key: K): number {
    return this.#limiter.failures(this.#idOf(key));
  }

  /**
   * Returns the priority with which a processing key was delivered, for adding it again with the same one.
   * Undefined for other keys.
   */
  priorityOf(key: K): number | undefined {
    return this.#core.takenPriority(this.#idOf(key));
  }

  /** Returns the numbers of keys in each state, and durations of processing keys, for metrics. */
  stats(): WorkQueueStats {
    const { length, waiting } = this.#core;
    return {
      ready: length,
      depth: this.#core.depth(),
      waiting,
      ...this.#core.processingStats(this.#clock.now()),
    };
  }

  /**
   * Ends the queue: later adds are ignored, keys with a delay are dropped, and waiting calls of `get` return
   * undefined. May be called again without `drain` in order to drop what is not delivered yet.
   * @param options `drain`: whether keys that are ready are still delivered, including those that were added
   * again while they are processing. Default: false.
   * @returns `drained`
   */
  shutDown({ drain = false }: { readonly drain?: boolean | undefined } = {}): Promise<void> {
    const isFirst = !this.#isShutDown;
    this.#isShutDown = true;
    const now = this.#clock.now();
    if (!drain) this.#core.dropAll();
    else if (isFirst) this.#dropDelayed(now);
    this.#cancelTimer();
    this.#settle();
    return this.drained;
  }

  #dropDelayed(now: number): void {
    this.#core.promote(now);
    this.#core.dropDelayed(now);
    // Keys whose timer is late belong to the workers that wait.
    this.#deliver(now);
  }
}
