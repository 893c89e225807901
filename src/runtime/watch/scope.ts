import { errorFrom } from '../common/callbacks.ts';
import type { Clock } from '../common/clock.ts';
import { onAbort } from '../rest/abort/on-abort.ts';

/**
 * Lifetime of one request. It is aborted with its parent, by a deadline or explicitly. An abort also ends a
 * wait for a promise that never settles.
 */
export class Scope {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  #forget: (() => void) | undefined;
  #disarm: (() => void) | undefined;
  /**
   * Rejects the pending wait. A long-lived promise that all waits race against would accumulate their
   * reactions.
   */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(parent: AbortSignal, clock: Clock) {
    this.#clock = clock;
    if (parent.aborted) this.abort(parent.reason);
    else this.#forget = onAbort(parent, (reason) => this.abort(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Aborts after `ms` milliseconds with the error that `reason` returns or throws. Must be called at most
   * once, and not together with `sleep`.
   */
  deadline(ms: number, reason: () => Error): void {
    this.#disarm = this.#clock.timer(ms, () => this.abort(errorFrom(reason)));
  }

  /** Settles with `promise`, or rejects with the reason of an earlier abort. Supports one wait at a time. */
  wait<R>(promise: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) reject(this.signal.reason);
      this.#interrupt = reject;
      promise.then(resolve, reject);
    });
  }

  /** Waits for `ms` milliseconds. */
  sleep(ms: number): Promise<void> {
    return this.wait(
      new Promise((resolve) => {
        this.#disarm = this.#clock.timer(ms, resolve);
      }),
    );
  }

  /** Ends the scope after the request: detaches it from the parent and the clock. */
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
