/** HTTP/1.1 server of a process, with limits that protect it from hostile callers. */
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { childLogger, type Logger } from '../log.ts';
import type { CertificatePair, CertificateSource, Watched } from './certificate-files.ts';

// An import of `node:http` reads every export, of which WebSocket loads a second undici: 4 MB and 40 ms.
const { getBuiltinModule } = process;

/** Maximum bytes of the headers of a request. */
const maxHeaderSize = 16_384;
/** Time limit of TLS handshakes, in milliseconds. */
const handshakeMs = 5_000;
/** Interval of the checks of the limits, in milliseconds. */
const checkMs = 1_000;

/** Limits of a server; times are in milliseconds. */
export interface ServerLimits {
  /** Time for the headers of a request. A new connection must send its first request within this time. */
  readonly headersMs: number;
  /** Time for a whole request. Begins as that of the headers, and is not shorter. */
  readonly requestMs: number;
  /** Time for which a connection stays open without a request. */
  readonly keepAliveMs: number;
  /** Time without progress after which a connection is closed, such as by a caller that does not read. */
  readonly stalledMs: number;
  /** Maximum number of requests of a connection; 0 for no limit. */
  readonly maxRequestsPerSocket: number;
  /** Maximum number of connections; further ones are closed. */
  readonly maxConnections: number;
}

/** Options of an `HttpServer`. */
export interface HttpServerOptions {
  /** Name in messages, such as `endpoint metrics`. */
  readonly name: string;
  /** Must not throw. */
  readonly listener: RequestListener;
  /** Port; 0 for a free one. */
  readonly port: number;
  /** Address to listen on. Default: all addresses. */
  readonly host?: string | undefined;
  /** Serves HTTPS with this certificate. Default: HTTP. */
  readonly certificates?: CertificateSource | undefined;
  /** Certificates of the authorities of clients in PEM; with it, clients without a valid one are refused. */
  readonly clientAuthorities?: Watched<string> | undefined;
  readonly limits: ServerLimits;
  readonly log: Logger;
}

/** Time that requests have at a close. */
export interface CloseOptions {
  /** In milliseconds. Then their connections are closed. */
  readonly graceMs: number;
  /** Ends this time early. */
  readonly signal?: AbortSignal | undefined;
}

/** An endpoint could not be served: its port is in use, or its certificate is invalid. */
export class EndpointStartError extends Error {
  override get name(): 'EndpointStartError' {
    return 'EndpointStartError';
  }
}

/** Returns whether an endpoint was not served because its port is in use. */
export function isPortInUse(error: unknown): boolean {
  if (!(error instanceof EndpointStartError)) return false;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}

/** Serves HTTP/1.1, or HTTPS without HTTP/2, whose certificate changes without an effect on connections. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #log: Logger;
  #server: Server | undefined;
  #started: Promise<number> | undefined;
  #closed: Promise<void> | undefined;
  #certificate: (CertificatePair & { readonly ca?: string }) | undefined;
  /** Open connections, including those in a TLS handshake, which the server itself does not close. */
  readonly #connections = new Set<Socket>();
  /** Connections that can have requests, with the number of those in progress. */
  readonly #requests = new Map<Socket, number>();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#log = childLogger(options.log, {});
  }

  /** Certificate in use, in PEM; `undefined` without one. */
  get certificate(): string | undefined {
    return this.#certificate?.cert;
  }

  /**
   * Begins to listen and returns the port. A second call returns the result of the first one.
   * @throws {EndpointStartError} the port cannot be used, or no certificate exists
   */
  start(): Promise<number> {
    this.#started ??= this.#start();
    return this.#started;
  }

  /** Stops listening, and closes connections once they have no request in progress. Never rejects. */
  close(options: CloseOptions): Promise<void> {
    this.#closed ??= this.#close(options);
    return this.#closed;
  }

  async #start(): Promise<number> {
    const { name, port, host, certificates } = this.#options;
    try {
      await this.#startCertificates();
      const server = this.#create();
      if (this.#closed !== undefined) throw new Error('the server was closed');
      this.#server = server;
      await listening(server, port, host);
      const address = server.address();
      return address instanceof Object ? address.port : port;
    } catch (error) {
      this.#endWatches();
      const cause = error instanceof Error ? error.message : String(error);
      const action = certificates ? 'the port or the files of the certificate' : 'the port';
      throw new EndpointStartError(
        `${name} cannot listen on ${host ?? ''}:${port}: ${cause}; change ${action}`,
        { cause: error },
      );
    }
  }

  async #startCertificates(): Promise<void> {
    const { certificates, clientAuthorities } = this.#options;
    if (certificates === undefined) return;
    certificates.onChange((pair) => this.#use(pair));
    clientAuthorities?.onChange((ca) => this.#use({ ca }));
    const ca = await clientAuthorities?.start();
    this.#certificate = { ...(await certificates.start()), ...(ca !== undefined && { ca }) };
  }

  /** Must not throw: it is called in timers. */
  #use(change: Partial<CertificatePair & { readonly ca: string }>): void {
    const [server, present] = [this.#server, this.#certificate];
    if (present === undefined) return;
    this.#certificate = { ...present, ...change };
    if (server === undefined || !isSecure(server)) return;
    try {
      server.setSecureContext({ ...this.#certificate, minVersion });
    } catch (error) {
      this.#certificate = present;
      this.#log.error({ error }, `${this.#options.name}: the new certificate is invalid`);
    }
  }

  #create(): Server {
    const { limits, listener, name, clientAuthorities } = this.#options;
    const parser = { maxHeaderSize, connectionsCheckingInterval: checkMs, insecureHTTPParser: false };
    const isVerified = clientAuthorities !== undefined;
    const server =
      this.#certificate === undefined
        ? getBuiltinModule('node:http').createServer(parser, listener)
        : getBuiltinModule('node:https').createServer(
            {
              ...parser,
              ...this.#certificate,
              ALPNProtocols: ['http/1.1'],
              handshakeTimeout: handshakeMs,
              minVersion,
              requestCert: isVerified,
              rejectUnauthorized: isVerified,
            },
            listener,
          );
    server.headersTimeout = limits.headersMs;
    server.requestTimeout = limits.requestMs;
    server.keepAliveTimeout = limits.keepAliveMs;
    server.timeout = limits.stalledMs;
    server.maxRequestsPerSocket = limits.maxRequestsPerSocket;
    server.maxConnections = limits.maxConnections;
    this.#follow(server);
    server.on('error', (error) => {
      this.#log.error({ error }, `${name} failed`);
    });
    return server;
  }

  #follow(server: Server): void {
    const ready = (socket: Socket): void => {
      this.#requests.set(socket, 0);
      socket.once('close', () => this.#requests.delete(socket));
    };
    server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
      if (!isSecure(server)) ready(socket);
    });
    server.on('secureConnection', ready);
    server.on('request', ({ socket }, response) => {
      this.#requests.set(socket, (this.#requests.get(socket) ?? 0) + 1);
      response.once('close', () => {
        const left = (this.#requests.get(socket) ?? 1) - 1;
        if (this.#requests.has(socket)) this.#requests.set(socket, left);
        if (left === 0 && this.#closed !== undefined) socket.end();
      });
    });
  }

  async #close({ graceMs, signal }: CloseOptions): Promise<void> {
    // A start under way ends without a certificate; afterwards its server is known.
    this.#endWatches();
    await this.#started?.catch(() => undefined);
    this.#endWatches();
    const server = this.#server;
    if (!server?.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // Not `closeIdleConnections`, which keeps those that have not sent a request yet.
    for (const [socket, count] of this.#requests) if (count === 0) socket.destroy();
    const destroy = (): void => {
      for (const socket of this.#connections) socket.destroy();
    };
    const timer = setTimeout(destroy, signal?.aborted ? 0 : graceMs);
    signal?.addEventListener('abort', destroy, { once: true });
    await closed;
    clearTimeout(timer);
    signal?.removeEventListener('abort', destroy);
  }

  #endWatches(): void {
    void this.#options.certificates?.close();
    void this.#options.clientAuthorities?.close();
  }
}

const minVersion = 'TLSv1.2';

/** Servers of node:https are those of node:tls, which the declarations of node:http do not state. */
function isSecure(server: Server): server is Server & { setSecureContext(options: object): void } {
  return 'setSecureContext' in server && typeof server.setSecureContext === 'function';
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
