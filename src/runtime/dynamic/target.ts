/** Resources as they are named at run time. */
import type { Form } from '../client/forms.ts';
import type { ResourceIdentity } from '../client/paths.ts';
import type { Target } from '../client/request.ts';
import type { GroupVersionKind, GroupVersionResource } from '../group-version.ts';
import type { ResourceFacts, Scope } from '../resource.ts';
import { pathSegment } from '../rest/path.ts';
import type { ProtobufCodecs } from '../rest/types.ts';

/** A resource, its kind and its scope, as a `RESTMapper` finds them. */
export interface MappedResource {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly scope: Scope;
}

/** What names a resource: its group, version and plural; what a `RESTMapper` found; or a generated descriptor. */
export type ResourceName = GroupVersionResource | MappedResource | ResourceFacts;

/** Patches say their type here, whatever is built in. */
function described({
  group,
  version,
  plural,
  kind,
  scope,
  bodies,
  protobuf,
}: ResourceFacts): ResourceIdentity {
  return {
    group,
    version,
    plural,
    kind,
    scope,
    ...(bodies !== undefined && { bodies }),
    ...(protobuf !== undefined && { protobuf }),
  };
}

function found({ resource, kind, scope }: MappedResource): ResourceIdentity {
  const { group, version, resource: plural } = resource;
  return { group, version, plural, kind: kind.kind, scope };
}

/**
 * What a name tells of a resource.
 * @throws {TypeError} it names none
 */
export function identityOf(name: ResourceName): ResourceIdentity {
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
  return { group, version, plural };
}

/**
 * The objects of one namespace.
 * @throws {TypeError} no namespace can have that name, or the resource has none
 */
export function inNamespace(resource: ResourceIdentity, namespace: string): Target {
  pathSegment(namespace, `the namespace of ${resource.plural}`);
  if (resource.scope === 'Cluster')
    throw new TypeError(`${resource.plural} belong to the whole cluster, not to a namespace`);
  return { resource, namespace };
}

/** Objects in a form: what is known of their kind holds for whole objects alone, and so do its codecs. */
export function inForm(form: Form, { resource, namespace }: Target): Target {
  const { kind: _, protobuf: __, ...identity } = resource;
  return { resource: identity, namespace, form };
}

/** Servers have the metadata of everything in protobuf, custom resources too. */
const metadataCodecs: ProtobufCodecs = {
  apiVersion: 'meta.k8s.io/v1',
  kind: 'PartialObjectMetadata',
  load: async () => ({ codecs: (await import('../protobuf/own.ts')).runtimeCodecs }),
};

/** The metadata of objects alone. */
export function asMetadata(target: Target): Target {
  return { ...inForm('PartialObjectMetadata', target), codecs: metadataCodecs };
}
