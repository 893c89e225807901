/** Connections that programs pass to clients and tools, and their conversion to REST clients. */
import { messageOf } from '../common/callbacks.ts';
import type { ClusterConfig } from '../config/types.ts';
import { RESTClient } from './client.ts';
import type { RESTClientOptions } from './client-options.ts';

/**
 * A server: a configuration, a REST client, or an object with a REST client, such as a clientset or a manager
 * of `@kgen/controller`. The connections of a REST client are shared, and remain open. A client that is
 * created from a configuration is closed by the object or function that has created it.
 */
export type ClientConnection = ClusterConfig | RESTClient | { readonly rest: RESTClient };

/** Constructor of clients, which share connections or have their own: `new Clientset(…)`. */
export interface ClientConstructor<Client> {
  /** Creates a client with connections of its own. Opens none before the first request. */
  new (config: ClusterConfig, options?: RESTClientOptions): Client;
  /** Creates a client over the connections of a REST client, a clientset or a manager, with their options. */
  new (connection: ClientConnection): Client;
}

/** A REST client, and the function that closes it if it was created for the connection. */
export interface OpenedConnection {
  readonly rest: RESTClient;
  readonly close: () => Promise<void>;
}

/**
 * Returns the REST client of a connection, or its configuration.
 * @throws {TypeError} if it is neither
 */
export function sourceOf(connection: ClientConnection): RESTClient | ClusterConfig {
  const source = isObject(connection) && 'rest' in connection ? connection.rest : connection;
  if (isObject(source)) return source;
  throw new TypeError(
    'the connection must be a configuration, such as that of loadConfig(), a RESTClient, or an object with one',
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares by structure, because the value may come from another copy of this package. */
export function isRESTClient(source: RESTClient | ClusterConfig): source is RESTClient {
  return 'request' in source && typeof source.request === 'function';
}

/**
 * Opens a connection. Sends no request.
 * @throws {TypeError} if there are options for a REST client that exists
 */
export function openConnection(connection: ClientConnection, options?: RESTClientOptions): OpenedConnection {
  const source = sourceOf(connection);
  if (!isRESTClient(source)) {
    const rest = new RESTClient(source, options);
    return { rest, close: () => rest.close() };
  }
  if (options !== undefined) {
    throw new TypeError('options belong to the RESTClient; a client that shares its connections has none');
  }
  return { rest: source, close: async () => undefined };
}

/** Calls a function with the client of a connection, and closes the client if it was created for the call. */
export async function withConnection<T>(
  connection: ClientConnection,
  work: (rest: RESTClient) => Promise<T>,
): Promise<T> {
  const { rest, close } = openConnection(connection);
  try {
    return await work(rest);
  } finally {
    await closed(close);
  }
}

/** Iterates with the client of a connection, and closes the client after it if it was created for that. */
export async function* iterateConnection<T>(
  connection: ClientConnection,
  work: (rest: RESTClient) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const { rest, close } = openConnection(connection);
  try {
    yield* work(rest);
  } finally {
    await closed(close);
  }
}

/** Closes a client. The outcome of its call remains, also if a connection cannot be closed. */
async function closed(close: () => Promise<void>): Promise<void> {
  await close().catch((error: unknown) =>
    process.emitWarning(`close() of the client failed: ${messageOf(error)}`, 'KubernetesWarning'),
  );
}
