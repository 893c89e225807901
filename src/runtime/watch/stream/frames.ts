import { asBuffer } from '../../codec/as-buffer.ts';

/** Maximum length of a frame, in bytes: the limit of client-go. */
export const frameLimit: number = 16 * 1024 * 1024;

const headerBytes = 4;

/**
 * Initial size in bytes of the buffer for frames that span chunks, and the maximum size that is kept for the
 * next frame.
 */
const room = 16 * 1024;
const mostRoom = 1024 * 1024;

const nothing: Buffer = Buffer.alloc(0);

/** Cuts a stream of bytes into frames. Each is preceded by its length as a 32-bit big-endian integer. */
export class FrameCutter {
  readonly #limit: number;
  readonly #header: Buffer = Buffer.alloc(headerBytes);
  #headerLength = 0;
  /** Length of the incomplete frame, once it is known. */
  #needed: number | undefined;
  /** Received bytes of the incomplete frame, and space for more. */
  #open: Buffer = nothing;
  #length = 0;

  /**
   * A frame longer than `limit` bytes is an error, before any of it is stored, so that a server cannot
   * exhaust the memory.
   */
  constructor(limit: number = frameLimit) {
    this.#limit = limit;
  }

  /** Whether the stream is within a frame, and so incomplete. */
  get open(): boolean {
    return this.#headerLength > 0;
  }

  /**
   * Yields the frames that this chunk completes. Each is a view that is valid until the next one is
   * requested.
   * @throws {FrameTooLong}
   */
  *push(bytes: Uint8Array): Generator<Buffer, void> {
    const chunk = asBuffer(bytes);
    for (let at = 0; at < chunk.length; ) {
      if (!this.open && chunk.length - at >= headerBytes) {
        const length = this.#checked(chunk.readUInt32BE(at));
        const start = at + headerBytes;
        if (chunk.length - start >= length) {
          at = start + length;
          yield chunk.subarray(start, at);
          continue;
        }
      }
      at +=
        this.#needed === undefined ? this.#readHeader(chunk, at) : this.#readFrame(this.#needed, chunk, at);
      if (this.#length === this.#needed) yield this.#take(this.#needed);
    }
  }

  /** Returns the number of consumed bytes of the chunk. */
  #readHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerLength, at);
    this.#headerLength += taken;
    if (this.#headerLength === headerBytes) this.#needed = this.#checked(this.#header.readUInt32BE(0));
    return taken;
  }

  /** Allocates at most twice the number of received bytes, regardless of the announced length. */
  #readFrame(needed: number, chunk: Buffer, at: number): number {
    const taken = Math.min(needed - this.#length, chunk.length - at);
    const length = this.#length + taken;
    if (length > this.#open.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(room, 2 * length));
      this.#open.copy(wider, 0, 0, this.#length);
      this.#open = wider;
    }
    chunk.copy(this.#open, this.#length, at, at + taken);
    this.#length = length;
    return taken;
  }

  #take(length: number): Buffer {
    const frame = this.#open.subarray(0, length);
    if (this.#open.length > mostRoom) this.#open = nothing;
    this.#needed = undefined;
    this.#headerLength = 0;
    this.#length = 0;
    return frame;
  }

  #checked(length: number): number {
    if (length > this.#limit) throw new FrameTooLong(length, this.#limit);
    return length;
  }
}

/** Error for a frame whose announced length exceeds the limit. */
export class FrameTooLong extends Error {
  override readonly name = 'FrameTooLong';
  constructor(length: number, limit: number) {
    super(`a frame has ${length} bytes; ${limit} is the limit`);
  }
}
