/** Resources as they are named at run time. */
import type { Form } from '../client/forms.ts';
import type { ResourceIdentity } from '../client/paths.ts';
import type { Target } from '../client/request.ts';
import type { GroupVersionKind, GroupVersionResource } from '../group-version.ts';
import type { ResourceFacts, Scope } from '../resource.ts';
import { pathSegment } from '../rest/path.ts';

/** A resource, its kind and its scope, as a `RESTMapper` finds them. */
export interface MappedResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: Scope;
}

/** What names a resource: its group, version and plural; what a `RESTMapper` found; or a generated descriptor. */
export type ResourceName = GroupVersionResource | MappedResource | ResourceFacts;

/** What is known of a resource. */
export interface KnownResource {
  readonly identity: ResourceIdentity;
  readonly scope?: Scope;
}

function described({ group, version, plural, kind, bodies, scope }: ResourceFacts): KnownResource {
  return { identity: { group, version, plural, kind, ...(bodies !== undefined && { bodies }) }, scope };
}

function found({ resource, kind, scope }: MappedResource): KnownResource {
  const { group, version, resource: plural } = resource;
  return { identity: { group, version, plural, kind: kind.kind }, scope };
}

/**
 * What a name tells of a resource.
 * @throws {TypeError} it names none
 */
export function knownResource(name: ResourceName): KnownResource {
  if (typeof name !== 'object' || name === null) {
    throw new TypeError(
      'a resource is named by { group, version, resource }, as in { group: "apps", version: "v1", resource: "deployments" }',
    );
  }
  if ('plural' in name) return described(name);
  if ('scope' in name) return found(name);
  const { group, version, resource: plural } = name;
  if (typeof group !== 'string') {
    throw new TypeError(`the group of the resource ${String(plural)} is missing; that of the core API is ''`);
  }
  pathSegment(version, `the version of the resource ${String(plural)}`);
  pathSegment(plural, 'the resource');
  return { identity: { group, version, plural } };
}

/**
 * The objects of one namespace.
 * @throws {TypeError} no namespace can have that name, or the resource has none
 */
export function inNamespace({ identity, scope }: KnownResource, namespace: string): Target {
  pathSegment(namespace, `the namespace of ${identity.plural}`);
  if (scope === 'Cluster')
    throw new TypeError(`${identity.plural} belong to the whole cluster, not to a namespace`);
  return { resource: identity, namespace };
}

/** Objects in a form: what is known of their kind holds for whole objects alone. */
export function inForm(form: Form, { resource, namespace }: Target): Target {
  const { kind: _, ...identity } = resource;
  return { resource: identity, namespace, form };
}
