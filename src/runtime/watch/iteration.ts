import { errorFrom } from '../callbacks.ts';
import { checkTimeout, timedOut } from '../rest/deadline.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Operation } from '../rest/types.ts';
import { type Environment, systemEnvironment } from './clock.ts';

/** What limits an iteration. */
export interface IterationLimits {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for each iteration, counted from its start. */
  readonly timeoutMs?: number | undefined;
  /** Time; for tests. */
  readonly environment?: Pick<Environment, 'clock'> | undefined;
}

/** Starts what gives the items, in batches as they come. It ends with `signal`, and then rejects with its reason. */
type Start<E> = (signal: AbortSignal) => AsyncIterator<Iterable<E>, unknown, undefined>;

const done: IteratorResult<never, undefined> = Object.freeze({ done: true, value: undefined });

/**
 * An iteration over items that come in batches. It throws `TimeoutError` after `timeoutMs`, where that is given, and the
 * reason of the signal once it aborts, also between two items of a batch. It can be left at any time, also while the next
 * item is being waited for, which then is the end. Each loop over it starts anew; with a `timeoutMs` that is no time it
 * throws `RangeError`.
 */
export function iteration<E>(
  start: Start<E>,
  limits: IterationLimits,
  operation: Operation,
): AsyncIterable<E> {
  return { [Symbol.asyncIterator]: () => new BatchIterator(start, limits, operation) };
}

/** An item of a batch that is here costs one promise. */
class BatchIterator<E> implements AsyncIterator<E, undefined> {
  readonly #controller = new AbortController();
  /** Absent while the iteration is being made. */
  readonly #batches: AsyncIterator<Iterable<E>, unknown, undefined> | undefined;
  #items: Iterator<E> = [][Symbol.iterator]();
  /** The item that was asked for last, while it is being waited for. */
  #coming: Promise<IteratorResult<E, undefined>> | undefined;
  /** Why nothing more is given out of what is here. */
  #stopped: { readonly reason: unknown } | undefined;
  #over = false;
  #forget: () => void;

  constructor(start: Start<E>, limits: IterationLimits, operation: Operation) {
    const { signal, timeoutMs, environment = systemEnvironment } = limits;
    checkTimeout(timeoutMs);
    const expired = (): unknown => timedOut(this.#controller.signal, timeoutMs, operation);
    const expire = (): void => this.#stop(errorFrom(expired));
    const disarm = timeoutMs === undefined ? undefined : environment.clock.timer(timeoutMs, expire);
    const unlink = signal && onAbort(signal, (reason) => this.#stop(reason));
    this.#forget = () => {
      disarm?.();
      unlink?.();
    };
    if (signal?.aborted) this.#stop(signal.reason);
    this.#batches = start(this.#controller.signal);
  }

  next(): Promise<IteratorResult<E, undefined>> {
    // Whoever asks for several items at a time gets them in turn.
    if (this.#coming !== undefined) return this.#await(this.#coming.then(this.#take, this.#take));
    const item = this.#take();
    return item instanceof Promise ? this.#await(item) : Promise.resolve(item);
  }

  async return(): Promise<IteratorResult<E, undefined>> {
    this.#over = true;
    this.#stop(new DOMException('no more is asked for', 'AbortError'));
    await this.#batches?.return?.();
    return done;
  }

  readonly #take = (): Promise<IteratorResult<E, undefined>> | IteratorResult<E, undefined> => {
    if (this.#over) return done;
    if (this.#stopped !== undefined) return this.#fetch();
    const item = this.#items.next();
    return item.done === true ? this.#fetch() : item;
  };

  /** The next one to ask waits for this first. */
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

  // Also while nobody asks for items, who then may never ask again: no timer, listener or request stays behind.
  #stop(reason: unknown): void {
    this.#forget();
    this.#stopped ??= { reason };
    this.#controller.abort(reason);
    // How it ends is told to who asks next: the reason.
    this.#batches?.return?.().catch(() => undefined);
  }
}
