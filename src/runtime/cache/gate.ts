/** Something that is waited for: closed until it is opened or given up. Whoever does not wait never hears of a failure. */
export class Gate {
  #promise: Promise<void> = Promise.resolve();
  #settle: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor() {
    this.close();
  }

  get opened(): Promise<void> {
    return this.#promise;
  }

  /** Everybody who asks from now on waits for the next opening. A gate that is closed stays as it is. */
  close(): void {
    if (this.#settle !== undefined) return;
    this.#promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A failure is for those who wait; with nobody waiting it must not end the process.
    this.#promise.catch(() => undefined);
  }

  open(): void {
    this.#settle?.resolve();
    this.#settle = undefined;
  }

  /** Fails all who wait. */
  giveUp(reason: unknown): void {
    this.#settle?.reject(reason);
    this.#settle = undefined;
  }
}
