/** Implementation of `DiscoveryClient`, loaded with its first call. */
import { ApiError, DecodeError } from '../api/errors.ts';
import { apiVersionOf, groupName } from '../api/group-version.ts';
import type { RequestOperation } from '../api/operation.ts';
import type { RESTClient } from '../rest/client.ts';
import { fetchDocument, getting } from './reading/discovery-request.ts';
import { DiscoveryResponses } from './reading/discovery-responses.ts';
import { groupVersionOf } from './reading/names.ts';
import { openAPIV3Key, openAPIV3Root, parseOpenAPIV3 } from './reading/openapi.ts';
import { restSource } from './reading/rest-source.ts';
import type { Source, Store } from './reading/source-types.ts';
import { textOf } from './reading/values.ts';
import type {
  APIGroup,
  APIResource,
  APIResourceList,
  DiscoveryCallOptions,
  DiscoveryClient,
  OpenAPIV3Path,
  ServerGroups,
  ServerGroupsAndResources,
  ServerResources,
  VersionInfo,
} from './types.ts';

/** A resource with its group version. */
interface Chosen {
  readonly groupVersion: string;
  readonly resource: APIResource;
}

/** Options of a `Discoverer`. */
export interface DiscovererOptions {
  /** Limit for each request, in milliseconds. */
  readonly timeoutMs: number;
  readonly store: Store | undefined;
  /** Whether stored responses may be used. */
  readonly mayBeStored: boolean;
}

/** A `DiscoveryClient` that uses a REST client. */
export class Discoverer implements Omit<DiscoveryClient, 'rest' | 'close'> {
  readonly #rest: RESTClient;
  readonly #timeoutMs: number;
  readonly #store: Store | undefined;
  readonly #source: Source;
  #responses: DiscoveryResponses;

  constructor(rest: RESTClient, { timeoutMs, store, mayBeStored }: DiscovererOptions) {
    this.#rest = rest;
    this.#timeoutMs = timeoutMs;
    this.#store = store;
    this.#source = restSource(rest, timeoutMs);
    this.#responses = new DiscoveryResponses(this.#source, store, mayBeStored);
  }

  async serverVersion(options: DiscoveryCallOptions = {}): Promise<VersionInfo> {
    const path = '/version';
    return parseVersion(await this.#fetch(path, options), getting(path));
  }

  async serverGroups(options: DiscoveryCallOptions = {}): Promise<ServerGroups> {
    const { groups, failed, fetchedAt } = await this.#responses.root(options, () => true);
    return { groups, failed, fetchedAt };
  }

  async serverResourcesForGroupVersion(
    groupVersion: string,
    options: DiscoveryCallOptions = {},
  ): Promise<APIResourceList> {
    return this.#responses.list(checkedGroupVersion(groupVersion), options);
  }

  serverGroupsAndResources(options: DiscoveryCallOptions = {}): Promise<ServerGroupsAndResources> {
    return this.#responses.everything(options);
  }

  serverPreferredResources(options: DiscoveryCallOptions = {}): Promise<ServerResources> {
    return this.#preferred(options, () => true);
  }

  serverPreferredNamespacedResources(options: DiscoveryCallOptions = {}): Promise<ServerResources> {
    return this.#preferred(options, ({ namespaced }) => namespaced);
  }

  async openAPIV3(options: DiscoveryCallOptions = {}): Promise<ReadonlyMap<string, OpenAPIV3Path>> {
    return parseOpenAPIV3(await this.#fetch(openAPIV3Root, options), getting(openAPIV3Root));
  }

  async openAPIV3Document(groupVersion: string, options: DiscoveryCallOptions = {}): Promise<unknown> {
    const key = openAPIV3Key(checkedGroupVersion(groupVersion));
    const found = (await this.openAPIV3(options)).get(key);
    if (found !== undefined) return this.#fetch(found.path, options, found.hash);
    const message = `the server has no OpenAPI document of ${groupVersion}`;
    throw new ApiError({ code: 404, reason: 'NotFound', message }, getting(openAPIV3Root));
  }

  openAPIV2(options: DiscoveryCallOptions = {}): Promise<unknown> {
    return this.#fetch('/openapi/v2', options);
  }

  invalidate(): void {
    this.#responses = new DiscoveryResponses(this.#source, this.#store, false);
  }

  async #preferred(
    options: DiscoveryCallOptions,
    fits: (resource: APIResource) => boolean,
  ): Promise<ServerResources> {
    const everything = await this.#responses.everything(options);
    const { failed, fetchedAt } = everything;
    return { resources: preferredResources(everything, fits), failed, fetchedAt };
  }

  /** Requests that are not cached have one limit: that of the call, or that of the client. */
  async #fetch(path: string, options: DiscoveryCallOptions, hash?: string): Promise<unknown> {
    const { signal, timeoutMs = this.#timeoutMs } = options;
    const query = hash === undefined ? [] : [['hash', hash] as const];
    const response = await fetchDocument(this.#rest, { path, query, signal, timeoutMs });
    if (response === undefined) throw new DecodeError('the response is empty', getting(path));
    return response.value;
  }
}

/** Returns a group version as the API names it: `core/v1` is `v1`. */
function checkedGroupVersion(groupVersion: string): string {
  const found = groupVersionOf(groupVersion);
  if (found !== undefined) return apiVersionOf({ ...found, group: groupName(found.group) });
  const shown = JSON.stringify(groupVersion);
  throw new TypeError(`not a group version: ${shown}; write v1 or apps/v1, for example`);
}

/**
 * Returns each matching resource once: in the preferred version of its group, otherwise in the first version
 * that has it. Excludes subresources and empty lists.
 */
function preferredResources(
  everything: ServerGroupsAndResources,
  fits: (resource: APIResource) => boolean = () => true,
): readonly APIResourceList[] {
  const lists = new Map(everything.resources.map((list) => [list.groupVersion, list]));
  return everything.groups.flatMap((group) => {
    const chosen = [...chosenOf(group, lists).values()].filter(({ resource }) => fits(resource));
    return group.versions.flatMap(({ groupVersion }) => {
      const own = chosen.filter((one) => one.groupVersion === groupVersion);
      return own.length === 0 ? [] : [{ groupVersion, resources: own.map(({ resource }) => resource) }];
    });
  });
}

function chosenOf(group: APIGroup, lists: ReadonlyMap<string, APIResourceList>): ReadonlyMap<string, Chosen> {
  const chosen = new Map<string, Chosen>();
  for (const { groupVersion } of group.versions) {
    const isPreferred = groupVersion === group.preferredVersion?.groupVersion;
    for (const resource of lists.get(groupVersion)?.resources ?? []) {
      if (resource.name.includes('/') || (chosen.has(resource.name) && !isPreferred)) continue;
      chosen.set(resource.name, { groupVersion, resource });
    }
  }
  return chosen;
}

/**
 * Parses the response of `/version`.
 * @throws {DecodeError} the value has another type
 */
function parseVersion(value: unknown, operation: RequestOperation): VersionInfo {
  const [major, minor, gitVersion] = [
    textOf(value, 'major'),
    textOf(value, 'minor'),
    textOf(value, 'gitVersion'),
  ];
  if (gitVersion === '') {
    throw new DecodeError('the response has no version: is this a Kubernetes API?', operation);
  }
  const more = (['gitCommit', 'buildDate', 'platform'] as const).map((name) => [name, textOf(value, name)]);
  return { major, minor, gitVersion, ...Object.fromEntries(more.filter(([, text]) => text !== '')) };
}
