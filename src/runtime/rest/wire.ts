/** The transport that leaves the process. */
import { parseServer, type ServerAddress } from '../config/server.ts';
import type { ClusterConfig } from '../config/types.ts';
import { clientClosed } from './codes.ts';
import type { Request, Response, Transport } from './types.ts';

/** A transport with connections behind it. */
export interface Wire {
  readonly send: Transport;
  /** Ends what this wire still has running, and its share in the connections. */
  close(): Promise<void>;
}

/** undici takes longer to load than all the rest, and neither it nor what is around it is needed before the first request. */
class LazyWire implements Wire {
  readonly #config: ClusterConfig;
  readonly #address: ServerAddress;
  #opening: Promise<Wire> | undefined;
  #closed = false;

  constructor(config: ClusterConfig) {
    this.#config = config;
    this.#address = parseServer(config.server, config.tls);
  }

  readonly send = async (request: Request): Promise<Response> => {
    if (this.#closed) throw clientClosed(request.operation);
    this.#opening ??= import('./connection.ts').then(({ connect }) => connect(this.#config, this.#address));
    const wire = await this.#opening;
    if (this.#closed) throw clientClosed(request.operation);
    return wire.send(request);
  };

  async close(): Promise<void> {
    this.#closed = true;
    const wire = await this.#opening;
    await wire?.close();
  }
}

/**
 * The transport for a configuration. Nothing is opened before the first request.
 * @throws {ConfigError} the server is not a URL that can be used
 */
export function openWire(config: ClusterConfig): Wire {
  return new LazyWire(config);
}
