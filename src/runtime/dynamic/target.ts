/** Resource names at run time. */

import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import { groupName } from '../api/group-version.ts';
import type { ResourceFacts, ResourceScope } from '../api/resource.ts';
import type { ProtobufCodecs } from '../api/transport.ts';
import type { RequestTarget } from '../client/requests/build-request.ts';
import type { ResourceIdentity } from '../client/requests/paths.ts';
import type { Representation } from '../client/requests/representation.ts';
import { pathSegment } from '../rest/request/path.ts';

/** A resource with its kind and scope, as found by a `RESTMapper`. */
export interface MappedResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: ResourceScope;
}

/** A resource named at run time, whose scope may be unknown. */
export interface VersionedResourceName extends GroupVersionResource {
  /**
   * Kind of the objects, for bodies and list items without a kind. Default: unknown. An informer with a kind
   * is shared with the one of generated code.
   */
  readonly kind?: string | undefined;
  /**
   * Scope of the resource. Default: unknown. If set, requests that the scope does not permit are rejected
   * before they are sent.
   */
  readonly scope?: ResourceScope | undefined;
}

/** A resource named at run time that is namespaced or of unknown scope. */
export interface NamespacedResourceName extends VersionedResourceName {
  readonly scope?: 'Namespaced' | undefined;
}

/** A cluster-scoped resource named at run time. */
export interface ClusterResourceName extends VersionedResourceName {
  readonly scope: 'Cluster';
}

/**
 * A generated descriptor. Its group, version, kind and scope are checked at run time and omitted here, so
 * that for an incomplete `VersionedResourceName` the compiler reports its missing member and not those of a
 * descriptor.
 */
export interface ResourceDescriptor extends Omit<ResourceFacts, 'group' | 'version' | 'kind' | 'scope'> {}

/**
 * Names a resource: its group, version and plural, optionally with its kind and scope; the result of a
 * `RESTMapper`; or a generated descriptor. Dynamic, metadata and scale clients and informers accept the same
 * names.
 */
export type ResourceName = VersionedResourceName | MappedResource | ResourceDescriptor;

/** Client of the resource that a name of type `Name` denotes: `Cluster` if the type contains that scope. */
export type AccessOf<Name, Cluster, Access> = [Name] extends [{ readonly scope: 'Cluster' }]
  ? Cluster
  : Access;

/** Returns whether a name is the result of a `RESTMapper`. */
export function isMapped(name: object): name is MappedResource {
  return 'resource' in name && typeof name.resource === 'object' && name.resource !== null;
}

/**
 * Returns the identity of the named resource.
 * @throws {TypeError} the name lacks a group, a version or a plural, or has an invalid kind or scope
 */
export function identityOf(name: ResourceName): ResourceIdentity {
  if (typeof name !== 'object' || name === null) {
    throw new TypeError(
      'resource must be { group, version, resource }, such as ' +
        `{ group: "apps", version: "v1", resource: "deployments" }, got ${shown(name)}`,
    );
  }
  if ('plural' in name) return described(name);
  if (!isMapped(name)) return stated(name);
  return stated({ ...name.resource, kind: name.kind?.kind, scope: name.scope });
}

/** Returns a string as it is written in code, or the type of another value. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null ? 'null' : typeof value;
}

function stated(name: VersionedResourceName): ResourceIdentity {
  const { group, version, resource: plural, kind, scope } = name;
  if (typeof plural !== 'string' || plural === '') {
    throw new TypeError(`resource must be the plural of a kind, such as 'deployments', got ${shown(plural)}`);
  }
  pathSegment(plural, 'the resource');
  const of = `of the resource ${plural}`;
  if (typeof group !== 'string') {
    throw new TypeError(`the group ${of} is missing; the core group is '' or core`);
  }
  pathSegment(version, `the version ${of}`);
  if (kind !== undefined && typeof kind !== 'string') {
    throw new TypeError(`the kind ${of} must be a string, got ${shown(kind)}`);
  }
  if (scope !== undefined && scope !== 'Cluster' && scope !== 'Namespaced') {
    throw new TypeError(`the scope ${of} must be 'Namespaced' or 'Cluster'`);
  }
  const identity = { group: groupName(group), version, plural };
  return { ...identity, ...(kind && { kind }), ...(scope !== undefined && { scope }) };
}

/** Patches have an explicit type here, even for built-in kinds. */
function described(descriptor: ResourceDescriptor): ResourceIdentity {
  const { plural, bodies, protobuf } = descriptor;
  return {
    // seam: `stated` checks the members that the type omits
    ...stated({ ...(descriptor as ResourceFacts), resource: plural }),
    ...(bodies !== undefined && { bodies }),
    ...(protobuf !== undefined && { protobuf }),
  };
}

/**
 * Returns the objects of one namespace.
 * @throws {TypeError} the namespace is invalid, or the resource is cluster-scoped
 */
export function inNamespace(resource: ResourceIdentity, namespace: string): RequestTarget {
  pathSegment(namespace, `the namespace of ${resource.plural}`);
  if (resource.scope === 'Cluster')
    throw new TypeError(`${resource.plural} are cluster-scoped and have no namespace`);
  return { resource, namespace };
}

/**
 * Returns a target in another representation. Facts about the kind, including its codecs, apply to whole
 * objects only.
 */
export function inForm(form: Representation, { resource, namespace }: RequestTarget): RequestTarget {
  const { kind: _, protobuf: __, ...identity } = resource;
  return { resource: identity, namespace, form };
}

/** Servers support Protobuf for the metadata of all resources, including custom resources. */
const metadataCodecs: ProtobufCodecs = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  load: async () => ({ codecs: (await import('../protobuf/meta/runtime-codecs.ts')).runtimeCodecs }),
};

/** Returns a target for metadata only. */
export function asMetadata(target: RequestTarget): RequestTarget {
  return { ...inForm('PartialObjectMetadata', target), codecs: metadataCodecs };
}
