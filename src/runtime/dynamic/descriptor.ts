import {
  type ClusterResource,
  crud,
  defineResource,
  type NamespacedResource,
  type ResourceFacts,
  type ResourceScope,
} from '../api/resource.ts';
import { identityOf, type MappedResource } from './target.ts';
import type { Unstructured, UnstructuredList } from './unstructured.ts';
import type { UnstructuredClient } from './verbs.ts';

/** Facts that a descriptor of a resource needs. */
export interface DynamicFacts {
  /** API group of the resource, such as `apps`; `''` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name of the resource: `deployments`. */
  readonly resource: string;
  readonly kind: string;
  readonly scope: ResourceScope;
}

/** Descriptor of a namespaced resource without generated types, as `dynamicResource` returns it. */
export interface NamespacedDynamicResource
  extends NamespacedResource<Unstructured, UnstructuredList, UnstructuredClient, string> {}

/** Descriptor of a cluster-scoped resource without generated types, as `dynamicResource` returns it. */
export interface ClusterDynamicResource
  extends ClusterResource<Unstructured, UnstructuredList, UnstructuredClient, string> {}

/**
 * Returns the descriptor of a namespaced resource without generated types, for `resource(rest, descriptor)`,
 * `informers.of(descriptor)` and `watchResource(descriptor)`. Its objects are `Unstructured`.
 * @throws {TypeError} a part of the name is missing or invalid
 */
export function dynamicResource(
  of: DynamicFacts & { readonly scope: 'Namespaced' },
): NamespacedDynamicResource;
/**
 * Returns the descriptor of a cluster-scoped resource without generated types, for
 * `resource(rest, descriptor)`, `informers.of(descriptor)` and `watchResource(descriptor)`. Its objects are
 * `Unstructured`.
 * @throws {TypeError} a part of the name is missing or invalid
 */
export function dynamicResource(of: DynamicFacts & { readonly scope: 'Cluster' }): ClusterDynamicResource;
/**
 * Returns the descriptor of a resource whose scope is known at run time only, such as the result of a
 * `RESTMapper`. `scope` of the descriptor distinguishes the two types.
 * @throws {TypeError} a part of the name is missing or invalid
 */
export function dynamicResource(
  of: DynamicFacts | MappedResource,
): NamespacedDynamicResource | ClusterDynamicResource;
export function dynamicResource(
  of: DynamicFacts | MappedResource,
): NamespacedDynamicResource | ClusterDynamicResource {
  const facts = factsOf(of);
  return facts.scope === 'Cluster'
    ? defineResource<ClusterDynamicResource>({ ...facts, scope: 'Cluster' })
    : defineResource<NamespacedDynamicResource>({ ...facts, scope: 'Namespaced' });
}

function factsOf(of: DynamicFacts | MappedResource): ResourceFacts {
  const { group, version, plural, kind, scope } = identityOf(of);
  if (kind === undefined || scope === undefined) {
    throw new TypeError(
      `a descriptor of ${plural} needs the kind and the scope: { group, version, resource, kind, scope }`,
    );
  }
  return {
    group,
    version,
    plural,
    kind,
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    scope,
    verbs: crud,
  };
}
