/** HTTP server of an endpoint. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import { certificatesOf, type ServerCertificate } from './certificate-files.ts';
import { type Endpoint, type EndpointRequest, respond } from './endpoint.ts';
import { HttpServer, type ServerLimits } from './http-server.ts';

const limits: ServerLimits = {
  headersMs: 5_000,
  requestMs: 10_000,
  keepAliveMs: 30_000,
  stalledMs: 60_000,
  maxRequestsPerSocket: 1_000,
  maxConnections: 100,
};
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
  /** Serves HTTPS with this certificate. Files are read again after a change. Default: HTTP. */
  readonly tls?: ServerCertificate | undefined;
  /** Called after each read of the files, with whether it has failed. Must not throw. */
  readonly certificateRead?: ((isFailed: boolean) => void) | undefined;
  /** Maximum number of connections; further ones are closed. Default: 100. */
  readonly maxConnections?: number | undefined;
  /** Default: `console`. */
  readonly log?: Logger | undefined;
  /** Clock of the reads of the certificate. Default: that of the system. */
  readonly environment?: Pick<RuntimeEnvironment, 'clock'> | undefined;
}

/** Serves an endpoint over HTTP/1.1, or HTTPS without HTTP/2. */
export class EndpointServer {
  readonly #endpoint: Endpoint;
  readonly #log: Logger;
  readonly #server: HttpServer;

  constructor(options: EndpointServerOptions) {
    const { name, port, host, tls, certificateRead, environment = systemEnvironment } = options;
    const { log = consoleLogger(), maxConnections = limits.maxConnections } = options;
    this.#endpoint = options.endpoint;
    this.#log = childLogger(log, {});
    const parts = { wasRead: certificateRead, clock: environment.clock, log };
    this.#server = new HttpServer({
      name: `endpoint ${name}`,
      listener: (request, response) => void this.#serve(request, response),
      port,
      host,
      certificates: tls && certificatesOf(tls, parts),
      limits: { ...limits, maxConnections },
      log,
    });
  }

  /**
   * Begins to listen and returns the port. A second call returns the result of the first one.
   * @throws {EndpointStartError} the port cannot be used, or the certificate cannot be read
   */
  start(): Promise<number> {
    return this.#server.start();
  }

  /** Stops listening; responses under way have one second. Never rejects. */
  close(): Promise<void> {
    return this.#server.close({ graceMs: closeMs });
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
      : await respond(this.#endpoint, parsed, this.#log);
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
}

/** Returns undefined for an invalid target. */
export function requestOf(
  { url = '/', headers }: IncomingMessage,
  method: string,
): EndpointRequest | undefined {
  const [path = '', ...query] = url.split('?');
  if (!path.startsWith('/')) return undefined;
  const { authorization, host } = headers;
  return { method, path, query: new URLSearchParams(query.join('?')), authorization, host };
}
