import { asBuffer } from '../codec/as-buffer.ts';

/** The longest frame in bytes: the limit of clients that are written in Go. */
export const FRAME_LIMIT: number = 16 * 1024 * 1024;

const HEADER_BYTES = 4;

/** Bytes that are set aside for frames that span chunks; and how many of them are kept for the next ones. */
const ROOM = 16 * 1024;
const MOST_ROOM = 1024 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Cuts a stream of bytes into frames: four bytes of length, the highest first, and so many bytes. */
export class FrameCutter {
  readonly #limit: number;
  readonly #header: Buffer = Buffer.alloc(HEADER_BYTES);
  #headerLength = 0;
  /** Bytes of the frame that has not ended yet, once they are known. */
  #wanted: number | undefined;
  /** What is there of it, and room for more. */
  #open: Buffer = nothing;
  #length = 0;

  /** A frame longer than `limit` bytes is an error, before any of it is stored: a server cannot fill the memory. */
  constructor(limit: number = FRAME_LIMIT) {
    this.#limit = limit;
  }

  /** Whether the stream is within a frame, where it must not end. */
  get open(): boolean {
    return this.#headerLength > 0;
  }

  /**
   * The frames that this chunk completes, as far as they are asked for. Each is a view of bytes that are others' once the
   * next one is asked for.
   * @throws {FrameTooLong}
   */
  *push(bytes: Uint8Array): Generator<Buffer, void> {
    const chunk = asBuffer(bytes);
    for (let at = 0; at < chunk.length; ) {
      if (!this.open && chunk.length - at >= HEADER_BYTES) {
        const length = this.#checked(chunk.readUInt32BE(at));
        const start = at + HEADER_BYTES;
        if (chunk.length - start >= length) {
          at = start + length;
          yield chunk.subarray(start, at);
          continue;
        }
      }
      at +=
        this.#wanted === undefined ? this.#readHeader(chunk, at) : this.#readFrame(this.#wanted, chunk, at);
      if (this.#length === this.#wanted) yield this.#take(this.#wanted);
    }
  }

  /** How many bytes of the chunk were taken. */
  #readHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerLength, at);
    this.#headerLength += taken;
    if (this.#headerLength === HEADER_BYTES) this.#wanted = this.#checked(this.#header.readUInt32BE(0));
    return taken;
  }

  /** No more is set aside than twice what has come, whatever length was claimed. */
  #readFrame(wanted: number, chunk: Buffer, at: number): number {
    const taken = Math.min(wanted - this.#length, chunk.length - at);
    const length = this.#length + taken;
    if (length > this.#open.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(ROOM, 2 * length));
      this.#open.copy(wider, 0, 0, this.#length);
      this.#open = wider;
    }
    chunk.copy(this.#open, this.#length, at, at + taken);
    this.#length = length;
    return taken;
  }

  #take(length: number): Buffer {
    const frame = this.#open.subarray(0, length);
    if (this.#open.length > MOST_ROOM) this.#open = nothing;
    this.#wanted = undefined;
    this.#headerLength = 0;
    this.#length = 0;
    return frame;
  }

  #checked(length: number): number {
    if (length > this.#limit) throw new FrameTooLong(length, this.#limit);
    return length;
  }
}

/** A frame says that it is longer than the limit. */
export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong';
  constructor(length: number, limit: number) {
    super(`a frame has ${length} bytes; ${limit} is the limit`);
  }
}
