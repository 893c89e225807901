/** A transport within the process: requests are handled as those of sockets, without a connection. */
import { TransportError } from '@kgen/runtime';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import type { Headers } from '../access/impersonation.ts';
import { notImplemented } from '../errors/failures.ts';
import { isProtobuf } from './listener.ts';
import type { CompleteResponse, ResponseHeaders } from './respond.ts';
import { type Body, type Exchange, type ServerParts, serve } from './serve.ts';
import { parseTarget } from './target.ts';
import type { WatchSink } from './watches.ts';

/** Returns the transport of a server. `isStopped` returns whether the server has been stopped. */
export function inProcessTransport(parts: ServerParts, isStopped: () => boolean): Transport {
  return (request) =>
    new Promise((resolve, reject) => {
      request.signal?.throwIfAborted();
      if (isStopped()) throw new TransportError('the test server is stopped', request.operation, refused);
      const exchange = new ProcessExchange(request, resolve, reject);
      void serve(parts, exchange);
    });
}

const refused = { code: 'ECONNREFUSED' } as const;
const reset = { code: 'ECONNRESET' } as const;

/** A request of a caller in the process. */
class ProcessExchange implements Exchange {
  readonly request: Exchange['request'];
  readonly path: string;
  readonly headers: Headers;
  readonly certificate = undefined;
  readonly #sent: APIRequest;
  readonly #resolve: (response: APIResponse) => void;
  readonly #reject: (error: unknown) => void;
  #stream: ByteStream | undefined;
  #isAborted = false;
  isBegun = false;

  constructor(sent: APIRequest, resolve: (response: APIResponse) => void, reject: (error: unknown) => void) {
    const { headers } = sent;
    const target = parseTarget(sent.path);
    if (target === undefined) throw new TypeError(`the path ${sent.path} cannot be sent`);
    const query = new URLSearchParams(sent.query.map(([name, value]): [string, string] => [name, value]));
    this.path = sent.path;
    this.headers = { ...authorizationOf(headers), ...impersonationOf(sent) };
    this.request = {
      ...target,
      query,
      method: sent.method,
      accept: headers['accept'] ?? '',
      contentType: headers['content-type'] ?? '',
      userAgent: headers['user-agent'] ?? '',
    };
    this.#sent = sent;
    this.#resolve = resolve;
    this.#reject = reject;
    sent.signal?.addEventListener('abort', this.#abort, { once: true });
  }

  readonly #abort = (): void => {
    this.#isAborted = true;
    const reason: unknown = this.#sent.signal?.reason;
    this.#reject(reason);
    this.#stream?.fail(reason);
  };

  body(): Body {
    const { body = '' } = this.#sent;
    if (isProtobuf(this.request.contentType)) return { body: '', bytes: Buffer.from(body) };
    return { body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8') };
  }

  send({ code, headers, body }: CompleteResponse): void {
    this.#begin();
    this.#release();
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.#resolve({ status: code, headers: joined(headers), body: oneChunk(bytes), cancel: ignore });
  }

  stream(headers: ResponseHeaders, code = 200): WatchSink {
    this.#begin();
    const stream = new ByteStream(() => this.#release());
    this.#stream = stream;
    if (this.#isAborted) stream.cancel();
    const cancel = (): void => stream.cancel();
    this.#resolve({ status: code, headers: joined(headers), body: stream, cancel });
    return stream.sink(() => new TransportError('the connection was cut', this.#sent.operation, reset));
  }

  upgrade(): Promise<void> {
    const message = 'WebSockets without a socket: use the server without server.transport';
    return Promise.reject(notImplemented(message));
  }

  #begin(): void {
    this.isBegun = true;
  }

  #release(): void {
    this.#sent.signal?.removeEventListener('abort', this.#abort);
  }

  destroy(): void {
    this.#release();
    const error = new TransportError('the connection was cut', this.#sent.operation, reset);
    this.#reject(error);
    this.#stream?.fail(error);
  }
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function ignore(): void {}

function authorizationOf(headers: APIRequest['headers']): Headers {
  const { authorization } = headers;
  return authorization === undefined ? {} : { authorization: [authorization] };
}

function impersonationOf({ headers, impersonate }: APIRequest): Headers {
  const found: Record<string, readonly string[]> = {};
  for (const name in headers) if (name.startsWith('impersonate-')) found[name] = [headers[name] ?? ''];
  if (impersonate === undefined) return found;
  found['impersonate-user'] = [impersonate.user];
  if (impersonate.uid !== undefined) found['impersonate-uid'] = [impersonate.uid];
  if (impersonate.groups !== undefined) found['impersonate-group'] = impersonate.groups;
  for (const [name, values] of Object.entries(impersonate.extra ?? {}))
    found[`impersonate-extra-${encodeURIComponent(name.toLowerCase())}`] = values;
  return found;
}

function joined(headers: ResponseHeaders): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    result[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return result;
}

/** A writer that waits for its reader continues below this number of bytes. */
const fullBytes = 64 * 1024;

/** The body of a watch: chunks that its reader has not read yet. */
class ByteStream implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #onClose: () => void;
  readonly #listeners: (() => void)[] = [];
  #chunks: Uint8Array[] = [];
  #backlog = 0;
  #end: { readonly error?: unknown } | undefined;
  #isClosed = false;
  #wake: (() => void) | undefined;
  /** Continues a writer that waits for the reader. */
  #resume: (() => void) | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (this.#chunks.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#backlog -= chunk.byteLength;
      this.#resume?.();
      return { done: false, value: chunk };
    }
    const { error } = this.#end ?? {};
    this.#end = {};
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.cancel();
    return { done: true, value: undefined };
  }

  /** Ends the stream for a reader that reads no more. */
  cancel(): void {
    this.#chunks = [];
    this.#finish({});
  }

  /** Ends the stream with an error. Chunks that are not read are lost, as those of a destroyed socket. */
  fail(error: unknown): void {
    this.#chunks = [];
    this.#finish({ error });
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
    this.#resume?.();
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClose();
    for (const listener of this.#listeners) listener();
  }

  sink(cut: () => Error): WatchSink {
    const backlog = (): number => this.#backlog;
    return {
      write: (bytes) => {
        if (this.#end !== undefined) return;
        this.#chunks.push(bytes);
        this.#backlog += bytes.byteLength;
        this.#wake?.();
      },
      end: () => this.#finish({}),
      destroy: () => this.fail(cut()),
      get backlog() {
        return backlog();
      },
      drained: async () => {
        while (this.#backlog > fullBytes && this.#end === undefined)
          await new Promise<void>((resolve) => {
            this.#resume = resolve;
          });
      },
      onClose: (listener) => {
        if (this.#isClosed) listener();
        else this.#listeners.push(listener);
      },
    };
  }
}
