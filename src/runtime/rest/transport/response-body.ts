/** Response body with back-pressure. */

/** Flow control of the connection that a body arrives on. */
export interface Flow {
  readonly paused: boolean;
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** Bytes that may wait for the reader of a body before the connection is paused. */
const highWaterMark = 256 * 1024;
/**
 * Bytes at which a paused connection is resumed. After each pause, undici parses the bytes again that it had
 * read from the socket: with one mark, each small chunk above it would have a pause of its own.
 */
const lowWaterMark = 64 * 1024;

/** A pending read of a body. */
interface Waiter {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(reason: unknown): void;
}

const done: IteratorResult<Uint8Array, undefined> = Object.freeze({ done: true, value: undefined });

/**
 * A response body with one reader: bytes are queued until they are read, and the connection is paused while
 * too many are queued. An error is thrown after the bytes that preceded it.
 */
export class Incoming implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #flow: Flow;
  readonly #chunks: Uint8Array[] = [];
  #read = 0;
  #queued = 0;
  #waiter: Waiter | undefined;
  #end: { readonly error?: unknown } | undefined;
  #cancelled = false;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Number of bytes that were read. */
  get bytes(): number {
    return this.#read;
  }

  /** Whether the reader stopped before the end. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(chunk: Uint8Array): void {
    if (this.#end !== undefined) return;
    if (this.#waiter !== undefined) {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      this.#read += chunk.length;
      waiter.resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued > highWaterMark && !this.#flow.paused) this.#flow.pause();
  }

  finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    const waiter = this.#waiter;
    this.#waiter = undefined;
    if (waiter === undefined) return;
    if ('error' in this.#end) waiter.reject(this.#end.error);
    else waiter.resolve(done);
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#queued -= chunk.length;
      this.#read += chunk.length;
      if (this.#queued <= lowWaterMark && this.#flow.paused) this.#flow.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#end === undefined) {
      return new Promise((resolve, reject) => {
        this.#waiter = { resolve, reject };
      });
    }
    return 'error' in this.#end ? Promise.reject(this.#end.error) : Promise.resolve(done);
  }

  /** Called when a `for await` loop exits early. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.cancel();
    return Promise.resolve(done);
  }

  /**
   * Cancels the body: its reader sees the end. Has no effect on a body that has ended, whose connection may
   * be in use again.
   */
  cancel(): void {
    this.#chunks.length = 0;
    if (this.#end !== undefined) return;
    this.#cancelled = true;
    this.finish({});
    this.#flow.abort(new Error('the body was cancelled'));
  }
}
