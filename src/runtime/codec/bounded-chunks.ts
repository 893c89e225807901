/** Maximum size of a chunk in bytes. */
const longest = 256 * 1024;

/** The bytes of a body in chunks of limited size. */
export class Pieces {
  readonly #rest: AsyncIterator<Uint8Array>;
  /** Chunks that have not been returned completely. */
  #chunks: Uint8Array[];
  #bytes = 0;
  #failure: unknown;

  constructor(chunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    this.#chunks = [...chunks];
    this.#rest = rest;
  }

  /** Number of returned bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The error that interrupted the body. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Returns the next chunk; `undefined` at the end. */
  async next(): Promise<Uint8Array | undefined> {
    const chunk = this.#chunks.shift() ?? (await this.#read());
    if (chunk === undefined) return undefined;
    if (chunk.length > longest) this.#chunks.unshift(chunk.subarray(longest));
    const piece = chunk.subarray(0, longest);
    this.#bytes += piece.length;
    return piece;
  }

  /** Returns all remaining chunks. */
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
