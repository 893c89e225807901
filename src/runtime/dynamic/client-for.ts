import { parseApiVersion } from '../api/group-version.ts';
import type { KubernetesObject, ObjectMeta } from '../api/meta.ts';
import type { RequestOptions } from '../api/options.ts';
import type { DynamicClient } from './dynamic-client.ts';
import type { MappedResource } from './target.ts';
import type { Unstructured } from './unstructured.ts';
import type { DynamicResourceClient } from './verbs.ts';

/** Finds the resource of a kind, as a `RESTMapper` does. */
export interface KindMapper<Mapped extends MappedResource = MappedResource> {
  /** Returns the resource that serves a kind, in its version if the query has one. */
  mapping(
    kind: { readonly group: string; readonly kind: string; readonly version?: string },
    options?: RequestOptions,
  ): Promise<Mapped>;
}

/** Client, namespace and mapping of one object, as returned by `clientFor`. */
export interface ObjectPlace<
  T extends KubernetesObject = Unstructured,
  Mapped extends MappedResource = MappedResource,
> {
  /** The client of the object's resource, in its namespace if the kind is namespaced. */
  readonly client: DynamicResourceClient<T>;
  /** A copy of the object with its namespace, or without one if the kind is cluster-scoped. */
  readonly object: T;
  /** Namespace of the object; `undefined` for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  /** Resource of the object, as returned by the mapper. */
  readonly mapping: Mapped;
}

/** Options of `clientFor`. */
export interface ClientForOptions extends RequestOptions {
  /** Namespace of objects that have none. Default: that of the client's configuration. */
  readonly namespace?: string | undefined;
}

/**
 * Returns the client of the resource and the namespace of an object, by its apiVersion and kind.
 * @throws {TypeError} the object has no apiVersion or kind
 * @throws {NoMatchError} the server has no such kind
 */
export async function clientFor<T extends KubernetesObject, Mapped extends MappedResource>(
  dynamic: DynamicClient,
  mapper: KindMapper<Mapped>,
  object: T,
  { namespace: usual = dynamic.rest.namespace, ...options }: ClientForOptions = {},
): Promise<ObjectPlace<T, Mapped>> {
  const { apiVersion, kind }: KubernetesObject = object ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') {
    throw new TypeError('the object has no apiVersion and kind, which identify its resource');
  }
  const mapping = await mapper.mapping({ ...parseApiVersion(apiVersion), kind }, options);
  const access = dynamic.resource<T>(mapping);
  const namespace = mapping.scope === 'Cluster' ? undefined : object.metadata?.namespace || usual;
  return {
    client: namespace === undefined ? access : access.namespace(namespace),
    object: inPlace(object, namespace),
    namespace,
    mapping,
  };
}

function inPlace<T extends KubernetesObject>(object: T, namespace: string | undefined): T {
  const { namespace: _, ...metadata }: ObjectMeta = object.metadata ?? {};
  return { ...object, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}
