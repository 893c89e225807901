/** Rejections of promises that nothing handles. */

/** Receives rejections without a handler, in place of the listeners of the process, during a simulation. */
export class Rejections {
  readonly #others = process.listeners('unhandledRejection');
  #listener: (reason: unknown) => void = () => undefined;
  readonly #own = (reason: unknown): void => this.#listener(reason);

  constructor() {
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', this.#own);
  }

  readonly listen = (listener: (reason: unknown) => void): void => {
    this.#listener = listener;
  };

  stop(): void {
    process.off('unhandledRejection', this.#own);
    for (const other of this.#others) process.on('unhandledRejection', other);
  }
}
