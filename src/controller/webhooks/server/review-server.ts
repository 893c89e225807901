/** HTTPS server of webhooks. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@kgen/runtime/informers';
import type { CertificateSource, Watched } from '../../health/certificate-files.ts';
import { requestOf } from '../../health/endpoint-server.ts';
import { HttpServer, type ServerLimits } from '../../health/http-server.ts';
import { childLogger, type Logger } from '../../log.ts';
import type { ReviewMetrics } from './review-metrics.ts';
import { type BodyProblem, bodyOf, isJson, reviewMs } from './review-request.ts';

/** API servers keep idle connections for 90 s, as the HTTP client of Go does. */
const idleMs = 95_000;

/**
 * Limits of the connections of API servers. A connection that the server closes may have a request under way,
 * which is lost, and refused if the failure policy is `Fail`. Therefore none is closed within the 90 s, also
 * not one without any request: the HTTP client of Go opens connections that it may not need. Requests have
 * the limits of their reviews.
 */
export const reviewLimits: ServerLimits = {
  headersMs: idleMs,
  requestMs: idleMs,
  keepAliveMs: idleMs,
  stalledMs: idleMs,
  maxRequestsPerSocket: 0,
  maxConnections: 2_000,
};

/** Time for which the rest of a refused body is discarded, so that its sender reads the response. */
const lingerMs = 500;

/** Response to a request. */
export interface ServedResponse {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** A review as it has arrived. */
export interface ServedReview {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** JSON in UTF-8. */
  readonly body: Uint8Array;
  /** Aborts shortly before the time limit of the API server, and when the connection is closed. */
  readonly signal: AbortSignal;
}

/** Options of a `ReviewServer`. */
export interface ReviewServerOptions {
  readonly port: number;
  readonly host: string | undefined;
  readonly certificates: CertificateSource;
  /** Authorities of the certificates that clients must present. */
  readonly clientAuthorities: Watched<string> | undefined;
  /** Maximum number of bytes of a body. */
  readonly maxBytes: number;
  readonly paths: readonly string[];
  /** Responds to a review. Never rejects. */
  readonly respond: (review: ServedReview) => Promise<ServedResponse>;
  readonly metrics: ReviewMetrics;
  /** From its abortion on, each response closes its connection, and the API server opens one elsewhere. */
  readonly stopping: AbortSignal;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Serves the reviews of API servers over HTTPS with HTTP/1.1, which is all that they use. */
export class ReviewServer {
  readonly #options: ReviewServerOptions;
  readonly #paths: ReadonlySet<string>;
  readonly #server: HttpServer;
  readonly #log: Logger;
  #port: number | undefined;

  constructor(options: ReviewServerOptions) {
    const { port, host, certificates, clientAuthorities, paths, log } = options;
    this.#options = options;
    this.#paths = new Set(paths);
    this.#log = childLogger(log, {});
    this.#server = new HttpServer({
      ...{ name: 'webhooks', port, host, certificates, clientAuthorities, limits: reviewLimits, log },
      listener: (request, response) => void this.#serve(request, response),
    });
  }

  get host(): string | undefined {
    return this.#options.host;
  }

  /** Port, once the server listens. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Certificate in use, in PEM. */
  get certificate(): string | undefined {
    return this.#server.certificate;
  }

  /**
   * Begins to listen.
   * @throws {EndpointStartError} if the port cannot be used, or no certificate exists
   */
  async start(): Promise<number> {
    this.#port = await this.#server.start();
    return this.#port;
  }

  /** Stops listening, and ends after the last response. Never rejects. */
  close(signal: AbortSignal): Promise<void> {
    // The longest review.
    return this.#server.close({ graceMs: reviewMs('30s', true) + lingerMs, signal });
  }

  /** Never rejects. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The API server has closed the connection.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const { clock, metrics } = this.#options;
    const target = requestOf(request, request.method ?? 'GET');
    const start = clock.now();
    const isKnown = target !== undefined && this.#paths.has(target.path);
    const ended = isKnown ? metrics.began(target.path) : undefined;
    let status = 500;
    try {
      const served = isKnown
        ? await this.#responseTo(request, response, target)
        : refusal(404, 'no webhook has this path');
      status = served.status;
      this.#send(request, response, served);
    } catch (error) {
      this.#log.error({ error, path: target?.path }, 'a review was not processed');
      response.destroy();
    } finally {
      ended?.(status, clock.now() - start);
    }
  }

  async #responseTo(
    request: IncomingMessage,
    response: ServerResponse,
    { path, query, method }: NonNullable<ReturnType<typeof requestOf>>,
  ): Promise<ServedResponse> {
    const { maxBytes, clock, respond } = this.#options;
    const { headers } = request;
    if (method !== 'POST') return refusal(405, 'reviews are sent by POST');
    if (!isJson(headers['content-type'])) return refusal(415, 'reviews are application/json');
    const ms = reviewMs(query.get('timeout'), path.startsWith('/convert/'));
    const limit = new AbortController();
    const cancel = clock.timer(ms, () =>
      limit.abort(new ReviewTimeoutError(`${path} has a limit of ${ms} ms`)),
    );
    const closed = (): void => {
      if (!response.writableEnded)
        limit.abort(new ReviewTimeoutError('the API server closed the connection'));
    };
    response.on('close', closed);
    try {
      const body = await bodyOf(request, { maxBytes, signal: limit.signal });
      if (typeof body === 'string') return refusal(problemCodes[body], `the body is ${body}`);
      return await respond({ path, headers, body, signal: limit.signal });
    } finally {
      cancel();
      response.off('close', closed);
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, { status, body }: ServedResponse): void {
    const isRead = request.complete;
    response.sendDate = false;
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(status === 405 && { allow: 'POST' }),
      ...((!isRead || this.#options.stopping.aborted) && { connection: 'close' }),
    });
    if (isRead) response.end(body);
    else this.#sendEarly(request, response, body);
  }

  /**
   * Sends a response to a request whose body is not complete. A connection that is closed with unread bytes
   * is reset, and its client may not read the response.
   */
  #sendEarly(request: IncomingMessage, response: ServerResponse, body: string): void {
    response.write(body);
    request.resume();
    const end = (): void => {
      cancel();
      response.end();
      request.destroy();
    };
    const cancel = this.#options.clock.timer(lingerMs, end);
    request.once('close', end).once('end', end);
  }
}

/** A review took longer than the API server waits, or the API server does not wait any more. */
class ReviewTimeoutError extends Error {
  override get name(): 'TimeoutError' {
    return 'TimeoutError';
  }
}

const problemCodes: Readonly<Record<BodyProblem, number>> = { 'too large': 413, incomplete: 400, late: 408 };

/** Returns a response for which the API server applies the failure policy. */
function refusal(code: number, message: string): ServedResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code };
  return { status: code, body: JSON.stringify(status) };
}
