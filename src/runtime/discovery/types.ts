/** What a server says that it serves, as values, and what `DiscoveryClient` and `RESTMapper` promise. */
import type { ClientsetBase } from '../clientset.ts';
import type { GroupVersionKind, GroupVersionResource } from '../group-version.ts';
import type { Scope, Verb } from '../resource.ts';

/** Limits of one call. A call that ends early leaves what it shared with others running for them. */
export interface DiscoveryCallOptions {
  /** Ends the call; it rejects with `signal.reason`. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for this call; then it rejects with `TimeoutError`. Default: as long as its requests take. */
  timeoutMs?: number | undefined;
}

/** A group version under both of its names. */
export interface GroupVersionForDiscovery {
  /** `v1`, or `apps/v1`. */
  readonly groupVersion: string;
  /** `v1` */
  readonly version: string;
}

/** A group and the versions of it that the server answers for. */
export interface APIGroup {
  /** `''` is the core group. */
  readonly name: string;
  /** In the server's order: the most stable first. Empty where all are down. */
  readonly versions: readonly GroupVersionForDiscovery[];
  /** What to use where nothing else is asked for. Absent where `versions` is empty. */
  readonly preferredVersion?: GroupVersionForDiscovery;
}

/** A resource, or a subresource of one, in a group version. */
export interface APIResource {
  /** The plural, `pods`; of subresources `pods/log`. */
  readonly name: string;
  /** `pod`; `''` for subresources, and where the server names none. */
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  /** Group of the kind. Absent where it is that of the list. */
  readonly group?: string;
  /** Version of the kind. Absent where it is that of the list. */
  readonly version?: string;
  /** As the server names them; it may have others than `Verb`. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** The resources of a group version. */
export interface APIResourceList {
  /** `v1`, or `apps/v1`. */
  readonly groupVersion: string;
  readonly resources: readonly APIResource[];
}

/** What every answer says about itself. Discovery is often incomplete: one API service that is down is enough. */
export interface DiscoveryAnswer {
  /**
   * Why a group version is missing, by `v1`, `apps/v1`, …: the answer holds all others. Empty where nothing is missing.
   * A program that must know everything looks here before it believes that something does not exist.
   */
  readonly failed: ReadonlyMap<string, Error>;
  /** When the server was asked, in milliseconds since 1970: before the call where the answer was remembered. */
  readonly fetchedAt: number;
}

/** The groups of a server. */
export interface ServerGroups extends DiscoveryAnswer {
  /** The core group first, then in the server's order. */
  readonly groups: readonly APIGroup[];
}

/** Lists of resources, in the order of groups and versions. */
export interface ServerResources extends DiscoveryAnswer {
  readonly resources: readonly APIResourceList[];
}

/** Everything that a server serves. */
export interface ServerGroupsAndResources extends ServerGroups, ServerResources {}

/** What a server says of its own version. */
export interface VersionInfo {
  /** `1` */
  readonly major: string;
  /** `36`; some providers append `+`. */
  readonly minor: string;
  /** `v1.36.3` */
  readonly gitVersion: string;
  readonly gitCommit?: string;
  readonly buildDate?: string;
  /** `linux/amd64` */
  readonly platform?: string;
}

/** Where the OpenAPI v3 document of a group version is. */
export interface OpenAPIV3Path {
  /** `api/v1`, `apis/apps/v1`, or the path of something without resources, such as `version`. */
  readonly key: string;
  /** `v1`, or `apps/v1`. Absent where the document is of no group version. */
  readonly groupVersion?: string;
  /** Below the server's URL: `/openapi/v3/apis/apps/v1`. */
  readonly path: string;
  /** Changes when the document does. Absent where the server gives none. */
  readonly hash?: string;
}

/**
 * Asks a server what it serves. Answers are remembered until `invalidate()`; failures that may pass are not (refused,
 * reset, timed out, 429, 5xx), and are asked about again by the next call that needs them. Calls at the same time share
 * their requests.
 *
 * Every method rejects as those of `RESTClient` do; with `DecodeError` for an answer that is no discovery at all. Single
 * entries that make no sense are passed over: one broken API service must not hide all others.
 */
export interface DiscoveryClient extends ClientsetBase {
  /** The server's version. Not remembered: it also serves to see whether the server is there. */
  serverVersion(options?: DiscoveryCallOptions): Promise<VersionInfo>;
  /** The groups, and which versions each has. */
  serverGroups(options?: DiscoveryCallOptions): Promise<ServerGroups>;
  /**
   * The resources of `v1`, `apps/v1`, …, subresources included.
   * @throws {ApiError} `isNotFound` where there is no such group version
   * @throws {TypeError} no name of a group version
   */
  serverResourcesForGroupVersion(
    groupVersion: string,
    options?: DiscoveryCallOptions,
  ): Promise<APIResourceList>;
  /** All groups and all resources of all versions. What could not be read is in `failed`. */
  serverGroupsAndResources(options?: DiscoveryCallOptions): Promise<ServerGroupsAndResources>;
  /** Each resource once, in the preferred version of its group, or else in the first that has it. No subresources. */
  serverPreferredResources(options?: DiscoveryCallOptions): Promise<ServerResources>;
  /** The same, of resources whose objects live in namespaces. */
  serverPreferredNamespacedResources(options?: DiscoveryCallOptions): Promise<ServerResources>;
  /** The OpenAPI v3 documents that the server has, by key. Not remembered. */
  openAPIV3(options?: DiscoveryCallOptions): Promise<ReadonlyMap<string, OpenAPIV3Path>>;
  /**
   * The OpenAPI v3 document of `v1`, `apps/v1`, … as the server gives it: not checked. Not remembered, as such documents
   * are large; `hash` of its path tells whether one that was kept is still good.
   * @throws {ApiError} `isNotFound` where there is no such document
   */
  openAPIV3Document(groupVersion: string, options?: DiscoveryCallOptions): Promise<unknown>;
  /** The OpenAPI v2 document of everything, as the server gives it: not checked. Not remembered. */
  openAPIV2(options?: DiscoveryCallOptions): Promise<unknown>;
  /** Forgets what is remembered: later calls ask the server. What is on the disk is not read again, but replaced. */
  invalidate(): void;
}

/** What a `RESTMapper` needs of a `DiscoveryClient`. */
export type DiscoverySource = Pick<DiscoveryClient, 'serverGroupsAndResources' | 'invalidate'>;

/** A part of a resource that has a path of its own: `status`, `scale`, `log`. */
export interface RESTSubresource {
  /** Of which kind its bodies are: `Scale` of `autoscaling/v1`. */
  readonly kind: GroupVersionKind;
  readonly verbs: readonly Verb[];
}

/** A kind and the resource that serves it. */
export interface RESTMapping {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: Scope;
  /** `pod`. The kind in lower case where the server names none. */
  readonly singular: string;
  /** Those of the API's own; see `APIResource` for others that the server may have. */
  readonly verbs: readonly Verb[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** By name: `status`, `scale`, … */
  readonly subresources: ReadonlyMap<string, RESTSubresource>;
}

/** A kind, of whatever version or of one. */
export interface KindQuery {
  /** `''` is the core group. */
  readonly group: string;
  readonly kind: string;
  /** Default: the preferred version of the group, or else the first that has the kind. */
  readonly version?: string | undefined;
}

/** A resource, by as much of its name as is known. */
export interface ResourceQuery {
  /** Plural, singular or short name, in upper or lower case. */
  readonly resource: string;
  /** `''` is the core group; the beginning of a group's name will do. Default: any group. */
  readonly group?: string | undefined;
  /** Default: the preferred version of the group, or else the first that has the resource. */
  readonly version?: string | undefined;
}

/**
 * Finds the resource of a kind, and the kind of a resource. The server is asked with the first call. What is not found
 * then is asked for once more, as a CustomResourceDefinition may be new: unless the answer is of this very call, or a
 * miss has led to that within the last seconds (see `RESTMapperOptions`).
 *
 * What has been found is remembered until `reset()` or the next miss, also when a version is no longer served or a
 * definition comes back with another plural: then requests for it are answered with 404, `isNotFound`.
 *
 * Every method rejects with `NoMatchError` where nothing matches, with `TypeError` for what cannot be a name, and as those
 * of `DiscoveryClient` do.
 */
export interface RESTMapper {
  /**
   * The resource that serves a kind.
   * @throws {AmbiguousMatchError} several resources of that version serve the kind
   */
  mapping(kind: KindQuery, options?: DiscoveryCallOptions): Promise<RESTMapping>;
  /** All resources in all versions that serve a kind: the preferred version first. */
  mappings(kind: KindQuery, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]>;
  /**
   * The resource that a person means, as `kubectl get` understands it: `pods`, `pod`, `po`, `Pod`, `deploy`,
   * `deployments.apps`, `deployments.v1.apps`. Of several groups the first in the server's order is meant.
   * @throws {AmbiguousMatchError} several resources of one group version match
   */
  mappingFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<RESTMapping>;
  /** All resources that may be meant, in all groups and versions: the one of `mappingFor` first. */
  mappingsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly RESTMapping[]>;
  /** The kind of a resource; see `mappingFor`. */
  kindFor(resource: string | ResourceQuery, options?: DiscoveryCallOptions): Promise<GroupVersionKind>;
  /** The kinds of `mappingsFor`. */
  kindsFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionKind[]>;
  /** The full name of a resource; see `mappingFor`. */
  resourceFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<GroupVersionResource>;
  /** The full names of `mappingsFor`. */
  resourcesFor(
    resource: string | ResourceQuery,
    options?: DiscoveryCallOptions,
  ): Promise<readonly GroupVersionResource[]>;
  /** The resources of a category such as `all`, each in one version. Empty where there is none of that name. */
  categoryMappings(category: string, options?: DiscoveryCallOptions): Promise<readonly RESTMapping[]>;
  /** Forgets everything, also what `discovery` remembers: the next call asks the server. */
  reset(): void;
}
