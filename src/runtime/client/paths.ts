/**
 * Paths of resources.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
import type { ResourceFacts } from '../resource.ts';
import { pathSegment } from '../rest/path.ts';

/**
 * What requests need to know of a resource. Generated descriptors know it all; of a resource that is named at run time
 * the kind may not be known: then bodies say theirs, and the items of a list are of the kind that the list says. Nor may
 * the scope: then it is for the server to say what can be asked without a namespace.
 */
export interface ResourceIdentity
  extends Pick<ResourceFacts, 'group' | 'version' | 'plural' | 'bodies' | 'builtIn' | 'protobuf'>,
    Partial<Pick<ResourceFacts, 'kind' | 'scope'>> {}

/** One object of a resource, in words. */
export function objectWords({ kind, plural }: Pick<ResourceIdentity, 'kind' | 'plural'>): string {
  return kind ?? `object of ${plural}`;
}

/** Which objects of a resource a path leads to. */
export interface PathTarget {
  /** Without it: all namespaces, or a resource that is not in namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * The path of a resource, of one object or of its subresource.
 * @throws {TypeError} a part that is empty or unsafe
 */
export function resourcePath(
  resource: Pick<ResourceIdentity, 'group' | 'version' | 'kind' | 'plural'>,
  target: PathTarget,
): string {
  const { group, version, plural } = resource;
  const { namespace, name, subresource } = target;
  const root = group === '' ? '/api' : `/apis/${pathSegment(group, 'the group')}`;
  return [
    root,
    pathSegment(version, 'the version'),
    ...(namespace === undefined ? [] : ['namespaces', pathSegment(namespace, 'the namespace')]),
    pathSegment(plural, 'the resource'),
    ...(name === undefined ? [] : [pathSegment(name, `the name of the ${objectWords(resource)}`)]),
    ...(subresource === undefined ? [] : [pathSegment(subresource, 'the subresource')]),
  ].join('/');
}
