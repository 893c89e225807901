/** Values of discovery, and the interfaces of `DiscoveryClient` and `RESTMapper`. */

import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { ResourceScope, ResourceVerb } from '../api/resource.ts';
import type { ClientsetBase } from '../client/clientset.ts';

/** Limits of one call. If a call ends early, requests that it shares with other calls continue. */
export interface DiscoveryCallOptions {
  /** Aborts the call, which rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit of this call in milliseconds, after which it rejects with `TimeoutError`. Default: the limits of
   * its requests.
   */
  readonly timeoutMs?: number | undefined;
}

/** A group version with both of its names. */
export interface GroupVersionForDiscovery {
  /** Group and version: `v1`, or `apps/v1`. */
  readonly groupVersion: string;
  /** Version without the group: `v1`. */
  readonly version: string;
}

/** A group with its available versions. */
export interface APIGroup {
  /** Name of the group, such as `apps`; `''` for the core group. */
  readonly name: string;
  /** Available versions in the order of the server, the most stable first. Empty if all are unavailable. */
  readonly versions: readonly GroupVersionForDiscovery[];
  /** Default version of the group. Absent if `versions` is empty. */
  readonly preferredVersion?: GroupVersionForDiscovery;
}

/** A resource or subresource in a group version. */
export interface APIResource {
  /** Plural name: `pods`; for subresources with that of the resource: `pods/log`. */
  readonly name: string;
  /** Singular name: `pod`; `''` for subresources, and if the server has no singular. */
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  /** Group of the kind. Absent if it is equal to that of the list. */
  readonly group?: string;
  /** Version of the kind. Absent if it is equal to that of the list. */
  readonly version?: string;
  /** Supported verbs, which may include others than the standard ones. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** The resources of a group version. */
export interface APIResourceList {
  /** Group version of the resources: `v1`, or `apps/v1`. */
  readonly groupVersion: string;
  readonly resources: readonly APIResource[];
}

/**
 * Metadata of every discovery result. Results are often incomplete, because one unavailable API service is
 * enough.
 */
export interface DiscoveryResponse {
  /**
   * Errors of missing group versions, by `v1`, `apps/v1`, …; the result contains all others. Empty if the
   * result is complete. Check it before concluding that a resource does not exist.
   */
  readonly failed: ReadonlyMap<string, Error>;
  /** Time of the request in milliseconds since 1970, which is before the call if the result was cached. */
  readonly fetchedAt: number;
}

/** API groups of a server, with their versions. */
export interface ServerGroups extends DiscoveryResponse {
  /** API groups: the core group first, then in the order of the server. */
  readonly groups: readonly APIGroup[];
}

/** Lists of resources, in the order of groups and versions. */
export interface ServerResources extends DiscoveryResponse {
  readonly resources: readonly APIResourceList[];
}

/** All API groups and resources of a server. Groups that could not be read are in `failed`. */
export interface ServerGroupsAndResources extends ServerGroups, ServerResources {}

/** The version of a server. */
export interface VersionInfo {
  /** Major version: `1`. */
  readonly major: string;
  /** Minor version: `36`; some providers append `+`. */
  readonly minor: string;
  /** Full version: `v1.36.3`. */
  readonly gitVersion: string;
  readonly gitCommit?: string;
  readonly buildDate?: string;
  /** Operating system and architecture of the server: `linux/amd64`. */
  readonly platform?: string;
}

/** Location of the OpenAPI v3 document of a group version. */
export interface OpenAPIV3Path {
  /**
   * Path of the document without prefix: `api/v1`, `apis/apps/v1`, or an endpoint without resources, such as
   * `version`.
   */
  readonly key: string;
  /** Group version of the document: `v1`, or `apps/v1`. Absent if it does not belong to one. */
  readonly groupVersion?: string;
  /** Path below the server's URL: `/openapi/v3/apis/apps/v1`. */
  readonly path: string;
  /** Hash of the content of the document, for caches. Absent if the server sends none. */
  readonly hash?: string;
}

/**
 * Reads the resources that a server supports. Results are cached until `invalidate()`. Transient failures
 * (refused or reset connections, time-outs, 429, 5xx) are not cached and are retried by the next call that
 * needs them. Concurrent calls share their requests.
 *
 * Every method rejects as those of `RESTClient` do, and with `DecodeError` for a response that is not a
 * discovery document. Single invalid entries are ignored, because one broken API service must not hide all
 * others.
 */
export interface DiscoveryClient extends ClientsetBase {
  /** Returns the server's version. Not cached, so it also shows whether the server is reachable. */
  serverVersion(options?: DiscoveryCallOptions): Promise<VersionInfo>;
  /** Returns the groups with their versions. */
  serverGroups(options?: DiscoveryCallOptions): Promise<ServerGroups>;
  /**
   * Returns the resources of `v1`, `apps/v1`, …, including subresources.
   * @throws {ApiError} `isNotFound` if the group version does not exist
   * @throws {TypeError} the argument is not a group version
   */
  serverResourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryCallOptions,
  ): Promise<APIResourceList>;
  /**
   * Returns all groups and all resources of all versions. Errors of missing group versions are in `failed`.
   */
  serverGroupsAndResources(options?: DiscoveryCallOptions): Promise<ServerGroupsAndResources>;
  /**
   * Returns each resource once, in the preferred version of its group, otherwise in the first version that
   * has it. Excludes subresources.
   */
  serverPreferredResources(options?: DiscoveryCallOptions): Promise<ServerResources>;
  /**
   * Returns each namespaced resource once, in the preferred version of its group, otherwise in the first
   * version that has it. Excludes subresources.
   */
  serverPreferredNamespacedResources(options?: DiscoveryCallOptions): Promise<ServerResources>;
  /** Returns the OpenAPI v3 documents of the server, by key. Not cached. */
  openAPIV3(options?: DiscoveryCallOptions): Promise<ReadonlyMap<string, OpenAPIV3Path>>;
  /**
   * Returns the unvalidated OpenAPI v3 document of `v1`, `apps/v1`, … Not cached, because such documents are
   * large; `hash` of its path shows whether a stored copy is current.
   * @throws {ApiError} `isNotFound` if there is no such document
   */
  openAPIV3Document(groupVersion: string, options?: DiscoveryCallOptions): Promise<unknown>;
  /** Returns the unvalidated OpenAPI v2 document of the whole server. Not cached. */
  openAPIV2(options?: DiscoveryCallOptions): Promise<unknown>;
  /** Drops the cache, so that later calls send requests. Stored files are not read again, but replaced. */
  invalidate(): void;
}

/** The part of a `DiscoveryClient` that a `RESTMapper` needs. */
export type DiscoverySource = Pick<DiscoveryClient, 'serverGroupsAndResources' | 'invalidate'>;

/** A part of a resource with its own path: `status`, `scale`, `log`. */
export interface RESTSubresource {
  /** Kind of its bodies: `Scale` of `autoscaling/v1`. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly ResourceVerb[];
}

/** A kind and the resource that serves it. */
export interface RESTMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: ResourceScope;
  /** Singular name: `pod`. The kind in lower case if the server has no singular. */
  readonly singular: string;
  /** Supported verbs of the standard ones; `APIResource` has others that the server may support. */
  readonly verbs: readonly ResourceVerb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Subresources by name: `status`, `scale`, … */
  readonly subresources: ReadonlyMap<string, RESTSubresource>;
}

/** A kind of a group, in any version or in one. */
export interface KindQuery {
  /** API group of the kind, such as `apps`; `''` for the core group. */
  readonly group: string;
  readonly kind: string;
  /**
   * Version of the group, such as `v1`. Default: the preferred version of the group, otherwise the first one
   * that has the kind.
   */
  readonly version?: string | undefined;
}

/** A resource, by any part of its name. */
export interface ResourceQuery {
  /** Plural, singular or short name, in upper or lower case. */
  readonly resource: string;
  /** `''` is the core group. The prefix of a group's name is sufficient. Default: any group. */
  readonly group?: string | undefined;
  /**
   * Version of the group, such as `v1`. Default: the preferred version of the group, otherwise the first one
   * that has the resource.
   */
  readonly version?: string | undefined;
}

/** Options of a `RESTMapper`. */
export interface RESTMapperOptions {
  /**
   * Minimum interval between two discovery requests that are caused by failed lookups, in milliseconds.
   * Default: 5000.
   */
  readonly missIntervalMs?: number | undefined;
  /**
   * Called once for each short name that several resources share, of which the first is used. Default: a
   * process warning.
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Finds the resource of a kind, and the kind of a resource. The first call reads the server's resources. A
 * lookup that fails is repeated once with new data, because a CustomResourceDefinition may be new, unless the
 * data is from the same call, or a failed lookup has already caused a request within the last seconds (see
 * `RESTMapperOptions`).
 *
 * Results are cached until `reset()` or the next failed lookup, even if a version is no longer served or a
 * definition was replaced by one with another plural. Requests for such a resource fail with 404,
 * `isNotFound`.
 *
 * Every method rejects with `NoMatchError` if there is no match, with `TypeError` for an invalid name, and as
 * the methods of `DiscoveryClient` do.
 */
export interface RESTMapper {
  /**
   * Returns the resource that serves a kind.
   * @throws {AmbiguousMatchError} several resources of that version serve the kind
   */
  mapping(kind: KindQuery, options?: DiscoveryCallOptions): Promise<RESTMapping>;
  /** Returns all resources in all versions that serve a kind, the preferred version first. */
  mappings(kind: KindQuery, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]>;
  /**
   * Returns the resource for a name as `kubectl get` does: `pods`, `pod`, `po`, `Pod`, `deploy`,
   * `deployments.apps`, `deployments.v1.apps`. If several groups match, the first in the order of the server
   * is used.
   * @throws {AmbiguousMatchError} several resources of one group version match
   */
  mappingFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<RESTMapping>;
  /**
   * Returns all resources that match, in all groups and versions, starting with the result of `mappingFor`.
   */
  mappingsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly RESTMapping[]>;
  /** Returns the kind of the resource that `mappingFor` finds. */
  kindFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<GroupVersionKind>;
  /** Returns the kind of each mapping that `mappingsFor` returns. */
  kindsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionKind[]>;
  /** Returns group, version and plural of the resource that `mappingFor` finds. */
  resourceFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<GroupVersionResource>;
  /** Returns group, version and plural of each mapping that `mappingsFor` returns. */
  resourcesFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionResource[]>;
  /**
   * Returns the resources of a category such as `all`, each in one version. Empty for an unknown category.
   */
  categoryMappings(category: string, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]>;
  /** Drops the cached data, including that of `discovery`: the next call sends requests. */
  reset(): void;
}
