/** Number of bytes that wrong guesses may cost in excess of the savings. */
const credit = 1024 * 1024;
/** Number of bytes in which the first key of an item is searched. */
const longestPrefix = 64;

const colonByte = 0x3a;

/**
 * Guesses the end of an object in a list: the position at which the next object starts with the same bytes as
 * the first one. The search is many times as fast as a scan of each byte. A guess may be wrong, so the caller
 * has to verify it and report the result. After repeated wrong guesses there are no further ones, so that
 * they cost little in any document.
 */
export class ItemGuess {
  #pattern: Buffer | undefined;
  #credit = credit;

  /** Learns from the bytes of the first object. */
  learn(item: Buffer): void {
    if (this.#pattern !== undefined) return;
    const colon = item.subarray(0, longestPrefix).indexOf(colonByte);
    // The first object may be empty; a later one may have keys.
    if (colon !== -1) this.#pattern = Buffer.concat([Buffer.from('},'), item.subarray(0, colon + 1)]);
  }

  get ready(): boolean {
    return this.#pattern !== undefined && this.#credit > 0;
  }

  /** Number of bytes at the end of a search in which an incomplete match may start. */
  get overlap(): number {
    return this.#pattern === undefined ? 0 : this.#pattern.length - 1;
  }

  /** Returns the position after the object, searching from `from` to `to`; -1 if there is no match. */
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
