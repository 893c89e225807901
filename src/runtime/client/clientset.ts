import type { ClusterConfig } from '../config/types.ts';
import { RESTClient, type RESTClientOptions } from '../rest/client.ts';

/**
 * Source of a client's connections: a configuration, or the REST client of another client, whose connections
 * are shared.
 */
export type ClientConnection = ClusterConfig | RESTClient;

/** Base interface of generated clientsets: clients that share one set of connections. */
export interface ClientsetBase {
  /** Sends requests to any path over the same connections. */
  readonly rest: RESTClient;
  /**
   * Closes the connections, unless they belong to the REST client from which this clientset was created. May
   * be called without its object, as in `process.once('SIGINT', clientset.close)`.
   */
  close(): Promise<void>;
}

/**
 * Returns the options of a client's REST client, or `undefined` if there are none: a client that shares
 * connections accepts none, even an empty object.
 */
export function sharedOptions(options: RESTClientOptions): RESTClientOptions | undefined {
  return Object.values(options).every((value) => value === undefined) ? undefined : options;
}

class Base implements ClientsetBase {
  readonly rest: RESTClient;
  readonly #shared: boolean;

  constructor(connection: ClientConnection, options?: RESTClientOptions) {
    const shared = isRESTClient(connection);
    if (shared && options !== undefined) {
      throw new TypeError('options belong to the RESTClient; a clientset of one has none');
    }
    this.rest = shared ? connection : new RESTClient(connection, options);
    this.#shared = shared;
    // Also callable without its object: `const { close } = clientset`.
    this.close = this.close.bind(this);
  }

  async close(): Promise<void> {
    if (!this.#shared) await this.rest.close();
  }
}

/** Compares by structure, because the value may come from another copy of this package. */
function isRESTClient(connection: ClientConnection): connection is RESTClient {
  if (typeof connection !== 'object' || connection === null) {
    throw new TypeError(
      'a clientset requires a configuration, such as that of loadConfig(), or a RESTClient',
    );
  }
  return 'request' in connection && typeof connection.request === 'function';
}

/** The base class of generated clientsets. Reads no file and opens no connection before the first request. */
export const ClientsetBase: new (connection: ClientConnection, options?: RESTClientOptions) => ClientsetBase =
  Base;
