/** Received bytes of one stream that wait for its reader. */

/** Bytes that may wait before the connection is paused. */
const waitingBytes = 64 * 1024;

/** The readable side of a stream of Node.js, whose own queue should be empty: `highWaterMark` 1. */
export interface QueueTarget {
  push(chunk: Uint8Array | null): unknown;
  destroy(error: Error): unknown;
}

/**
 * Queue between a connection and a stream. A stream drops its own queue when it is destroyed with an error;
 * this queue delivers the bytes first.
 */
export class ByteQueue {
  readonly #target: () => QueueTarget;
  readonly #drained: () => void;
  readonly #chunks: Uint8Array[] = [];
  #queued = 0;
  #isRequested = false;
  #end: { readonly error?: Error | undefined } | undefined;

  /** @param drained called when the reader has caught up */
  constructor(target: () => QueueTarget, drained: () => void) {
    this.#target = target;
    this.#drained = drained;
  }

  /** Whether the reader must catch up before more is received. */
  get full(): boolean {
    return this.#queued > waitingBytes;
  }

  /** Adds bytes. Ignored after the end. */
  push(bytes: Uint8Array): void {
    if (this.#end !== undefined) return;
    this.#chunks.push(bytes);
    this.#queued += bytes.length;
    if (this.#isRequested) this.read();
  }

  /** Ends the stream after the bytes that were added: with an error, if there is one. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    if (this.#isRequested) this.read();
  }

  /** Drops the bytes of a stream that is not read any more, and ignores further ones. */
  discard(): void {
    this.#end ??= {};
    this.#chunks.length = 0;
    this.#queued = 0;
    this.#drained();
  }

  /** Called when the stream wants bytes. */
  read(): void {
    const chunk = this.#chunks.shift();
    this.#isRequested = chunk === undefined && this.#end === undefined;
    if (chunk !== undefined) {
      const wasFull = this.full;
      this.#queued -= chunk.length;
      this.#target().push(chunk);
      if (wasFull && !this.full) this.#drained();
      return;
    }
    if (this.#end === undefined) return;
    const { error } = this.#end;
    if (error === undefined) this.#target().push(null);
    // The reader receives the last chunk when this call returns.
    else queueMicrotask(() => this.#target().destroy(error));
  }
}
