/** One request and its answer on an undici connection: the handler that undici calls, and the `Response` that we give. */
import type { Dispatcher } from 'undici';
import type { Response } from './types.ts';

/** Bytes that may wait for the reader of a body before the connection is paused. */
const highWaterMark = 256 * 1024;

type RawHeaders = Record<string, string | string[] | undefined>;

function flatten(raw: RawHeaders): Record<string, string> {
  const entries = Object.entries(raw).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return Object.fromEntries(entries);
}

/** Somebody who waits for the next bytes of a body. */
interface Waiter {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(reason: unknown): void;
}

const done: IteratorResult<Uint8Array, undefined> = Object.freeze({ done: true, value: undefined });

/**
 * A body as it arrives: bytes are queued until they are read, and the connection is paused while too many wait.
 * An error is handed out after the bytes that came before it. There is one reader.
 */
class Body implements AsyncIterableIterator<Uint8Array, undefined> {
  readonly #controller: Dispatcher.DispatchController;
  readonly #chunks: Uint8Array[] = [];
  #queued = 0;
  #waiter: Waiter | undefined;
  #end: { readonly error?: unknown } | undefined;

  constructor(controller: Dispatcher.DispatchController) {
    this.#controller = controller;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  push(chunk: Uint8Array): void {
    if (this.#waiter !== undefined) {
      const waiter = this.#waiter;
      this.#waiter = undefined;
      waiter.resolve({ done: false, value: chunk });
      return;
    }
    this.#chunks.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued > highWaterMark) this.#controller.pause();
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
      if (this.#queued <= highWaterMark && this.#controller.paused) this.#controller.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#end === undefined) {
      return new Promise((resolve, reject) => {
        this.#waiter = { resolve, reject };
      });
    }
    return 'error' in this.#end ? Promise.reject(this.#end.error) : Promise.resolve(done);
  }

  /** Called where a `for await` is left early. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#chunks.length = 0;
    this.finish({});
    this.#controller.abort(new Error('the rest of the body is not wanted'));
    return Promise.resolve(done);
  }
}

/** What an exchange tells its owner. */
export interface ExchangeEvents {
  /** The head of the answer is there. */
  answered(response: Response): void;
  /** No answer will come. */
  failed(error: unknown): void;
  /** Nothing more will happen: the body was read to its end, was cut, or never came. */
  ended(): void;
  /** Turns what undici or the system reported, before the answer or within it, into what callers are told. */
  explain(error: unknown, answering: boolean): unknown;
}

/** The handler of one request. `abort` works at any time, also while the request waits for a connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #events: ExchangeEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #body: Body | undefined;
  #abortedWith: { readonly reason: unknown } | undefined;

  constructor(events: ExchangeEvents) {
    this.#events = events;
  }

  /** Ends the exchange: the answer, or the body's reader, is rejected with `reason`. */
  abort(reason: unknown): void {
    if (this.#abortedWith !== undefined) return;
    this.#abortedWith = { reason };
    this.#settle(reason);
    this.#controller?.abort(new Error('aborted', { cause: reason }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#abortedWith !== undefined) controller.abort(new Error('aborted'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: RawHeaders): void {
    if (status < 200) return;
    const body = new Body(controller);
    this.#body = body;
    this.#events.answered({
      status,
      headers: flatten(headers),
      body,
      cancel: () => void body.return(),
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#body?.finish({});
    this.#events.ended();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    if (this.#abortedWith !== undefined) this.#settle(this.#abortedWith.reason);
    else this.#settle(this.#events.explain(error, this.#body !== undefined));
  }

  #settle(error: unknown): void {
    if (this.#body === undefined) this.#events.failed(error);
    else this.#body.finish({ error });
    this.#events.ended();
  }
}
