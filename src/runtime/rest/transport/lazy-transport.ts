/** Transport over network connections. */

import type { APIRequest, APIResponse } from '../../api/transport.ts';
import type { Credential } from '../../auth/types.ts';
import { parseServer, type ServerAddress } from '../../config/kubeconfig/server.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { clientClosed } from '../abort/error-codes.ts';

/** Sends a request, on a connection with the certificate of the credential if it has one. */
export type Send = (request: APIRequest, credential?: Credential) => Promise<APIResponse>;

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
  #opening: Promise<ClosableTransport> | undefined;
  #wire: ClosableTransport | undefined;
  #closed = false;

  constructor(config: ClusterConfig) {
    this.#config = config;
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
      connect(this.#config, this.#address),
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
export function openTransport(config: ClusterConfig): ClosableTransport {
  return new LazyTransport(config);
}
