/** Signal that may abort a call before its implementation is loaded. */
interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** A value whose module is loaded on first use. */
export class OnUse<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /**
   * Makes a call, unless its signal is aborted, also if the result is cached.
   * @throws `signal.reason`
   */
  async use<R>(options: Abortable | undefined, call: (it: T) => Promise<R>): Promise<R> {
    options?.signal?.throwIfAborted();
    this.#loading ??= this.#load();
    const it = await this.#loading;
    options?.signal?.throwIfAborted();
    return call(it);
  }

  /** Calls a function after pending calls and before later ones. Has no effect before the first call. */
  afterPending(act: (it: T) => void): void {
    // If loading fails, the call that loads rejects; this promise has no other handler.
    this.#loading?.then(act).catch(() => undefined);
  }
}
