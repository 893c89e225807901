/**
 * One request and its response on a connection: the handler that undici calls, and the `APIResponse` of this
 * package.
 */
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import type { APIResponse } from '../../api/transport.ts';
import { errorCode } from '../abort/error-codes.ts';
import { Incoming } from './response-body.ts';

/**
 * Each chunk is a job for another thread and an event-loop turn: few large chunks take less time than many
 * small ones.
 */
const chunkSize = 128 * 1024;

/** Headers as undici and Node provide them, with lower-case names. */
export type RawHeaders = Record<string, string | string[] | undefined>;

/** Events of an exchange. */
export interface ExchangeEvents {
  /**
   * The exchange has a connection, and the request is written as soon as this returns. If it throws, the
   * request is not written, and fails with that error.
   */
  started(): void;
  /** The head of the response arrived. */
  responded(response: APIResponse): void;
  /** The server changed the protocol of the connection, see `ConnectionUpgrade`. */
  upgraded?(connection: Duplex): void;
  /** The request failed before a response arrived. */
  failed(error: unknown): void;
  /** The exchange is over: the body was read to its end, was aborted, or never arrived. Called once. */
  ended(exchange: Exchange): void;
  /** Converts an error of undici or the system, before or within the response, into the error for callers. */
  explain(error: unknown, hasResponse: boolean): unknown;
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
  #upgraded: Duplex | undefined;
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
    if (this.#upgraded === undefined) this.#controller?.abort(new Error('aborted', { cause: reason }));
    else this.#upgraded.destroy(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  }

  /**
   * Rejects a request that was aborted while it waited, or must not be written any more, by throwing:
   * `controller.abort` would destroy the connection that it waited for.
   * @throws {Error} if it was aborted
   */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#abortedWith === undefined) this.#start();
    if (this.#abortedWith !== undefined) throw new Error('aborted');
    this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, raw: RawHeaders): void {
    if (status < 200) return;
    const body = new Incoming(controller);
    this.#body = body;
    const headers = flatten(raw);
    this.#events.responded({
      status,
      headers,
      body: headers['content-encoding'] === 'gzip' ? gunzipped(body, this.operation) : body,
      cancel: () => body.cancel(),
    });
  }

  /** The exchange lasts as long as the connection, so that closing the client closes it. */
  onRequestUpgrade(
    _controller: Dispatcher.DispatchController,
    status: number,
    raw: RawHeaders,
    connection: Duplex,
  ): void {
    this.#upgraded = connection;
    // The user of the connection has its own listener; until then an error must not end the process.
    connection.on('error', () => undefined);
    connection.once('close', () => this.#finish());
    this.#events.upgraded?.(connection);
    this.#events.responded({ status, headers: flatten(raw), body: nothing(), cancel: () => undefined });
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

  #start(): void {
    try {
      this.#events.started();
    } catch (reason) {
      this.#abortedWith = { reason };
    }
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

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

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

/**
 * Yields the decompressed bytes of a gzip body. Ends when the reader cancels the body. An empty body, as in
 * the response to HEAD or with 204, yields nothing.
 * @throws {DecodeError} if the body is not gzip, or is cut off
 */
export async function* gunzipped(
  body: Incoming,
  operation: RequestOperation,
): AsyncGenerator<Uint8Array, void> {
  const first = await body.next();
  if (first.done === true) return;
  const [{ createGunzip }, { pipeline, Readable }] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ]);
  const gunzip = createGunzip({ chunkSize });
  gunzip.write(first.value);
  // The pipeline destroys each stream if the other fails or is abandoned; the loop below throws the error
  // itself.
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) {
      if (body.cancelled) return;
      yield chunk;
    }
  } catch (cause) {
    if (body.cancelled) return;
    if (!errorCode(cause)?.startsWith('Z_')) throw cause;
    throw new DecodeError('the response is incomplete, or not gzip', operation, { cause });
  }
}
