import { parseApiVersion } from '../group-version.ts';
import type { KubernetesObject, ObjectMeta } from '../meta.ts';
import type { RequestOptions } from '../options.ts';
import type { DynamicClient } from './dynamic-client.ts';
import type { MappedResource } from './target.ts';
import type { Unstructured } from './unstructured.ts';
import type { DynamicResourceClient } from './verbs.ts';

/** Finds the resource of a kind: what a `RESTMapper` does. */
export interface KindMapper<Mapped extends MappedResource = MappedResource> {
  /** The resource that serves a kind: of the version, if one is named. */
  mapping(
    kind: { readonly group: string; readonly kind: string; readonly version?: string },
    options?: RequestOptions,
  ): Promise<Mapped>;
}

/** Where an object belongs. */
export interface ObjectPlace<Mapped extends MappedResource = MappedResource> {
  /** The client of its resource, in its namespace where it has one. */
  readonly client: DynamicResourceClient;
  /** A copy of the object that says its namespace, or says none where its kind has none. */
  readonly object: Unstructured;
  /** `undefined` for kinds that are not in namespaces. */
  readonly namespace: string | undefined;
  /** What the mapper found. */
  readonly mapping: Mapped;
}

/** Options of `clientFor`. */
export interface ClientForOptions extends RequestOptions {
  /** Namespace of objects that name none. Default: that of the client's configuration. */
  namespace?: string | undefined;
}

function inPlace(
  object: KubernetesObject,
  identity: { apiVersion: string; kind: string },
  namespace: string | undefined,
): Unstructured {
  const { namespace: _, ...metadata }: ObjectMeta = object.metadata ?? {};
  return { ...object, ...identity, metadata: { ...metadata, ...(namespace !== undefined && { namespace }) } };
}

/**
 * The client of the resource and the namespace that an object belongs to, by its apiVersion and kind.
 * @throws {TypeError} the object does not say its apiVersion or kind
 * @throws {NoMatchError} the server has no such kind
 */
export async function clientFor<Mapped extends MappedResource>(
  dynamic: DynamicClient,
  mapper: KindMapper<Mapped>,
  object: KubernetesObject,
  { namespace: usual = dynamic.rest.namespace, ...options }: ClientForOptions = {},
): Promise<ObjectPlace<Mapped>> {
  const { apiVersion, kind }: Partial<KubernetesObject> = object ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || kind === '') {
    throw new TypeError('the object has no apiVersion and kind, which identify its resource');
  }
  const mapping = await mapper.mapping({ ...parseApiVersion(apiVersion), kind }, options);
  const access = dynamic.resource(mapping);
  const namespace = mapping.scope === 'Cluster' ? undefined : object.metadata?.namespace || usual;
  return {
    client: namespace === undefined ? access : access.namespace(namespace),
    object: inPlace(object, { apiVersion, kind }, namespace),
    namespace,
    mapping,
  };
}
