/** The longest piece, in bytes. */
const longest = 256 * 1024;

/** The bytes of a body in pieces that are not too large to be worked on at once. */
export class Pieces {
  readonly #rest: AsyncIterator<Uint8Array>;
  /** Chunks that have not been handed out, or not all of them. */
  #chunks: Uint8Array[];
  #bytes = 0;
  #failure: unknown;

  constructor(chunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    this.#chunks = [...chunks];
    this.#rest = rest;
  }

  /** How many bytes were handed out. */
  get bytes(): number {
    return this.#bytes;
  }

  /** What the body broke off with. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The next piece; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift() ?? (await this.#read());
    if (chunk === undefined) return undefined;
    if (chunk.length > longest) this.#chunks.unshift(chunk.subarray(longest));
    const piece = chunk.subarray(0, longest);
    this.#bytes += piece.length;
    return piece;
  }

  /** All that has not been handed out. */
  async readAll(): Promise<Uint8Array[]> {
    const all: Uint8Array[] = [];
    for (let piece = await this.next(); piece !== undefined; piece = await this.next()) all.push(piece);
    return all;
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      const next = await this.#rest.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
