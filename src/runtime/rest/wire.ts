/** The transport that leaves the process: undici, HTTP/1.1 with keep-alive. */
import { parseServer, type ServerAddress } from '../config/server.ts';
import type { ClusterConfig, TlsConfig } from '../config/types.ts';
import { TransportError } from '../errors.ts';
import { Exchange } from './exchange.ts';
import { closedCode, connectionFailed } from './failures.ts';
import { gunzipped } from './gunzip.ts';
import { impersonationHeaders } from './impersonate.ts';
import { onAbort } from './on-abort.ts';
import type { Connections, Share } from './pool.ts';
import { encodeQuery } from './query.ts';
import type { Operation, Request, Response, Transport } from './types.ts';

/** Milliseconds that a server may be silent before and within an answer, where the call has no limit of its own. */
const silenceMs = 300_000;

/** A transport with connections behind it. */
export interface Wire {
  readonly send: Transport;
  /** Ends what this wire still has running, and its share in the connections. */
  close(): Promise<void>;
}

/** Where a request goes: the prefix of the server, the path and the query. */
export function requestTarget(request: Request, prefix: string): string {
  const query = encodeQuery(request.query);
  return `${prefix}${request.path}${query === '' ? '' : `?${query}`}`;
}

/** The headers of a request as names and values in turn, so that names may be repeated. */
export function headerList(request: Request, gzip: boolean): string[] {
  const list = Object.entries(request.headers).flat();
  if (gzip && request.headers['accept-encoding'] === undefined) list.push('accept-encoding', 'gzip');
  if (request.impersonate !== undefined) list.push(...impersonationHeaders(request.impersonate).flat());
  return list;
}

function clientClosed(operation: Operation): TransportError {
  return new TransportError('the client is closed', operation, { code: closedCode });
}

class UndiciWire implements Wire {
  readonly #address: ServerAddress;
  readonly #tls: TlsConfig | undefined;
  readonly #gzip: boolean;
  readonly #running: Map<Exchange, Operation> = new Map();
  #share: Promise<Share> | undefined;
  #connections: Connections | undefined;
  #closed = false;

  constructor(config: ClusterConfig) {
    this.#address = parseServer(config.server, config.tls);
    this.#tls = config.tls;
    this.#gzip = !this.#address.loopback && config.disableCompression !== true;
  }

  readonly send = async (request: Request): Promise<Response> => {
    if (this.#closed) throw clientClosed(request.operation);
    const connections = this.#connections ?? (await this.#open());
    request.signal?.throwIfAborted();
    if (this.#closed) throw clientClosed(request.operation);
    return gunzipped(await this.#exchange(connections, request), request.operation);
  };

  async close(): Promise<void> {
    this.#closed = true;
    for (const [exchange, operation] of this.#running) {
      exchange.abort(clientClosed(operation));
    }
    const share = await this.#share?.catch(() => undefined);
    await share?.release();
  }

  /** undici takes longer to load than all the rest, and is not needed before the first request. */
  async #open(): Promise<Connections> {
    this.#share ??= import('./pool.ts').then(({ acquire }) => acquire(this.#address, this.#tls));
    this.#connections = (await this.#share).connections;
    return this.#connections;
  }

  async #exchange(connections: Connections, request: Request): Promise<Response> {
    const path = requestTarget(request, this.#address.prefix);
    const headers = headerList(request, this.#gzip);
    return new Promise((answered, failed) => {
      const exchange = new Exchange({
        answered,
        failed,
        explain: (error, answering) => {
          const { origin } = this.#address;
          const hasCa = this.#tls?.ca !== undefined;
          return connectionFailed(error, request.operation, { origin, hasCa, answering });
        },
        ended: () => {
          this.#running.delete(exchange);
          forget?.();
        },
      });
      this.#running.set(exchange, request.operation);
      const forget = request.signal && onAbort(request.signal, (reason) => exchange.abort(reason));
      const silence = request.stream === true || request.timeoutMs !== undefined ? 0 : silenceMs;
      const pool = request.stream === true ? connections.streams : connections.requests;
      pool.dispatch(
        {
          path,
          method: request.method,
          headers,
          body: request.body ?? null,
          headersTimeout: silence,
          bodyTimeout: silence,
        },
        exchange,
      );
    });
  }
}

/**
 * The transport for a configuration. Nothing is opened before the first request.
 * @throws {ConfigError} the server is not a URL that can be used
 */
export function openWire(config: ClusterConfig): Wire {
  return new UndiciWire(config);
}
