import type { ClusterConfig } from './config/types.ts';
import { RESTClient, type RESTClientOptions } from './rest/client.ts';

/** What a client is made from: a configuration, or the REST client of another one, whose connections it then shares. */
export type Connection = ClusterConfig | RESTClient;

/** What every generated clientset is: clients over one set of connections. */
export interface ClientsetBase {
  /** Requests to any path, over the same connections. */
  readonly rest: RESTClient;
  /** Closes the connections, unless they belong to the REST client that this was made from. */
  close(): Promise<void>;
}

/** By its shape, as it may come from another copy of this package. */
function isRESTClient(connection: Connection): connection is RESTClient {
  if (typeof connection !== 'object' || connection === null) {
    throw new TypeError(
      'a clientset is made from a configuration, as loadConfig() gives it, or from a RESTClient',
    );
  }
  return 'request' in connection && typeof connection.request === 'function';
}

class Base implements ClientsetBase {
  readonly rest: RESTClient;
  readonly #close: () => Promise<void>;

  constructor(connection: Connection, options?: RESTClientOptions) {
    const shared = isRESTClient(connection);
    if (shared && options !== undefined) {
      throw new TypeError('options belong to the RESTClient; a clientset made from one takes none');
    }
    const rest = shared ? connection : new RESTClient(connection, options);
    this.rest = rest;
    this.#close = shared ? () => Promise.resolve() : () => rest.close();
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/** The base class of generated clientsets. Nothing is read and nothing is opened before the first request. */
export const ClientsetBase: new (connection: Connection, options?: RESTClientOptions) => ClientsetBase = Base;
