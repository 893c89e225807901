import { errorFrom } from '../callbacks.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Clock } from './clock.ts';

/**
 * The lifetime of one request: aborted with its parent, by a deadline or on purpose. Whoever waits for something in a
 * scope stops waiting when it is aborted, even if the thing itself never settles.
 */
export class Scope {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  #forget: (() => void) | undefined;
  #disarm: (() => void) | undefined;
  /** Rejects the one wait that is going on. A promise that all waits race against would gather their reactions. */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(parent: AbortSignal, clock: Clock) {
    this.#clock = clock;
    if (parent.aborted) this.abort(parent.reason);
    else this.#forget = onAbort(parent, (reason) => this.abort(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts with the error that `reason` creates, or with what it throws, unless the deadline is moved within `ms` milliseconds. */
  deadline(ms: number, reason: () => Error): void {
    this.#disarm?.();
    this.#disarm = this.#clock.timer(ms, () => this.abort(errorFrom(reason)));
  }

  /** The outcome of `promise`, or the reason of the abort when that comes first. One wait at a time. */
  wait<R>(promise: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.#interrupt = reject;
      promise.then(resolve, reject);
    });
  }

  /** Waits for time to pass; takes the place of a deadline. */
  sleep(ms: number): Promise<void> {
    this.#disarm?.();
    return this.wait(
      new Promise((resolve) => {
        this.#disarm = this.#clock.timer(ms, resolve);
      }),
    );
  }

  /** Lets go of the parent and of the clock: the request is over. */
  end(): void {
    this.#forget?.();
    this.#disarm?.();
    this.#disarm = undefined;
  }

  abort(reason: unknown): void {
    this.end();
    this.#controller.abort(reason);
    this.#interrupt?.(reason);
    this.#interrupt = undefined;
  }
}
