import { asBuffer } from './lines.ts';

/** The longest frame in bytes: the limit of clients that are written in Go. */
export const FRAME_LIMIT: number = 16 * 1024 * 1024;

const HEADER_BYTES = 4;

/** Cuts a stream of bytes into frames: four bytes of length, the highest first, and so many bytes. */
export class FrameCutter {
  readonly #limit: number;
  readonly #header: Buffer = Buffer.alloc(HEADER_BYTES);
  #headerLength = 0;
  /** The frame that has not ended yet, once its length is known. */
  #frame: Buffer | undefined;
  #frameLength = 0;

  /** A frame longer than `limit` bytes is an error, before any of it is stored: a server cannot fill the memory. */
  constructor(limit: number = FRAME_LIMIT) {
    this.#limit = limit;
  }

  /** Whether the stream is within a frame, where it must not end. */
  get open(): boolean {
    return this.#headerLength > 0 || this.#frame !== undefined;
  }

  /**
   * The frames that this chunk completes, as far as they are asked for. A frame that is whole in the chunk is a view of it.
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
      at += this.#frame === undefined ? this.#readHeader(chunk, at) : this.#readFrame(this.#frame, chunk, at);
      if (this.#frame !== undefined && this.#frameLength === this.#frame.length)
        yield this.#take(this.#frame);
    }
  }

  /** How many bytes of the chunk were taken. */
  #readHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerLength, at);
    this.#headerLength += taken;
    if (this.#headerLength === HEADER_BYTES) {
      this.#frame = Buffer.allocUnsafe(this.#checked(this.#header.readUInt32BE(0)));
      this.#frameLength = 0;
    }
    return taken;
  }

  #readFrame(frame: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(frame, this.#frameLength, at);
    this.#frameLength += taken;
    return taken;
  }

  #take(frame: Buffer): Buffer {
    this.#frame = undefined;
    this.#headerLength = 0;
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
