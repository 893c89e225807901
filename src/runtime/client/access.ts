/** Clients of resources, created from descriptors with their types. */
import type { KubernetesList, KubernetesObject } from '../api/meta.ts';
import type { BookmarkOptions, WatchOptions } from '../api/options.ts';
import type { ClusterResource, NamespacedResource, ResourceFacts } from '../api/resource.ts';
import type { AllNamespaces } from '../api/verbs/crud.ts';
import type { ListVirtual } from '../api/verbs/read.ts';
import type { BookmarkEvent, WatchEvent } from '../api/watch-events.ts';
import type { RESTClient } from '../rest/client.ts';
import { pathSegment } from '../rest/request/path.ts';
import { CollectionClient } from './collection-client.ts';
import type { ResourceIdentity } from './requests/paths.ts';
import { ResourceClient } from './resource-client.ts';

type List = KubernetesList<unknown>;

class EveryNamespace extends CollectionClient<KubernetesObject, List> {
  in(namespace: string): object {
    return inNamespace(this.rest, this.target.resource, namespace);
  }
}

function inNamespace(rest: RESTClient, resource: ResourceIdentity, namespace: string | undefined): object {
  pathSegment(namespace, `the namespace of ${resource.plural}`);
  return new ResourceClient<KubernetesObject, List>(rest, { resource, namespace });
}

/** Access to a namespaced resource that does not support requests across all namespaces, such as a review. */
export interface NamespaceAccess<C> {
  /**
   * Returns the client of one namespace.
   * @throws {TypeError} if the name is empty or not a valid namespace name
   */
  in(namespace: string): C;
}

/** Access to a namespaced resource, in all namespaces or in one. */
export interface NamespacedAccess<T, L, C, Field extends string = never>
  extends NamespaceAccess<C>,
    AllNamespaces<T, L, Field> {}

/** Access to a namespaced resource whose objects the server computes on request and does not store. */
export interface VirtualAccess<T, L, C, Field extends string = never>
  extends NamespaceAccess<C>,
    ListVirtual<T, L, Field> {}

/**
 * Creates the client of a namespaced resource. `resource(rest, pods).in('shop')` is the client of one
 * namespace, while `list`, `iterate` and `watch` span all namespaces. It loads no code besides that of its
 * arguments.
 * @example
 * ```ts
 * import { loadConfig, RESTClient, resource } from '@kgen/runtime';
 * import { deployments } from '@kgen/kubernetes/apps/v1';
 *
 * const rest = new RESTClient(await loadConfig());
 * const web = await resource(rest, deployments).in('shop').get('web');
 * console.log(web.spec?.replicas);
 * ```
 */
export function resource<T, L, C extends { readonly watch: unknown }, Field extends string>(
  rest: RESTClient,
  descriptor: NamespacedResource<T, L, C, Field>,
): NamespacedAccess<T, L, C, Field>;
/**
 * Creates the client of a namespaced resource that cannot be watched. `in('shop')` returns the client of one
 * namespace, while `list` and `iterate` span all namespaces.
 */
export function resource<T, L, C extends { readonly list: unknown }, Field extends string>(
  rest: RESTClient,
  descriptor: NamespacedResource<T, L, C, Field>,
): VirtualAccess<T, L, C, Field>;
/**
 * Creates the client of a namespaced resource that cannot be listed. `in('shop')` returns the client of one
 * namespace.
 */
export function resource<T, L, C, Field extends string>(
  rest: RESTClient,
  descriptor: NamespacedResource<T, L, C, Field>,
): NamespaceAccess<C>;
/** Creates the client of a cluster-scoped resource. */
export function resource<T, L, C, Field extends string>(
  rest: RESTClient,
  descriptor: ClusterResource<T, L, C, Field>,
): C;
export function resource(rest: RESTClient, descriptor: ResourceFacts): unknown {
  if (descriptor.scope === 'Cluster') return inCluster(rest, descriptor);
  return new EveryNamespace(rest, { resource: descriptor });
}

function inCluster(rest: RESTClient, resource: ResourceFacts): object {
  return new ResourceClient<KubernetesObject, List>(rest, { resource });
}

/** Accessor of a namespaced resource in a clientset. */
export interface NamespacedAccessor<T, L, C, Field extends string = never> {
  /**
   * Returns the client of one namespace.
   * @throws {TypeError} if the name is empty or not a valid namespace name
   */
  (namespace: string): C;
  /** Returns the client of all namespaces, with the verbs that support them. */
  (): AllNamespaces<T, L, Field>;
}

/** Type of the accessor of a resource in a clientset. */
export type ResourceAccessor<R> =
  R extends NamespacedResource<infer T, infer L, infer C, infer Field>
    ? NamespacedAccessor<T, L, C, Field>
    : R extends ClusterResource<unknown, unknown, infer C, string>
      ? () => C
      : never;

/** Client of one group version, with an accessor for each resource: `deployments`. */
export type GroupClient<Resources> = {
  readonly [Name in keyof Resources]: ResourceAccessor<Resources[Name]>;
};

/**
 * Creates the clients of a group version: one accessor for each descriptor, under the descriptor's name. Does
 * no work until an accessor is used.
 */
export function groupClient<Resources extends Readonly<Record<string, ResourceFacts>>>(
  rest: RESTClient,
  resources: Resources,
): GroupClient<Resources> {
  const accessors = Object.entries(resources).map(([name, descriptor]) => [name, accessor(rest, descriptor)]);
  // The only cast: the types of the descriptors exist at compile time only.
  return Object.fromEntries(accessors) as GroupClient<Resources>;
}

function accessor(rest: RESTClient, descriptor: ResourceFacts): (...namespace: [string?]) => object {
  if (descriptor.scope === 'Cluster') return () => inCluster(rest, descriptor);
  return (...args) => (args.length === 0 ? inAll(rest, descriptor) : inNamespace(rest, descriptor, args[0]));
}

function inAll(rest: RESTClient, resource: ResourceFacts): CollectionClient<KubernetesObject, List> {
  return new CollectionClient(rest, { resource });
}

/** Namespace of a watch helper. */
export interface WatchNamespace {
  /** Namespace to watch. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

/** Watches a namespaced resource, as an object with the method `watch`; see `Watch`. */
export interface NamespacedWatchHelper<T, Field extends string = never> {
  (
    rest: RESTClient,
    options: WatchNamespace & WatchOptions<Field> & BookmarkOptions,
  ): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  (rest: RESTClient, options?: WatchNamespace & WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/** Watches a cluster-scoped resource, as an object with the method `watch`; see `Watch`. */
export interface ClusterWatchHelper<T, Field extends string = never> {
  (
    rest: RESTClient,
    options: WatchOptions<Field> & BookmarkOptions,
  ): AsyncIterable<WatchEvent<T> | BookmarkEvent>;
  (rest: RESTClient, options?: WatchOptions<Field>): AsyncIterable<WatchEvent<T>>;
}

/** Creates the watch helper of a namespaced resource. */
export function watchResource<T, L, C, Field extends string>(
  descriptor: NamespacedResource<T, L, C, Field>,
): NamespacedWatchHelper<T, Field>;
/** Creates the watch helper of a cluster-scoped resource. */
export function watchResource<T, L, C, Field extends string>(
  descriptor: ClusterResource<T, L, C, Field>,
): ClusterWatchHelper<T, Field>;
export function watchResource(
  descriptor: ResourceFacts,
): (rest: RESTClient, options?: WatchNamespace & WatchOptions) => AsyncIterable<unknown> {
  return (rest, { namespace, ...options } = {}) => {
    if (namespace !== undefined) pathSegment(namespace, `the namespace of ${descriptor.plural}`);
    return new CollectionClient(rest, { resource: descriptor, namespace }).watch(options);
  };
}
