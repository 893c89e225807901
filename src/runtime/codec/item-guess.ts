/** Bytes that guesses may cost more than they have saved. */
const credit = 1024 * 1024;
/** The first key of an item is looked for in so many bytes. */
const longestPrefix = 64;

const COLON = 0x3a;

/**
 * Guesses where an object in a list ends: where the next one begins the way the first one did. The search is many times
 * as fast as to look at each byte. A guess may be wrong: whoever asks has to check it, and says how it went. Where
 * guesses are wrong again and again, there are no more of them, so that they cost little in any document.
 */
export class ItemGuess {
  #pattern: Buffer | undefined;
  #credit = credit;

  /** Learns from the bytes of the first object. */
  learn(item: Buffer): void {
    if (this.#pattern !== undefined) return;
    const colon = item.subarray(0, longestPrefix).indexOf(COLON);
    // An object without keys: the next one may have some.
    if (colon !== -1) this.#pattern = Buffer.concat([Buffer.from('},'), item.subarray(0, colon + 1)]);
  }

  get ready(): boolean {
    return this.#pattern !== undefined && this.#credit > 0;
  }

  /** Bytes at the end of a search in which a match may begin that goes on behind them. */
  get overlap(): number {
    return this.#pattern === undefined ? 0 : this.#pattern.length - 1;
  }

  /** The place after the object, looking from `from` to `to`; -1 where nothing looks like it. */
  end(bytes: Buffer, from: number, to: number): number {
    if (this.#pattern === undefined) return -1;
    const found = bytes.subarray(from, to).indexOf(this.#pattern);
    return found === -1 ? -1 : from + found + 1;
  }

  right(length: number): void {
    this.#credit = Math.min(credit, this.#credit + length);
  }

  wrong(length: number): void {
    this.#credit -= length;
  }
}
