import { ClientsetBase, sharedOptions } from '../client/clientset.ts';
import { onDemand } from '../common/on-demand.ts';
import type { ClusterConfig } from '../config/types.ts';
import type { RESTClientOptions } from '../rest/client-options.ts';
import { type ClientConnection, isRESTClient, sourceOf } from '../rest/connection.ts';
import type { Discoverer } from './discoverer.ts';
import { OnUse } from './lazy.ts';
import type { StoreOptions } from './reading/source-types.ts';
import type {
  APIResourceList,
  DiscoveryClient as Discovery,
  DiscoveryCallOptions,
  OpenAPIV3Path,
  ServerGroups,
  ServerGroupsAndResources,
  ServerResources,
  VersionInfo,
} from './types.ts';

/** Options of a `DiscoveryClient`. Options of `RESTClient` apply if it is created from a configuration. */
export interface DiscoveryClientOptions extends RESTClientOptions {
  /**
   * Limit for each request including retries, in milliseconds. Default: 32,000, so that an unresponsive API
   * service is abandoned before the server's own limit of 60 s.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Folder in which responses are stored between runs of a program: `.kube/cache/discovery` of the home
   * folder shares them with kubectl. Default: none, because a long-running program reads discovery once, and
   * because stored files may be hours old and written by other programs.
   */
  readonly cacheDir?: string | undefined;
  /**
   * URL of the server of stored responses: each server has a folder in `cacheDir`. Default: that of the
   * configuration. Required with `cacheDir` if the client is created from a RESTClient.
   */
  readonly cacheServer?: string | undefined;
  /** Maximum age of responses in `cacheDir`, in milliseconds. Default: 6 hours, as in kubectl. */
  readonly cacheTtlMs?: number | undefined;
}

const defaultTimeoutMs = 32_000;
const defaultTtlMs = 6 * 3600 * 1000;

const discoverer = onDemand(() => import('./discoverer.ts'));

/** The implementation is loaded with the first call, because most programs do not need discovery. */
class Client extends ClientsetBase implements Discovery {
  readonly #discoverer: OnUse<Discoverer>;
  #mayBeStored = true;

  constructor(connection: ClientConnection, options: DiscoveryClientOptions = {}) {
    super(connection, restOptions(options));
    const { timeoutMs = defaultTimeoutMs } = options;
    const keep = storeOptions(connection, options);
    this.#discoverer = new OnUse(async () => {
      const [{ Discoverer }, disk] = await Promise.all([
        discoverer(),
        keep === undefined ? undefined : import('./reading/disk.ts'),
      ]);
      const store = keep && disk && new disk.DiskStore(keep);
      return new Discoverer(this.rest, { timeoutMs, store, mayBeStored: this.#mayBeStored });
    });
  }

  serverVersion(options?: DiscoveryCallOptions): Promise<VersionInfo> {
    return this.#discoverer.use(options, (it) => it.serverVersion(options));
  }

  serverGroups(options?: DiscoveryCallOptions): Promise<ServerGroups> {
    return this.#discoverer.use(options, (it) => it.serverGroups(options));
  }

  serverResourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryCallOptions,
  ): Promise<APIResourceList> {
    return this.#discoverer.use(options, (it) => it.serverResourcesForGroupVersion(groupVersion, options));
  }

  serverGroupsAndResources(options?: DiscoveryCallOptions): Promise<ServerGroupsAndResources> {
    return this.#discoverer.use(options, (it) => it.serverGroupsAndResources(options));
  }

  serverPreferredResources(options?: DiscoveryCallOptions): Promise<ServerResources> {
    return this.#discoverer.use(options, (it) => it.serverPreferredResources(options));
  }

  serverPreferredNamespacedResources(options?: DiscoveryCallOptions): Promise<ServerResources> {
    return this.#discoverer.use(options, (it) => it.serverPreferredNamespacedResources(options));
  }

  openAPIV3(options?: DiscoveryCallOptions): Promise<ReadonlyMap<string, OpenAPIV3Path>> {
    return this.#discoverer.use(options, (it) => it.openAPIV3(options));
  }

  openAPIV3Document(groupVersion: string, options?: DiscoveryCallOptions): Promise<unknown> {
    return this.#discoverer.use(options, (it) => it.openAPIV3Document(groupVersion, options));
  }

  openAPIV2(options?: DiscoveryCallOptions): Promise<unknown> {
    return this.#discoverer.use(options, (it) => it.openAPIV2(options));
  }

  invalidate(): void {
    this.#mayBeStored = false;
    this.#discoverer.afterPending((it) => it.invalidate());
  }
}

function storeOptions(
  connection: ClientConnection,
  options: DiscoveryClientOptions,
): StoreOptions | undefined {
  const { cacheDir, cacheTtlMs = defaultTtlMs } = options;
  const source = sourceOf(connection);
  const server = options.cacheServer ?? (isRESTClient(source) ? undefined : source.server);
  if (cacheDir === undefined) return undefined;
  if (cacheDir === '') throw new TypeError('cacheDir must not be empty: name a folder, or leave it out');
  if (server === undefined || server === '') {
    throw new TypeError(
      'cacheDir requires cacheServer with a RESTClient, which does not expose the address of its server',
    );
  }
  return { folder: cacheDir, server, ttlMs: cacheTtlMs };
}

function restOptions(options: DiscoveryClientOptions): RESTClientOptions | undefined {
  const { timeoutMs: _, cacheDir: __, cacheServer: ___, cacheTtlMs: ____, ...rest } = options;
  return sharedOptions(rest);
}

/** Reads the resources that a server supports. */
export type DiscoveryClient = Discovery;

/**
 * Creates a client. Reads no file and opens no connection before the first request.
 * @throws {ConfigError} the configuration is invalid
 * @throws {TypeError} `cacheDir` with a RESTClient and without `cacheServer`
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { DiscoveryClient } from '@kgen/runtime/discovery';
 *
 * const discovery = new DiscoveryClient(await loadConfig());
 * console.log((await discovery.serverVersion()).gitVersion);
 * const { resources } = await discovery.serverGroupsAndResources();
 * for (const { groupVersion } of resources) console.log(groupVersion);
 * ```
 */
export const DiscoveryClient: {
  /** Creates a client with connections of its own. Opens none before the first request. */
  new (config: ClusterConfig, options?: DiscoveryClientOptions): DiscoveryClient;
  /** Creates a client over the connections of a REST client, a clientset or a manager, with their options. */
  new (
    connection: ClientConnection,
    options?: Pick<DiscoveryClientOptions, 'timeoutMs' | 'cacheDir' | 'cacheServer' | 'cacheTtlMs'>,
  ): DiscoveryClient;
} = Client;
