/**
 * One request and its response on a connection: the handler that undici calls, and the `APIResponse` of this
 * package.
 */
import type { Dispatcher } from 'undici';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse } from '../../api/transport.ts';
import { gunzipped } from './gunzip.ts';
import { Incoming } from './response-body.ts';

/** Headers as undici and Node provide them, with lower-case names. */
export type RawHeaders = Record<string, string | string[] | undefined>;

/** Events of an exchange. */
export interface ExchangeEvents {
  /** The exchange has a connection, and the request is sent. */
  started(): void;
  /** The head of the response arrived. */
  answered(response: APIResponse): void;
  /** The request failed before a response arrived. */
  failed(error: unknown): void;
  /** The exchange is over: the body was read to its end, was aborted, or never arrived. Called once. */
  ended(exchange: Exchange): void;
  /** Converts an error of undici or the system, before or within the response, into the error for callers. */
  explain(error: unknown, answering: boolean): unknown;
}

/** Handler of one request. `abort` works at any time, also while the request waits for a connection. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly operation: RequestOperation;
  /** Whether the response is a stream without a time limit. */
  readonly stream: boolean;
  /** Index of this exchange in the list of its lease. */
  place = -1;
  readonly #events: ExchangeEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #body: Incoming | undefined;
  #abortedWith: { readonly reason: unknown } | undefined;
  #over = false;

  constructor(operation: RequestOperation, stream: boolean, events: ExchangeEvents) {
    this.operation = operation;
    this.stream = stream;
    this.#events = events;
  }

  /** Ends the exchange: rejects the response, or the reader of its body, with `reason`. */
  abort(reason: unknown): void {
    if (this.#abortedWith !== undefined) return;
    this.#abortedWith = { reason };
    this.#settle(reason);
    this.#controller?.abort(new Error('aborted', { cause: reason }));
  }

  /**
   * Rejects a request that was aborted while it waited by throwing: `controller.abort` would destroy the
   * connection that it waited for.
   * @throws {Error} if it was aborted
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
