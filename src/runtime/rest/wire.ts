/** The transport that leaves the process. */
import type { Credential } from '../auth/types.ts';
import { parseServer, type ServerAddress } from '../config/server.ts';
import type { ClusterConfig } from '../config/types.ts';
import { clientClosed } from './codes.ts';
import type { Request, Response } from './types.ts';

/** Sends a request, over a connection that was made with the certificate of the credential where it has one. */
export type Send = (request: Request, credential?: Credential) => Promise<Response>;

/** How connections are made, besides what the configuration says. */
export interface WireOptions {
  /** HTTP/2 where the server has it. Default false: HTTP/1.1. */
  readonly http2?: boolean | undefined;
}

/** A transport with connections behind it. */
export interface Wire {
  readonly send: Send;
  /** Ends what this wire still has running, and its share in the connections. */
  close(): Promise<void>;
}

/** undici takes longer to load than all the rest, and neither it nor what is around it is needed before the first request. */
class LazyWire implements Wire {
  readonly #config: ClusterConfig;
  readonly #address: ServerAddress;
  readonly #options: WireOptions;
  #opening: Promise<Wire> | undefined;
  #wire: Wire | undefined;
  #closed = false;

  constructor(config: ClusterConfig, options: WireOptions) {
    this.#config = config;
    this.#options = options;
    this.#address = parseServer(config.server, config.tls);
  }

  readonly send: Send = (request, credential) =>
    this.#wire === undefined ? this.#first(request, credential) : this.#wire.send(request, credential);

  async close(): Promise<void> {
    this.#closed = true;
    // What could not be opened was told to those who asked for it.
    const wire = await this.#opening?.catch(() => undefined);
    await wire?.close();
  }

  async #first(request: Request, credential: Credential | undefined): Promise<Response> {
    if (this.#closed) throw clientClosed(request.operation);
    this.#opening ??= import('./connection.ts').then(({ connect }) =>
      connect(this.#config, this.#address, this.#options),
    );
    this.#wire = await this.#opening;
    if (this.#closed) throw clientClosed(request.operation);
    return this.#wire.send(request, credential);
  }
}

/**
 * The transport for a configuration. Nothing is opened before the first request.
 * @throws {ConfigError} the server is not a URL that can be used
 */
export function openWire(config: ClusterConfig, options: WireOptions = {}): Wire {
  return new LazyWire(config, options);
}
