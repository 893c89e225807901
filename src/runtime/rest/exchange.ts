/** One request and its answer on a connection: the handler that undici calls, and the `Response` that we give. */
import type { Dispatcher } from 'undici';
import { gunzipped } from './gunzip.ts';
import { Incoming } from './incoming.ts';
import type { Operation, Response } from './types.ts';

/** Headers as undici and Node give them: names in lower case. */
export type RawHeaders = Record<string, string | string[] | undefined>;

function flatten(raw: RawHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in raw) {
    const value = raw[name];
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    if (name === '__proto__') Object.defineProperty(headers, name, { value: text, enumerable: true });
    else headers[name] = text;
  }
  return headers;
}

/** What an exchange tells its owner. */
export interface ExchangeEvents {
  /** It has a connection: the request is sent. */
  started(): void;
  /** The head of the answer is there. */
  answered(response: Response): void;
  /** No answer will come. */
  failed(error: unknown): void;
  /** Nothing more will happen: the body was read to its end, was cut, or never came. Told once. */
  ended(exchange: Exchange): void;
  /** Turns what undici or the system reported, before the answer or within it, into what callers are told. */
  explain(error: unknown, answering: boolean): unknown;
}

/** The handler of one request. `abort` works at any time, also while the request waits for a connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly operation: Operation;
  /** Whether the body of the answer is followed for as long as it lasts. */
  readonly stream: boolean;
  /** Where the lease that it runs on keeps it. */
  place = -1;
  readonly #events: ExchangeEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #body: Incoming | undefined;
  #abortedWith: { readonly reason: unknown } | undefined;
  #over = false;

  constructor(operation: Operation, stream: boolean, events: ExchangeEvents) {
    this.operation = operation;
    this.stream = stream;
    this.#events = events;
  }

  /** Ends the exchange: the answer, or the body's reader, is rejected with `reason`. */
  abort(reason: unknown): void {
    if (this.#abortedWith !== undefined) return;
    this.#abortedWith = { reason };
    this.#settle(reason);
    this.#controller?.abort(new Error('aborted', { cause: reason }));
  }

  /**
   * A request that was aborted while it waited is refused by throwing: its `controller.abort` would cost the connection
   * that it waited for.
   * @throws {Error} it was aborted
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#abortedWith !== undefined) throw new Error('aborted');
    this.#controller = controller;
    this.#events.started();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, raw: RawHeaders): void {
    if (status < 200) return;
    const body = new Incoming(controller);
    this.#body = body;
    const headers = flatten(raw);
    this.#events.answered({
      status,
      headers,
      body: headers['content-encoding'] === 'gzip' ? gunzipped(body, this.operation) : body,
      cancel: () => body.cancel(),
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    this.#body?.finish({});
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: unknown): void {
    if (this.#abortedWith !== undefined) this.#settle(this.#abortedWith.reason);
    else this.#settle(this.#events.explain(error, this.#body !== undefined));
  }

  #settle(error: unknown): void {
    if (this.#body === undefined) this.#events.failed(error);
    else this.#body.finish({ error });
    this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.ended(this);
  }
}
