/** HTTP listener: reads requests, and sends responses, streams and upgrades. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Headers } from '../access/impersonation.ts';
import { mediaType } from '../decoding/decode.ts';
import type { ServerEnvironment } from '../environment/environment.ts';
import { badRequest, failure, notImplemented } from '../errors/failures.ts';
import type { Failure } from '../errors/status.ts';
import type { ClientCertificate } from '../identity/user.ts';
import { acceptSocket } from '../request/socket.ts';
import type { CompleteResponse, ResponseHeaders } from './respond.ts';
import { type Body, type Exchange, type ServerParts, serve, type Upgrade } from './serve.ts';
import { parseTarget, type RequestTarget } from './target.ts';
import type { WatchSink } from './watches.ts';

/** Maximum size of a body in bytes, equal to that of a real API server. */
const bodyLimit = 3 * 1024 * 1024;

/**
 * Maximum number of bytes that are read of a body. Bytes over the limit are discarded, because many clients
 * read no response before they have sent their request.
 */
const discardLimit = 256 * 1024 * 1024;

/** Handles one request of an HTTP server. */
export type RequestHandler = (message: IncomingMessage, response: ServerResponse) => void;

/** Handles a request for another protocol on its connection, such as a WebSocket. */
export type UpgradeHandler = (message: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Returns the handler of requests for other protocols: those without a WebSocket have a usual response. */
export function upgradeHandler(parts: ServerParts): UpgradeHandler {
  return (message, socket, head) => {
    socket.on('error', ignore);
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    // seam: connections of the server are sockets of TCP or TLS
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    const target = parseTarget(message.url ?? '/');
    if (target === undefined) refuseTarget(response);
    else {
      const { environment } = parts.state;
      void serve(parts, new UpgradeExchange(message, response, target, { environment, head }));
    }
  };
}

/** Returns the handler of all requests. It never throws. */
export function requestHandler(parts: ServerParts): RequestHandler {
  return (message, response) => {
    // A connection that fails meanwhile is noticed by the code that reads or writes.
    message.on('error', ignore);
    response.on('error', ignore);
    const target = parseTarget(message.url ?? '/');
    if (target === undefined) refuseTarget(response);
    else void serve(parts, new HttpExchange(message, response, target, parts.state.environment));
  };
}

function ignore(): void {}

/** As Go's HTTP server, which closes the connection. */
function refuseTarget(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('400 Bad Request');
}

/** A request of a socket. */
class HttpExchange implements Exchange {
  readonly request: Exchange['request'];
  readonly path: string;
  readonly headers: Headers;
  readonly certificate: ClientCertificate | undefined;
  readonly #message: IncomingMessage;
  readonly #environment: ServerEnvironment;
  readonly #response: ServerResponse;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
    environment: ServerEnvironment,
  ) {
    const { headers, method = 'GET', url = '/' } = message;
    this.#message = message;
    this.#environment = environment;
    this.#response = response;
    this.path = url.split('?')[0] ?? '/';
    this.headers = identityHeaders(message);
    this.certificate = certificateOf(message.socket);
    this.request = {
      ...target,
      method,
      accept: headers.accept ?? '',
      contentType: headers['content-type'] ?? '',
      userAgent: headers['user-agent'] ?? '',
      host: headers.host ?? String(headers[':authority'] ?? ''),
    };
  }

  get isBegun(): boolean {
    return this.#response.headersSent || this.#response.destroyed;
  }

  body(): Body | Promise<Body | Failure> {
    return readBody(this.#message, this.#environment);
  }

  send({ code, headers, body }: CompleteResponse): void {
    if (!this.#message.complete) this.#closeAfter();
    // seam: Node does not change the lists of values
    this.#response.writeHead(code, headers as OutgoingHttpHeaders);
    this.#response.end(body);
  }

  /** Closes the connection of a request whose body was not read completely, after the response. */
  #closeAfter(): void {
    this.#response.shouldKeepAlive = false;
    this.#response.once('finish', () => this.#message.destroy());
  }

  stream(headers: ResponseHeaders, code = 200): WatchSink {
    const response = this.#response;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.writeHead(code);
    response.flushHeaders();
    return {
      write(bytes) {
        if (!response.writableEnded && !response.destroyed) response.write(bytes);
      },
      end: () => response.end(),
      destroy: () => response.destroy(),
      get backlog() {
        return response.writableLength;
      },
      async drained() {
        if (!response.writableNeedDrain || response.destroyed) return;
        await new Promise<void>((resolve) => {
          response.once('drain', resolve);
          response.once('close', resolve);
        });
      },
      onClose(listener) {
        if (response.destroyed) listener();
        else response.once('close', listener);
      },
    };
  }

  upgrade(_upgrade: Upgrade): Promise<void> {
    return Promise.reject(badRequest('Upgrade request required'));
  }

  destroy(): void {
    this.#response.destroy();
  }
}

/** A request for another protocol on its connection. */
class UpgradeExchange extends HttpExchange {
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #head: Buffer;
  #isUpgraded = false;

  constructor(
    message: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
    { environment, head }: { readonly environment: ServerEnvironment; readonly head: Buffer },
  ) {
    super(message, response, target, environment);
    this.#message = message;
    this.#response = response;
    this.#head = head;
  }

  get isSocket(): boolean {
    return this.#message.headers.upgrade?.toLowerCase() === 'websocket';
  }

  override get isBegun(): boolean {
    return this.#isUpgraded || super.isBegun;
  }

  /** The body of an upgrade cannot be distinguished from the other protocol. */
  override body(): Promise<Body | Failure> {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = this.#message.headers;
    const isEmpty = length === '0' && encoding === undefined;
    const refused = badRequest('a request that upgrades its connection must not have a body');
    return Promise.resolve(isEmpty ? { body: '' } : refused);
  }

  override async upgrade({ protocols, connected }: Upgrade): Promise<void> {
    const { headers, method, socket } = this.#message;
    if (method !== 'GET' || !this.isSocket)
      throw notImplemented(`the protocol ${headers.upgrade}; it supports WebSockets`);
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const protocol = offered.find((name) => protocols.includes(name));
    if (protocol === undefined) {
      const names = `[${offered.join(' ')}]; supports [${protocols.join(' ')}]`;
      throw badRequest(`requested protocol(s) are not supported: ${names}`);
    }
    this.#isUpgraded = true;
    this.#response.detachSocket(socket);
    const connection = { request: this.#message, socket, head: this.#head };
    await acceptSocket(connection, protocol, (accepted) => connected(accepted, protocol));
  }

  override destroy(): void {
    this.#message.socket.destroy();
  }
}

/** Returns whether a content type is protobuf. */
export function isProtobuf(contentType: string): boolean {
  return mediaType(contentType) === 'application/vnd.kubernetes.protobuf';
}

function identityHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (name !== 'authorization' && !name.startsWith('impersonate-')) continue;
    headers[name] = [...(headers[name] ?? []), rawHeaders[index + 1] ?? ''];
  }
  return headers;
}

/** Certificates of connections, which do not change. */
const certificates = new WeakMap<Socket, ClientCertificate>();

/** Returns the certificate that the client of a connection sent. */
function certificateOf(socket: Socket): ClientCertificate | undefined {
  const known = certificates.get(socket);
  if (known !== undefined) return known;
  // seam: a socket of TLS has more members than one of TCP
  const { authorized, getPeerCertificate } = socket as Partial<TLSSocket>;
  const certificate = getPeerCertificate?.call(socket);
  // Without a certificate, Node returns an empty object.
  if (certificate?.raw === undefined) return undefined;
  const { CN: commonName, O: organizations = [] } = certificate.subject;
  const found = {
    commonName: [commonName].flat().at(-1) ?? '',
    organizations: [organizations].flat(),
    fingerprint: createHash('sha256').update(certificate.raw).digest('hex'),
    isValid: authorized === true,
  };
  certificates.set(socket, found);
  return found;
}

/**
 * Reads the body. One in protobuf stays bytes. Returns 413 for a body that is too large, whose rest is not
 * read.
 */
function readBody(message: IncomingMessage, environment: ServerEnvironment): Body | Promise<Body | Failure> {
  const { headers } = message;
  // Without these headers, HTTP/1.1 requests have no body, and need no timer.
  const isEmpty = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
  if (isEmpty && message.httpVersionMajor < 2) return { body: '' };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (end: () => void): void => {
      cancel();
      message.off('data', receive);
      // The rest of a body is not read; destroying the socket would lose the response.
      if (!message.readableEnded) message.pause();
      end();
    };
    const receive = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      if (size > discardLimit) settle(() => resolve(tooLarge()));
    };
    const cancel = environment.timer(bodyTimeoutMs, () => settle(() => resolve(tooLate())));
    message.on('data', receive);
    message.once('end', () => settle(() => resolve(size > bodyLimit ? tooLarge() : bodyOf(message, chunks))));
    message.once('error', (error) => settle(() => reject(error)));
    const closed = (): void => settle(() => reject(new Error('the connection was closed')));
    message.once('close', closed);
    if (message.destroyed) closed();
  });
}

/** Time for the body of a request, equal to that of a real API server. */
const bodyTimeoutMs = 60_000;

function tooLate(): Failure {
  const message = 'Timeout: request did not complete within the allotted timeout';
  return failure(504, 'Timeout', message, { details: {} });
}

function tooLarge(): Failure {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
}

function bodyOf(message: IncomingMessage, chunks: readonly Buffer[]): Body {
  const [first = Buffer.alloc(0), ...more] = chunks;
  const bytes = more.length === 0 ? first : Buffer.concat(chunks);
  return isProtobuf(message.headers['content-type'] ?? '')
    ? { body: '', bytes }
    : { body: bytes.toString('utf8') };
}
