/** Contiguous bytes of a stream: new ones are appended, consumed ones are removed from the start. */
export class ByteWindow {
  #bytes: Buffer;
  #start = 0;
  #end = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  /** All bytes, including consumed ones: read only from `start` to `end`. A different object after `push`. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  /** Invalidates positions in `bytes`; distances from `start` stay valid. */
  push(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#bytes.length) this.#makeRoom(chunk.length);
    this.#bytes.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Consumes everything before `place`. */
  consume(place: number): void {
    this.#start = place;
  }

  /**
   * The rest is moved only into a window that is at least half empty afterwards, so that no byte is moved
   * often.
   */
  #makeRoom(more: number): void {
    const rest = this.#bytes.subarray(this.#start, this.#end);
    let capacity = this.#bytes.length;
    while (capacity < 2 * (rest.length + more)) capacity *= 2;
    if (capacity === this.#bytes.length) rest.copy(this.#bytes);
    else {
      this.#bytes = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.set(rest);
    }
    this.#end = rest.length;
    this.#start = 0;
  }
}
