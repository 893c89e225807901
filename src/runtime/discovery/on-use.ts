/** What may end a call that waits for code first. */
interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** Something whose code is loaded when it is first used. */
export class OnUse<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /**
   * Makes a call, unless its signal has aborted: also where the answer is known already.
   * @throws `signal.reason`
   */
  async use<R>(options: Abortable | undefined, call: (it: T) => Promise<R>): Promise<R> {
    options?.signal?.throwIfAborted();
    this.#loading ??= this.#load();
    const it = await this.#loading;
    options?.signal?.throwIfAborted();
    return call(it);
  }

  /** Comes after the calls before it and before those after it. Nothing happens where there was none before it. */
  tell(act: (it: T) => void): void {
    // Where loading fails, the call that loads rejects. Nobody handles a rejection of this promise.
    this.#loading?.then(act).catch(() => undefined);
  }
}
