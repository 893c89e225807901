/**
 * Promise that can be reset: pending until it is resolved or rejected. A rejection without a waiting caller
 * is ignored.
 */
export class Deferred {
  #promise: Promise<void> = Promise.resolve();
  #settle: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor() {
    this.reset();
  }

  get promise(): Promise<void> {
    return this.#promise;
  }

  /** Makes later callers wait for the next `resolve`. Has no effect while pending. */
  reset(): void {
    if (this.#settle !== undefined) return;
    this.#promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A rejection concerns waiting callers only; without any it must not end the process.
    this.#promise.catch(() => undefined);
  }

  resolve(): void {
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  /** Rejects for all waiting callers. */
  reject(reason: unknown): void {
    this.#settle?.reject(reason);
    this.#settle = undefined;
  }
}
