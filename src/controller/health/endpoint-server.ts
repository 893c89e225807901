/** HTTP server of an endpoint, with limits that protect the process from hostile callers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import {
  type CertificateFiles,
  type CertificatePair,
  readCertificate,
  watchCertificate,
} from './certificate-files.ts';
import { type Endpoint, type EndpointRequest, respond } from './endpoint.ts';

/** Maximum bytes of the headers of a request. */
const maxHeaderSize = 16_384;
/** Time limits in milliseconds: of headers, requests, TLS handshakes and idle connections. */
const headersMs = 5_000;
const requestMs = 10_000;
const handshakeMs = 5_000;
const keepAliveMs = 30_000;
/** Time without progress after which a connection is closed, such as by a caller that does not read. */
const stalledMs = 60_000;
/** Interval of the checks of these limits, in milliseconds. */
const checkMs = 1_000;
const maxRequestsPerSocket = 1_000;
/** Time for responses that are under way at `close`, in milliseconds. */
const closeMs = 1_000;

/** Options of an `EndpointServer`. */
export interface EndpointServerOptions {
  /** Name of the endpoint in messages, such as `metrics`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Port; 0 for a free one. */
  readonly port: number;
  /** Address to listen on. Default: all addresses. */
  readonly host?: string | undefined;
  /** Serves HTTPS with the certificate in these files, which are read again after a change. Default: HTTP. */
  readonly tls?: CertificateFiles | undefined;
  /** Called after each read of the files, with whether it has failed. Must not throw. */
  readonly certificateRead?: ((isFailed: boolean) => void) | undefined;
  /** Maximum number of connections; further ones are closed. Default: 100. */
  maxConnections?: number | undefined;
  /** Default: `console`. */
  readonly log?: Logger | undefined;
  /** Clock of the reads of the certificate. Default: that of the system. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
}

/** An endpoint could not be served: its port is in use, or its certificate is invalid. */
export class EndpointStartError extends Error {
  override get name(): 'EndpointStartError' {
    return 'EndpointStartError';
  }
}

/** Serves an endpoint over HTTP/1.1, or HTTPS without HTTP/2. */
export class EndpointServer {
  readonly #options: EndpointServerOptions;
  readonly #log: Logger;
  #server: Server | undefined;
  #started: Promise<number> | undefined;
  #closed: Promise<void> | undefined;
  #endWatch = (): void => undefined;
  /** Open connections, including those in a TLS handshake, which the server itself does not close. */
  readonly #sockets = new Set<Socket>();

  constructor(options: EndpointServerOptions) {
    this.#options = { ...options };
    this.#log = childLogger(options.log ?? consoleLogger(), {});
  }

  /**
   * Begins to listen and returns the port. A second call returns the result of the first one.
   * @throws {EndpointStartError} the port cannot be used, or the certificate cannot be read
   */
  start(): Promise<number> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Stops listening; responses under way have one second. Never rejects. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #start(): Promise<number> {
    const { name, port, host, tls } = this.#options;
    try {
      const pair = tls && (await this.#readCertificate(tls));
      const server = this.#create(pair);
      if (this.#closed !== undefined) throw new Error('the server was closed');
      this.#server = server;
      await listening(server, port, host);
      if (tls !== undefined && pair !== undefined) this.#watch(server, tls, pair);
      const address = server.address();
      return address instanceof Object ? address.port : port;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      const action = tls ? 'the port or the files of the certificate' : 'the port';
      throw new EndpointStartError(
        `endpoint ${name} cannot listen on ${host ?? ''}:${port}: ${cause}; change ${action}`,
        { cause: error },
      );
    }
  }

  #create(pair: CertificatePair | undefined): Server {
    const listener = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#serve(request, response);
    const limits = { maxHeaderSize, connectionsCheckingInterval: checkMs, insecureHTTPParser: false };
    const server =
      pair === undefined
        ? createServer(limits, listener)
        : createSecureServer(
            {
              ...limits,
              ...pair,
              ALPNProtocols: ['http/1.1'],
              handshakeTimeout: handshakeMs,
              minVersion: 'TLSv1.2',
            },
            listener,
          );
    server.headersTimeout = headersMs;
    server.requestTimeout = requestMs;
    server.keepAliveTimeout = keepAliveMs;
    server.timeout = stalledMs;
    server.maxRequestsPerSocket = maxRequestsPerSocket;
    server.maxConnections = this.#options.maxConnections ?? 100;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('error', (error) => {
      this.#log.error({ error }, `endpoint ${this.#options.name} failed`);
    });
    return server;
  }

  async #readCertificate(files: CertificateFiles): Promise<CertificatePair> {
    const { certificateRead } = this.#options;
    try {
      const pair = await readCertificate(files);
      certificateRead?.(false);
      return pair;
    } catch (error) {
      certificateRead?.(true);
      throw error;
    }
  }

  #watch(server: Server, files: CertificateFiles, present: CertificatePair): void {
    const { environment = systemEnvironment } = this.#options;
    this.#endWatch = watchCertificate({
      files,
      read: (given) => this.#readCertificate(given),
      present,
      use: (pair) => {
        if ('setSecureContext' in server && typeof server.setSecureContext === 'function') {
          server.setSecureContext(pair);
        }
      },
      clock: environment.clock,
      log: this.#log,
    });
    if (this.#closed !== undefined) this.#endWatch();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined); // The caller has closed the connection.
    const { method = 'GET', headers } = request;
    const parsed = requestOf(request, method);
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const {
      status,
      body,
      headers: sent,
    } = parsed === undefined
      ? { status: 400, body: 'bad request\n', headers: {} }
      : await respond(this.#options.endpoint, parsed, this.#log);
    // A body is not read: the connection cannot be used for another request.
    response.writeHead(status, {
      ...sent,
      'content-length': Buffer.byteLength(body),
      ...(hasBody && { connection: 'close' }),
    });
    response.end(method === 'HEAD' ? '' : body, () => {
      if (hasBody) request.destroy();
    });
  }

  async #close(): Promise<void> {
    // A start under way must have an end: afterwards its server is known.
    await this.#started?.catch(() => undefined);
    this.#endWatch();
    const server = this.#server;
    if (!server?.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const force = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, closeMs);
    await closed;
    clearTimeout(force);
  }
}

function listening(server: Server, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Returns undefined for an invalid target. */
function requestOf({ url = '/', headers }: IncomingMessage, method: string): EndpointRequest | undefined {
  const [path = '', ...query] = url.split('?');
  if (!path.startsWith('/')) return undefined;
  return { method, path, query: new URLSearchParams(query.join('?')), authorization: headers.authorization };
}
