import {
  type ClusterResource,
  crud,
  defineResource,
  type NamespacedResource,
  type ResourceFacts,
  type Scope,
} from '../resource.ts';
import type { MappedResource } from './target.ts';
import type { Unstructured, UnstructuredList } from './unstructured.ts';
import type { UnstructuredClient } from './verbs.ts';

/** What must be known of a resource for a descriptor of it. */
export interface DynamicFacts {
  /** `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural. */
  readonly resource: string;
  readonly kind: string;
  readonly scope: Scope;
}

function isMapped(of: DynamicFacts | MappedResource): of is MappedResource {
  return typeof of.kind === 'object';
}

function factsOf(of: DynamicFacts | MappedResource): ResourceFacts {
  const { group, version, resource, kind, scope } = isMapped(of)
    ? { ...of.resource, kind: of.kind.kind, scope: of.scope }
    : of;
  return {
    group,
    version,
    plural: resource,
    kind,
    listKind: `${kind}List`,
    singular: kind.toLowerCase(),
    scope,
    verbs: crud,
  };
}

/** A resource in namespaces whose types are not known. */
export interface NamespacedDynamicResource
  extends NamespacedResource<Unstructured, UnstructuredList, UnstructuredClient, string> {}

/** A resource of the whole cluster whose types are not known. */
export interface ClusterDynamicResource
  extends ClusterResource<Unstructured, UnstructuredList, UnstructuredClient, string> {}

/**
 * The descriptor of a resource that no types were generated for: `resource(rest, descriptor)`, `informers.of(descriptor)`
 * and `watchResource(descriptor)` take it, and give `Unstructured`. Of what a `RESTMapper` found, `scope` of the
 * descriptor tells which of the two types it is.
 */
export function dynamicResource(
  of: DynamicFacts & { readonly scope: 'Namespaced' },
): NamespacedDynamicResource;
export function dynamicResource(of: DynamicFacts & { readonly scope: 'Cluster' }): ClusterDynamicResource;
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
