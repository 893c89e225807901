/** The wire itself: undici, HTTP/1.1 with keep-alive. Loaded with the first request. */
import type { ServerAddress } from '../config/server.ts';
import type { ClusterConfig, TlsConfig } from '../config/types.ts';
import { clientClosed } from './codes.ts';
import { Exchange } from './exchange.ts';
import { connectionFailed } from './failures.ts';
import { gunzipped } from './gunzip.ts';
import { impersonationHeaders } from './impersonate.ts';
import { onAbort } from './on-abort.ts';
import { acquire, type Connections, type Share } from './pool.ts';
import { encodeQuery } from './query.ts';
import type { Operation, Request, Response } from './types.ts';
import type { Wire, WireOptions } from './wire.ts';

/** Milliseconds that a server may be silent before and within an answer, where the call has no limit of its own. */
const silenceMs = 300_000;

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

class UndiciWire implements Wire {
  readonly #address: ServerAddress;
  readonly #tls: TlsConfig | undefined;
  readonly #gzip: boolean;
  readonly #running: Map<Exchange, Operation> = new Map();
  #share: Share | undefined;
  #closed = false;

  constructor(config: ClusterConfig, address: ServerAddress) {
    this.#address = address;
    this.#tls = config.tls;
    this.#gzip = !this.#address.loopback && config.disableCompression !== true;
  }

  readonly send = async (request: Request): Promise<Response> => {
    if (this.#closed) throw clientClosed(request.operation);
    request.signal?.throwIfAborted();
    this.#share ??= acquire(this.#address, this.#tls);
    const { connections } = this.#share;
    return gunzipped(await this.#exchange(connections, request), request.operation);
  };

  async close(): Promise<void> {
    this.#closed = true;
    for (const [exchange, operation] of this.#running) {
      exchange.abort(clientClosed(operation));
    }
    await this.#share?.release();
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

/** The connections of a configuration whose server is at `address`. */
export function connect(config: ClusterConfig, address: ServerAddress, _options: WireOptions): Wire {
  return new UndiciWire(config, address);
}
