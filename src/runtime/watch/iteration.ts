import type { RequestOperation } from '../api/operation.ts';
import { errorFrom } from '../common/callbacks.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../common/clock.ts';
import { checkTimeout, timedOut } from '../rest/abort/deadline.ts';
import { onAbort } from '../rest/abort/on-abort.ts';

/** Limits of an iteration. */
export interface IterationLimits {
  readonly signal?: AbortSignal | undefined;
  /** Timeout of each iteration, in milliseconds from its start. */
  readonly timeoutMs?: number | undefined;
  /**
   * Whether the source has no end of its own, so that an abort of `signal` ends the iteration without an
   * error. Default: false, because an interrupted finite source must not look complete.
   */
  readonly endless?: boolean | undefined;
  /** Clock; for tests. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
}

/**
 * Starts the source of the items, which yields them in batches. When `signal` aborts, the source rejects with
 * the reason.
 */
type Start<E> = (signal: AbortSignal) => AsyncIterator<Iterable<E>, unknown, undefined>;

const done: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined });

/**
 * Creates an iterable over items that arrive in batches. It rejects with `TimeoutError` after `timeoutMs`. An
 * abort of the signal ends it, also between two items of a batch: without an error if the source is endless,
 * else it rejects with the reason. `return()` ends it at any time, also while a call of `next()` is pending.
 * Each loop starts a new iteration. An invalid `timeoutMs` throws `RangeError`.
 */
export function iteration<E>(
  start: Start<E>,
  limits: IterationLimits,
  operation: RequestOperation,
): AsyncIterable<E> {
  return { [Symbol.asyncIterator]: () => new BatchIterator(start, limits, operation) };
}

/** An item of a received batch costs one promise. */
class BatchIterator<E> implements AsyncIterator<E, undefined> {
  readonly #controller = new AbortController();
  /** `undefined` during construction. */
  readonly #batches: AsyncIterator<Iterable<E>, unknown, undefined> | undefined;
  #items: Iterator<E> = [][Symbol.iterator]();
  /** The pending item that was requested last. */
  #coming: Promise<IteratorResult<E, undefined>> | undefined;
  /** Reason for which no more items are returned, not even those already received. */
  #stopped: { readonly reason: unknown } | undefined;
  #over = false;
  #forget: () => void;

  constructor(start: Start<E>, limits: IterationLimits, operation: RequestOperation) {
    const { signal, timeoutMs, endless = false, environment = systemEnvironment } = limits;
    checkTimeout(timeoutMs);
    const expired = (): unknown => timedOut(this.#controller.signal, timeoutMs, operation);
    const expire = (): void => this.#stop(errorFrom(expired));
    const disarm = timeoutMs === undefined ? undefined : environment.clock.timer(timeoutMs, expire);
    const abort = (reason: unknown): void => {
      this.#over = endless;
      this.#stop(reason);
    };
    const unlink = signal && onAbort(signal, abort);
    this.#forget = () => {
      disarm?.();
      unlink?.();
    };
    if (signal?.aborted) abort(signal.reason);
    this.#batches = start(this.#controller.signal);
  }

  next(): Promise<IteratorResult<E, undefined>> {
    // Concurrent calls are served in order.
    if (this.#coming !== undefined) return this.#await(this.#coming.then(this.#take, this.#take));
    const item = this.#take();
    return item instanceof Promise ? this.#await(item) : Promise.resolve(item);
  }

  async return(): Promise<IteratorResult<E, undefined>> {
    this.#over = true;
    this.#stop(new DOMException('the iteration has ended', 'AbortError'));
    await this.#batches?.return?.();
    return done;
  }

  readonly #take = (): Promise<IteratorResult<E, undefined>> | IteratorResult<E, undefined> => {
    if (this.#over) return done;
    if (this.#stopped !== undefined) return this.#fetch();
    const item = this.#items.next();
    return item.done === true ? this.#fetch() : item;
  };

  /** The next call waits for this item first. */
  #await(item: Promise<IteratorResult<E, undefined>>): Promise<IteratorResult<E, undefined>> {
    const coming = item.finally(() => {
      if (this.#coming === coming) this.#coming = undefined;
    });
    this.#coming = coming;
    return coming;
  }

  async #fetch(): Promise<IteratorResult<E, undefined>> {
    try {
      this.#throwIfStopped();
      for (;;) {
        const batch = await this.#batches?.next();
        this.#throwIfStopped();
        if (batch === undefined || batch.done === true) return this.#end();
        this.#items = batch.value[Symbol.iterator]();
        const item = this.#items.next();
        if (item.done !== true) return item;
      }
    } catch (error) {
      const left = this.#over;
      this.#end();
      if (left) return done;
      throw error;
    }
  }

  #throwIfStopped(): void {
    if (this.#stopped !== undefined) throw this.#stopped.reason;
  }

  #end(): IteratorResult<E, undefined> {
    this.#over = true;
    this.#forget();
    return done;
  }

  // Runs even if no call is pending, as none may follow: no timer, listener or request remains.
  #stop(reason: unknown): void {
    this.#forget();
    this.#stopped ??= { reason };
    this.#controller.abort(reason);
    // The next call rejects with the reason; errors of the source are irrelevant.
    this.#batches?.return?.().catch(() => undefined);
  }
}
