/**
 * Paths of resources.
 * @see https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris
 */
import type { ResourceFacts } from '../../api/resource.ts';
import { pathSegment } from '../../rest/request/path.ts';

/**
 * Facts of a resource on which requests depend. Generated descriptors contain all of them. For a resource
 * that is named at run time, the kind may be unknown: then bodies must contain theirs, and the kind of list
 * items is derived from that of the list. The scope may be unknown too: then the server decides which
 * requests are valid without a namespace.
 */
export interface ResourceIdentity
  extends Pick<ResourceFacts, 'group' | 'version' | 'plural' | 'bodies' | 'builtIn' | 'protobuf'>,
    Partial<Pick<ResourceFacts, 'kind' | 'scope'>> {}

/** Returns the name of one object of a resource, for messages. */
export function objectWords({ kind, plural }: Pick<ResourceIdentity, 'kind' | 'plural'>): string {
  return kind ?? `object of ${plural}`;
}

/** Namespace, object and subresource of a path. */
export interface PathTarget {
  /** `undefined` for all namespaces, and for cluster-scoped resources. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/**
 * Returns the path of a resource, of one object or of its subresource.
 * @throws {TypeError} if a part is empty or unsafe
 */
export function resourcePath(
  resource: Pick<ResourceIdentity, 'group' | 'version' | 'kind' | 'plural'>,
  target: PathTarget,
): string {
  const { group, version, plural } = resource;
  const { namespace, name, subresource } = target;
  let path = group === '' ? '/api' : `/apis/${pathSegment(group, 'the group')}`;
  path += `/${pathSegment(version, 'the version')}`;
  if (namespace !== undefined) path += `/namespaces/${pathSegment(namespace, 'the namespace')}`;
  path += `/${pathSegment(plural, 'the resource')}`;
  if (name !== undefined) path += `/${pathSegment(name, `the name of the ${objectWords(resource)}`)}`;
  return subresource === undefined ? path : `${path}/${pathSegment(subresource, 'the subresource')}`;
}
