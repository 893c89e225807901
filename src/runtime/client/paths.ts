/**
 * Paths of resources.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
import type { ResourceFacts } from '../resource.ts';
import { pathSegment } from '../rest/path.ts';

/** What path and body of a request need to know of a resource. */
export type ResourceIdentity = Pick<ResourceFacts, 'group' | 'version' | 'plural' | 'kind'>;

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
export function resourcePath(resource: ResourceIdentity, target: PathTarget): string {
  const { group, version, plural } = resource;
  const { namespace, name, subresource } = target;
  const root = group === '' ? '/api' : `/apis/${pathSegment(group, 'the group')}`;
  return [
    root,
    pathSegment(version, 'the version'),
    ...(namespace === undefined ? [] : ['namespaces', pathSegment(namespace, 'the namespace')]),
    pathSegment(plural, 'the resource'),
    ...(name === undefined ? [] : [pathSegment(name, `the name of the ${resource.kind}`)]),
    ...(subresource === undefined ? [] : [pathSegment(subresource, 'the subresource')]),
  ].join('/');
}
