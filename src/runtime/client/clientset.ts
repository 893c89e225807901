import type { RESTClient } from '../rest/client.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import { type ClientConnection, openConnection } from '../rest/connection.ts';

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
  readonly #close: () => Promise<void>;

  constructor(connection: ClientConnection, options?: RESTClientOptions) {
    const { rest, close } = openConnection(connection, options);
    this.rest = rest;
    this.#close = close;
    // Also callable without its object: `const { close } = clientset`.
    this.close = this.close.bind(this);
  }

  async close(): Promise<void> {
    await this.#close();
  }
}

/** The base class of generated clientsets. Reads no file and opens no connection before the first request. */
export const ClientsetBase: new (connection: ClientConnection, options?: RESTClientOptions) => ClientsetBase =
  Base;
