/** Transport over network connections. */

import type { APIRequest, APIResponse } from '../../api/transport.ts';
import type { Credential } from '../../auth/types.ts';
import { parseServer, type ServerAddress } from '../../config/kubeconfig/server.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { clientClosed } from '../abort/error-codes.ts';

/** Sends a request, on a connection with the certificate of the credential if it has one. */
export type Send = (request: APIRequest, credential?: Credential) => Promise<APIResponse>;

/** Options of connections besides the configuration. */
export interface TransportOptions {
  /** Uses HTTP/2 if the server supports it. Default: false, HTTP/1.1. */
  readonly http2?: boolean | undefined;
}

/** A transport with connections. */
export interface ClosableTransport {
  readonly send: Send;
  /** Aborts the running requests of this transport, and releases its connections. */
  close(): Promise<void>;
}

/** undici takes longer to load than the rest of the package, and is not needed before the first request. */
class LazyTransport implements ClosableTransport {
  readonly #config: ClusterConfig;
  readonly #address: ServerAddress;
  readonly #options: TransportOptions;
  #opening: Promise<ClosableTransport> | undefined;
  #wire: ClosableTransport | undefined;
  #closed = false;

  constructor(config: ClusterConfig, options: TransportOptions) {
    this.#config = config;
    this.#options = options;
    this.#address = parseServer(config.server, config.tls);
  }

  readonly send: Send = (request, credential) =>
    this.#wire === undefined ? this.#first(request, credential) : this.#wire.send(request, credential);

  async close(): Promise<void> {
    this.#closed = true;
    // Callers received the error of a transport that could not be opened.
    const wire = await this.#opening?.catch(() => undefined);
    await wire?.close();
  }

  async #first(request: APIRequest, credential: Credential | undefined): Promise<APIResponse> {
    if (this.#closed) throw clientClosed(request.operation);
    this.#opening ??= import('./pooled-transport.ts').then(({ connect }) =>
      connect(this.#config, this.#address, this.#options),
    );
    this.#wire = await this.#opening;
    if (this.#closed) throw clientClosed(request.operation);
    return this.#wire.send(request, credential);
  }
}

/**
 * Returns the transport for a configuration. No connection is opened before the first request.
 * @throws {ConfigError} if the URL of the server is invalid
 */
export function openTransport(config: ClusterConfig, options: TransportOptions = {}): ClosableTransport {
  return new LazyTransport(config, options);
}
