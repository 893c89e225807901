import { asBuffer } from '../codec/as-buffer.ts';

/** The longest line in bytes: what an API server can store is far below it. */
export const LINE_LIMIT: number = 16 * 1024 * 1024;

const NEWLINE = 10;
/** Bytes that are set aside for a line that goes on in the next chunk. */
const ROOM = 16 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** What a chunk completes. */
export interface CutLines {
  /** The line that earlier chunks began, without its end. */
  readonly first: Buffer | undefined;
  /** Whole lines, each with its end; may be empty. A view of the chunk. */
  readonly lines: Buffer;
}

/** Finds the lines in a stream of bytes. Only a line that spans chunks is copied, once. */
export class LineCutter {
  readonly #limit: number;
  /** The line that has not ended yet, and room for more of it. */
  #open: Buffer = nothing;
  #length = 0;

  /** A line longer than `limit` bytes is an error: a server cannot fill the memory. */
  constructor(limit: number = LINE_LIMIT) {
    this.#limit = limit;
  }

  /** @throws {LineTooLong} */
  push(bytes: Uint8Array): CutLines {
    const chunk = asBuffer(bytes);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.#add(chunk);
      return { first: undefined, lines: nothing };
    }
    const first = this.#length === 0 ? undefined : this.#complete(chunk);
    const lines = chunk.subarray(first === undefined ? 0 : chunk.indexOf(NEWLINE) + 1, end);
    // Longer lines than the limit only come in chunks that are longer.
    if (lines.length > this.#limit) this.#check(lines);
    if (end < chunk.length) this.#add(chunk.subarray(end));
    return { first, lines };
  }

  /** What is there of a line that has not ended; `undefined` where nothing follows the last end. */
  end(): Buffer | undefined {
    return this.#length === 0 ? undefined : this.#take();
  }

  #complete(chunk: Buffer): Buffer {
    this.#add(chunk.subarray(0, chunk.indexOf(NEWLINE)));
    return this.#take();
  }

  #add(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#limit) throw new LineTooLong(this.#limit);
    if (length > this.#open.length) {
      const wider = Buffer.allocUnsafe(Math.max(ROOM, 2 * length));
      this.#open.copy(wider, 0, 0, this.#length);
      this.#open = wider;
    }
    part.copy(this.#open, this.#length);
    this.#length = length;
  }

  /** The bytes are given away: the next line has its own. */
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

/** Each of several lines that have newlines between them. */
export function* linesOf(lines: Buffer): Generator<Buffer, void> {
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end !== -1; end = lines.indexOf(NEWLINE, start)) {
    yield lines.subarray(start, end);
    start = end + 1;
  }
  yield lines.subarray(start);
}

/** Cuts a stream of bytes into lines of text. Lines are decoded whole, so a chunk may end inside a character. */
export class LineSplitter {
  readonly #cutter: LineCutter;

  /** A line longer than `limit` bytes is an error: a server cannot fill the memory. */
  constructor(limit: number = LINE_LIMIT) {
    this.#cutter = new LineCutter(limit);
  }

  /**
   * The lines that this chunk completes, without their ends. Each is a text of its own: whoever keeps one does not keep
   * its neighbours.
   * @throws {LineTooLong}
   */
  push(chunk: Uint8Array): string[] {
    const { first, lines } = this.#cutter.push(chunk);
    const texts = first === undefined ? [] : [first.toString()];
    if (lines.length === 0) return texts;
    for (const line of linesOf(lines.subarray(0, -1))) texts.push(line.toString());
    return texts;
  }

  /** The last line, where it has no end; `undefined` where nothing follows the last end. */
  end(): string | undefined {
    return this.#cutter.end()?.toString();
  }
}

/** A line was longer than the limit. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  constructor(limit: number) {
    super(`a line is longer than ${limit} bytes`);
  }
}
