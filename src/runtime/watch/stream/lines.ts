import { asBuffer } from '../../codec/as-buffer.ts';

/** Maximum length of a line, in bytes. Objects that an API server can store are far smaller. */
export const lineLimit: number = 16 * 1024 * 1024;

const newline = 10;
/** Initial size in bytes of the buffer for a line that continues in the next chunk. */
const room = 16 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Lines that a chunk completes. */
export interface CutLines {
  /** Line that began in earlier chunks, without its newline. */
  readonly first: Buffer | undefined;
  /** Complete lines with their newlines; may be empty. A view of the chunk. */
  readonly lines: Buffer;
}

/** Finds the lines in a stream of bytes. Only a line that spans chunks is copied, once. */
export class LineCutter {
  readonly #limit: number;
  /** Incomplete line, and space for more of it. */
  #open: Buffer = nothing;
  #length = 0;

  /** A line longer than `limit` bytes is an error, so that a server cannot exhaust the memory. */
  constructor(limit: number = lineLimit) {
    this.#limit = limit;
  }

  /** @throws {LineTooLong} */
  push(bytes: Uint8Array): CutLines {
    const chunk = asBuffer(bytes);
    const end = chunk.lastIndexOf(newline) + 1;
    if (end === 0) {
      this.#add(chunk);
      return { first: undefined, lines: nothing };
    }
    const first = this.#length === 0 ? undefined : this.#complete(chunk);
    const lines = chunk.subarray(first === undefined ? 0 : chunk.indexOf(newline) + 1, end);
    // Only chunks longer than the limit can contain longer lines.
    if (lines.length > this.#limit) this.#check(lines);
    if (end < chunk.length) this.#add(chunk.subarray(end));
    return { first, lines };
  }

  /** Returns the incomplete last line, or `undefined` if nothing follows the last newline. */
  end(): Buffer | undefined {
    return this.#length === 0 ? undefined : this.#take();
  }

  #complete(chunk: Buffer): Buffer {
    this.#add(chunk.subarray(0, chunk.indexOf(newline)));
    return this.#take();
  }

  #add(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#limit) throw new LineTooLong(this.#limit);
    if (length > this.#open.length) {
      const wider = Buffer.allocUnsafe(Math.max(room, 2 * length));
      this.#open.copy(wider, 0, 0, this.#length);
      this.#open = wider;
    }
    part.copy(this.#open, this.#length);
    this.#length = length;
  }

  /** Transfers the bytes to the caller: the next line has its own buffer. */
  #take(): Buffer {
    const line = this.#open.subarray(0, this.#length);
    this.#open = nothing;
    this.#length = 0;
    return line;
  }

  #check(lines: Buffer): void {
    for (const line of linesOf(lines)) {
      if (line.length > this.#limit) throw new LineTooLong(this.#limit);
    }
  }
}

/** Yields each of several lines that are separated by newlines. */
export function* linesOf(lines: Buffer): Generator<Buffer, void> {
  let start = 0;
  for (let end = lines.indexOf(newline); end !== -1; end = lines.indexOf(newline, start)) {
    yield lines.subarray(start, end);
    start = end + 1;
  }
  yield lines.subarray(start);
}

/**
 * Cuts a stream of bytes into lines as strings. Only complete lines are decoded, so a chunk may end inside a
 * character.
 */
export class LineSplitter {
  readonly #cutter: LineCutter;

  /** A line longer than `limit` bytes is an error, so that a server cannot exhaust the memory. */
  constructor(limit: number = lineLimit) {
    this.#cutter = new LineCutter(limit);
  }

  /**
   * Returns the lines that this chunk completes, without their newlines. Each is a separate string, so that
   * keeping one does not retain the others.
   * @throws {LineTooLong}
   */
  push(chunk: Uint8Array): string[] {
    const { first, lines } = this.#cutter.push(chunk);
    const texts = first === undefined ? [] : [first.toString()];
    if (lines.length === 0) return texts;
    for (const line of linesOf(lines.subarray(0, -1))) texts.push(line.toString());
    return texts;
  }

  /** Returns the last line if it has no newline, or `undefined` if nothing follows the last newline. */
  end(): string | undefined {
    return this.#cutter.end()?.toString();
  }
}

/** Error for a line that exceeds the limit. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  constructor(limit: number) {
    super(`a line is longer than ${limit} bytes`);
  }
}
