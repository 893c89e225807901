/** The longest line in bytes: what an API server can store is far below it. */
export const LINE_LIMIT: number = 16 * 1024 * 1024;

const NEWLINE = 10;

/** Cuts a stream of bytes into lines. Lines are decoded whole, so a chunk may end inside a character. */
export class LineSplitter {
  readonly #limit: number;
  /** Chunks of a line that has not ended yet. */
  #open: Uint8Array[] = [];
  #openBytes = 0;

  /** A line longer than `limit` bytes is an error: a server cannot fill the memory. */
  constructor(limit: number = LINE_LIMIT) {
    this.#limit = limit;
  }

  /**
   * The lines that this chunk completes, without their ends.
   * @throws {LineTooLong}
   */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#take());
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
    return lines;
  }

  /** The last line, where it has no end; `undefined` where nothing follows the last end. */
  end(): string | undefined {
    return this.#openBytes === 0 ? undefined : this.#take();
  }

  #add(part: Uint8Array): void {
    this.#openBytes += part.length;
    if (this.#openBytes > this.#limit) throw new LineTooLong(this.#limit);
    this.#open.push(part);
  }

  #take(): string {
    const [first, ...rest] = this.#open;
    this.#open = [];
    this.#openBytes = 0;
    if (first === undefined) return '';
    return text(rest.length === 0 ? first : Buffer.concat([first, ...rest]));
  }
}

/** A line was longer than the limit. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  constructor(limit: number) {
    super(`a line is longer than ${limit} bytes`);
  }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
