/** One request and its response as an HTTP/2 stream. */
import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Dispatcher } from 'undici';
import { messageOf } from '../../common/callbacks.ts';
import { errorCode } from '../abort/error-codes.ts';
import type { RawHeaders } from '../transport/exchange.ts';

/** A request that is queued or running. */
export interface Dispatched {
  readonly options: Dispatcher.DispatchOptions;
  readonly handler: Dispatcher.DispatchHandler;
}

/** Events of a stream for its connection. */
export interface StreamEvents {
  /** Data arrived: the peer is reachable. */
  heard(): void;
  /** The server did not begin to process the request: any method can be retried on another connection. */
  refused(): void;
  closed(): void;
}

/** Returns a thrown value as an `Error`. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(messageOf(thrown));
}

/** Returns request headers in Node's format for HTTP/2: repeated names have lists. */
export function http2Headers(
  options: Dispatcher.DispatchOptions,
  origin: string,
): Record<string, string | string[]> {
  const { method, path, headers } = options;
  // Without a prototype, so that every header name is safe.
  const all: Record<string, string | string[]> = Object.assign(Object.create(null), {
    ':method': method,
    ':path': path,
    ':scheme': 'https',
    ':authority': new URL(origin).host,
  });
  const list = Array.isArray(headers) ? headers : [];
  for (let at = 0; at + 1 < list.length; at += 2) {
    const name = String(list[at]).toLowerCase();
    // HTTP/1.1 ignores whitespace around a value, and in HTTP/2 such a value is malformed.
    const value = String(list[at + 1]).replace(/^[\t ]+|[\t ]+$/g, '');
    if (name === 'host') {
      all[':authority'] = value;
      continue;
    }
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  const payload = payloadOf(options);
  if (payload !== undefined) all['content-length'] = String(Buffer.byteLength(payload));
  return all;
}

/** Returns the request body: requests of this package have only strings and bytes. */
function payloadOf({ body }: Dispatcher.DispatchOptions): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined;
}

/** The stream of one request, with the controller interface that undici handlers use. */
export class Http2Stream implements Dispatcher.DispatchController {
  readonly #dispatched: Dispatched;
  readonly #events: StreamEvents;
  #stream: ClientHttp2Stream | undefined;
  #reason: Error | null = null;
  #answered = false;
  #over = false;
  #paused = false;

  constructor(dispatched: Dispatched, events: StreamEvents) {
    this.#dispatched = dispatched;
    this.#events = events;
  }

  get aborted(): boolean {
    return this.#reason !== null;
  }

  get reason(): Error | null {
    return this.#reason;
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream?.resume();
  }

  abort(reason: Error): void {
    if (this.#over) return;
    this.#reason = reason;
    this.#fail(reason);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  /** Sends the request. */
  start(session: ClientHttp2Session, origin: string): void {
    const { options } = this.#dispatched;
    const stream = this.#request(session, origin);
    if (stream === undefined) {
      this.#events.closed();
      return;
    }
    this.#stream = stream;
    this.#listen(stream);
    const payload = payloadOf(options);
    if (payload !== undefined) stream.end(payload);
  }

  /** Opens the stream, unless the handler aborts the request. */
  #request(session: ClientHttp2Session, origin: string): ClientHttp2Stream | undefined {
    const { options, handler } = this.#dispatched;
    try {
      handler.onRequestStart?.(this, {});
      if (this.#over) return undefined;
      return session.request(http2Headers(options, origin), { endStream: payloadOf(options) === undefined });
    } catch (error) {
      this.#fail(asError(error));
      return undefined;
    }
  }

  #listen(stream: ClientHttp2Stream): void {
    const { headersTimeout, bodyTimeout } = this.#dispatched.options;
    stream.on('timeout', () => this.#silent());
    stream.setTimeout(headersTimeout ?? 0);
    stream.once('response', (headers) => {
      this.#events.heard();
      this.#answered = true;
      stream.setTimeout(bodyTimeout ?? 0);
      const { ':status': status = 0, ...rest } = headers;
      // Node emits another event for 1xx, so this is the final response, which must have a status.
      if (status < 200) {
        this.#fail(coded('ERR_HTTP2_STATUS_INVALID', 'the server sent a response without a status'));
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
        return;
      }
      // Node provides the header fields of a response as strings and lists of strings; only `:status` is a
      // number.
      if (!this.#over) this.#dispatched.handler.onResponseStart?.(this, status, rest as RawHeaders);
      this.#listenToBody(stream);
    });
    stream.on('error', (error) => this.#broke(stream, error));
    stream.on('close', () => {
      this.#broke(stream, undefined);
      this.#events.closed();
    });
  }

  /** Not before the response event: Node emits it later than data that arrived together with it. */
  #listenToBody(stream: ClientHttp2Stream): void {
    stream.on('data', (chunk: Buffer) => {
      this.#events.heard();
      if (!this.#over) this.#dispatched.handler.onResponseData?.(this, chunk);
    });
    stream.on('end', () => {
      if (stream.rstCode === constants.NGHTTP2_NO_ERROR) this.#complete();
    });
    if (this.#paused) stream.pause();
  }

  #complete(): void {
    if (this.#over) return;
    this.#over = true;
    this.#dispatched.handler.onResponseEnd?.(this, {});
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#dispatched.handler.onResponseError?.(this, error);
  }

  #broke(stream: ClientHttp2Stream, error: unknown): void {
    if (this.#over) return;
    const { rstCode } = stream;
    if (rstCode === constants.NGHTTP2_REFUSED_STREAM && !this.#answered) {
      this.#over = true;
      this.#events.refused();
    } else if (errorCode(error) === 'ERR_HTTP2_STREAM_ERROR' || (error === undefined && rstCode !== 0)) {
      this.#fail(coded('ERR_HTTP2_STREAM_ERROR', `the server reset the stream (code ${rstCode})`, error));
    } else {
      this.#fail(lost(error));
    }
  }

  #silent(): void {
    if (this.#paused) return;
    const code = this.#answered ? 'UND_ERR_BODY_TIMEOUT' : 'UND_ERR_HEADERS_TIMEOUT';
    this.#fail(coded(code, 'the server sent no data for too long'));
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }
}

function coded(code: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { code });
}

/** Returns the error of a stream whose connection was lost, with the codes that HTTP/1.1 connections use. */
function lost(cause: unknown): Error {
  const code = errorCode(cause);
  if (cause instanceof Error && code !== undefined && !code.startsWith('ERR_HTTP2_')) return cause;
  return coded('UND_ERR_SOCKET', 'the server closed the connection', cause);
}
