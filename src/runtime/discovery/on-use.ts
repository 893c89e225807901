/** Something whose code is loaded when it is first used. */
export class OnUse<T> {
  readonly #load: () => Promise<T>;
  #loading: Promise<T> | undefined;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  async use<R>(call: (it: T) => Promise<R>): Promise<R> {
    this.#loading ??= this.#load();
    return call(await this.#loading);
  }

  /** Comes after the calls before it and before those after it. Nothing happens where there was none before it. */
  tell(act: (it: T) => void): void {
    // Where loading fails, the call that it is for says so.
    this.#loading?.then(act, () => undefined);
  }
}
