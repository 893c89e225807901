/** Transport based on undici: HTTP/1.1 with keep-alive. Loaded with the first request. */

import type { APIRequest, APIResponse } from '../../api/transport.ts';
import type { Credential } from '../../auth/types.ts';
import { onDemand } from '../../common/on-demand.ts';
import type { ServerAddress } from '../../config/kubeconfig/server.ts';
import type { ClusterConfig, TlsConfig } from '../../config/types.ts';
import { usedTls } from '../../config/used-tls.ts';
import { noteStage, unanswered } from '../abort/deadline.ts';
import { clientClosed, errorCode } from '../abort/error-codes.ts';
import { onAbort } from '../abort/on-abort.ts';
import { type Environment, type ProxyServer, proxyAuthorization, proxyFor } from '../proxy/proxy.ts';
import { unwelcome } from '../proxy/proxy-error.ts';
import { impersonationHeaders } from '../request/impersonate.ts';
import { encodeQuery } from '../request/query.ts';
import { checkSendable } from '../request/sendable.ts';
import { isCertificateError, type TlsFiles, tlsFilesOf } from '../tls/tls-files.ts';
import { connectionFailed } from './connection-errors.ts';
import { Exchange } from './exchange.ts';
import type { ClosableTransport } from './lazy-transport.ts';
import { type Lease, Leases, noCertificate } from './lease.ts';
import { acquire, type Connections, type Dispatching, type LoadedParts } from './pool.ts';

/** undici is another module, which bundlers of users replace. */
const undici = onDemand(async () => (await import('./undici.ts')).loadUndici());

/**
 * Milliseconds without data before and within a response, if the call has no time-out of its own. Streams
 * have no such limit.
 */
const silenceMs = 300_000;

/** Returns the request target: the prefix of the server, the path and the query. */
export function requestTarget({ path, query }: APIRequest, prefix: string): string {
  return query.length === 0 ? prefix + path : `${prefix}${path}?${encodeQuery(query)}`;
}

/** Returns the headers of a request as alternating names and values, which allows repeated names. */
export function headerList(request: APIRequest, gzip: boolean): string[] {
  const { headers, impersonate } = request;
  const list: string[] = [];
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) list.push(name, String(value));
  }
  if (gzip && headers['accept-encoding'] === undefined) list.push('accept-encoding', 'gzip');
  if (impersonate !== undefined) {
    for (const [name, value] of impersonationHeaders(impersonate)) list.push(name, value);
  }
  return list;
}

/**
 * Returns the milliseconds until the head of a response must arrive. A call with its own time-out needs no
 * further limit, and a followed log begins with its first line: before that, kubelets do not even send a
 * head.
 */
export function headersTimeoutOf({ timeoutMs, query, stream }: APIRequest): number {
  const follows = stream === true && query.some(([name, value]) => name === 'follow' && value !== 'false');
  return timeoutMs !== undefined || follows ? 0 : silenceMs;
}

/** Parts of a transport that are the same for all requests. */
interface Setup {
  readonly address: ServerAddress;
  readonly tls: TlsConfig;
  readonly files: TlsFiles | undefined;
  readonly proxy: ProxyServer | undefined;
  readonly gzip: boolean;
  readonly parts: LoadedParts;
}

/** Connection of an attempt, and whether the request was sent before. */
interface Attempt {
  readonly request: APIRequest;
  readonly tls: TlsConfig;
  readonly credential: Credential | undefined;
  readonly last: boolean;
}

class PooledTransport implements ClosableTransport {
  readonly #setup: Setup;
  readonly #leases: Leases;
  /** Prefix of every path; a proxy for plain HTTP receives the whole URL. */
  readonly #prefix: string;
  readonly #proxyHeaders: readonly string[];
  /** Proxy that forwards plain HTTP requests, and may respond to them itself. */
  readonly #forwarder: ProxyServer | undefined;
  #closed = false;

  constructor(setup: Setup) {
    this.#setup = setup;
    const { address, proxy, parts } = setup;
    this.#leases = new Leases((tls) => acquire({ address, tls, proxy }, parts));
    const forwards = !address.secure && (proxy?.kind === 'http' || proxy?.kind === 'https');
    this.#forwarder = forwards ? proxy : undefined;
    this.#prefix = forwards ? address.origin + address.prefix : address.prefix;
    const authorization = forwards ? proxyAuthorization(proxy) : undefined;
    this.#proxyHeaders = authorization === undefined ? [] : ['proxy-authorization', authorization];
  }

  readonly send = (request: APIRequest, credential?: Credential): Promise<APIResponse> => {
    const { files, tls } = this.#setup;
    const present = files === undefined ? tls : files.current();
    if (!(present instanceof Promise)) return this.#send({ request, tls: present, credential, last: false });
    return present.then((read) => this.#send({ request, tls: read, credential, last: false }));
  };

  close(): Promise<void> {
    this.#closed = true;
    return this.#leases.close(({ operation }) => clientClosed(operation));
  }

  #send(attempt: Attempt): Promise<APIResponse> {
    return new Promise((responded, failed) => {
      const { request, tls, credential } = attempt;
      if (this.#closed) throw clientClosed(request.operation);
      request.signal?.throwIfAborted();
      const { method, body, operation, upgrade } = request;
      const headers = headerList(request, this.#setup.gzip && upgrade === undefined);
      if (upgrade === undefined) for (const part of this.#proxyHeaders) headers.push(part);
      const target = requestTarget(
        request,
        upgrade === undefined ? this.#prefix : this.#setup.address.prefix,
      );
      checkSendable({ method, target, headers, body }, operation);
      const lease = this.#leases.for(tls, credential ?? ownCredential(request));
      const exchange = this.#exchange(attempt, lease, responded, failed);
      const headersTimeout = headersTimeoutOf(request);
      noteStage(request.signal, lease.connections.stage);
      dispatchingOf(request, lease.connections).dispatch(
        {
          path: target,
          method,
          headers,
          body: body ?? null,
          headersTimeout,
          bodyTimeout: exchange.stream ? 0 : headersTimeout,
          ...(upgrade && { upgrade: upgrade.protocol }),
        },
        exchange,
      );
    });
  }

  #exchange(
    attempt: Attempt,
    lease: Lease,
    responded: (response: APIResponse | Promise<APIResponse>) => void,
    failed: (error: unknown) => void,
  ): Exchange {
    const { signal, operation, stream, beforeWrite, upgrade } = attempt.request;
    const exchange: Exchange = new Exchange(operation, stream === true, {
      started: () => {
        beforeWrite?.();
        noteStage(signal, unanswered);
      },
      responded: (response) => {
        if (response.status === 407 && this.#forwarder !== undefined && upgrade === undefined) {
          response.cancel();
          failed(this.#explain(unwelcome(this.#forwarder), attempt, false));
        } else responded(response);
      },
      upgraded: (connection) => upgrade?.opened(connection),
      failed: (error) => {
        if (this.#mayHelpToRead(error, attempt)) responded(this.#sendAgain(error, attempt));
        else failed(error);
      },
      explain: (error, hasResponse) => this.#explain(error, { ...attempt, tls: lease.tls }, hasResponse),
      ended: (ended) => {
        lease.ended(ended);
        forget?.();
      },
    });
    lease.add(exchange);
    const forget = signal && onAbort(signal, (reason) => exchange.abort(reason));
    return exchange;
  }

  #explain(error: unknown, { request, tls }: Attempt, hasResponse: boolean): unknown {
    const { address, proxy } = this.#setup;
    return connectionFailed(error, request.operation, {
      origin: address.origin,
      hasCa: tls.ca !== undefined,
      hasResponse,
      proxy: proxy?.label,
      clientCert: tls.cert,
      isAnonymous: request.headers['authorization'] === undefined,
    });
  }

  #mayHelpToRead(error: unknown, { last }: Attempt): boolean {
    return this.#setup.files !== undefined && !last && isCertificateError(errorCode(error));
  }

  /** The TLS handshake failed, so the request was not processed: retries it with newer certificates. */
  async #sendAgain(error: unknown, attempt: Attempt): Promise<APIResponse> {
    const tls = await this.#setup.files?.recheck();
    if (tls === undefined || tls === attempt.tls) throw error;
    return this.#send({ ...attempt, tls, last: true });
  }
}

function dispatchingOf({ upgrade, stream }: APIRequest, connections: Connections): Dispatching {
  if (upgrade !== undefined) return connections.upgrades;
  return stream === true ? connections.streams : connections.requests;
}

/**
 * A request with its own `authorization` header must not be authenticated by the client certificate of the
 * connection.
 */
function ownCredential({ headers }: APIRequest): typeof noCertificate | undefined {
  return headers['authorization'] === undefined ? undefined : noCertificate;
}

/**
 * Returns the transport of a configuration whose server is at `address`.
 * @throws {ConfigError} if the proxy is invalid
 */
export async function connect(
  config: ClusterConfig,
  address: ServerAddress,
  environment: Environment = process.env,
): Promise<ClosableTransport> {
  const proxy = proxyFor(address, config.proxyUrl, environment);
  const tls = usedTls(config);
  return new PooledTransport({
    address,
    tls,
    files: address.secure ? tlsFilesOf(tls) : undefined,
    proxy,
    gzip: !address.loopback && config.disableCompression !== true,
    parts: {
      undici: await undici(),
      proxied: proxy && (await import('../proxy/proxied-connector.ts')).proxied,
    },
  });
}
