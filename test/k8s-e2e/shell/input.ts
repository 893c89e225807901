/** Standard input of a command, which may arrive later. */

const waitMs = 50;

/** Input that a client sends while the command runs. */
export class Input {
  readonly #read: () => string | undefined;
  #rest = '';
  #isEnded = false;

  /** @param read returns what has arrived, or `undefined` at the end */
  constructor(read: () => string | undefined) {
    this.#read = read;
  }

  /** Waits for a line, and returns it without its end. `undefined` at the end of the input. */
  *line(): Generator<number, string | undefined> {
    for (;;) {
      const at = this.#rest.indexOf('\n');
      if (at >= 0 || this.#isEnded) {
        if (at < 0 && this.#rest === '') return undefined;
        const line = at < 0 ? this.#rest : this.#rest.slice(0, at);
        this.#rest = at < 0 ? '' : this.#rest.slice(at + 1);
        return line;
      }
      yield* this.#fill();
    }
  }

  /** Waits for text, and returns it. `undefined` at the end of the input. */
  *chunk(): Generator<number, string | undefined> {
    while (this.#rest === '') {
      if (this.#isEnded) return undefined;
      yield* this.#fill();
    }
    const text = this.#rest;
    this.#rest = '';
    return text;
  }

  *#fill(): Generator<number, void> {
    const text = this.#read();
    if (text === undefined) this.#isEnded = true;
    else if (text === '') yield waitMs;
    else this.#rest += text;
  }
}
