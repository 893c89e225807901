/** Check of a generated client against a cluster. */
import { type ClientConnection, ClientsetBase } from '@kgen/runtime/gen/v1';
import { type Drift, driftsOf } from 'kgen/contract';
import { type ContractClient, knownResource, resourcesOf } from './known.ts';
import { readServedApi } from './served.ts';

/** Result of `checkContract`. */
export interface ContractReport {
  /** Version of the server, such as `v1.36.3`. */
  readonly server: string;
  /** Number of resources of the client that were compared. */
  readonly resources: number;
  /** Differences between client and server, in the order of the resources. */
  readonly drifts: readonly Drift[];
}

/**
 * Compares the resources of a generated clientset with those that a cluster serves: scope, verbs,
 * subresources and fields, in both directions. Optional additions of the server are not drifts. Sends GET
 * requests only.
 *
 * @throws {TypeError} the clientset names no resource
 * @throws the errors of `DiscoveryClient` if discovery fails as a whole
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { checkContract } from '@kgen/testing';
 * import { redisClusters } from './generated/cache.example.com/v1/index.js';
 *
 * const { server, drifts } = await checkContract([redisClusters], await loadConfig());
 * for (const { resource, path, message } of drifts.filter(({ breaking }) => breaking))
 *   console.error(`${resource} ${path}: ${message} (${server})`);
 * ```
 */
export async function checkContract(
  client: ContractClient,
  connection: ClientConnection,
): Promise<ContractReport> {
  const { rest, close } = quietClient(connection);
  const resources = resourcesOf(client);
  try {
    const api = await readServedApi(rest, resources);
    const known = await Promise.all(resources.map(knownResource));
    const drifts = known.flatMap((resource) => driftsOf(resource, api));
    return { server: api.version, resources: resources.length, drifts };
  } finally {
    await close();
  }
}

/** Returns a client that prints no warning, as warnings of deprecated versions are drifts. */
export function quietClient(connection: ClientConnection): ClientsetBase {
  return typeof connection === 'object' && connection !== null && 'server' in connection
    ? new ClientsetBase(connection, { onWarning: () => undefined })
    : new ClientsetBase(connection);
}
