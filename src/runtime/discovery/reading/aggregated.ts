/** Aggregated discovery: one document for the core group and one for all other groups. */

import { ApiError } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { isFields } from '../../common/fields.ts';
import type { APIGroup, APIResource, APIResourceList } from '../types.ts';
import { discoveryVersion, expectKind, firstOfEach, foreignKind, groupOf } from './legacy.ts';
import { type GroupVersion, isGroup, isPlain, isResourceName } from './names.ts';
import type { Root } from './source-types.ts';
import { fieldOf, itemsOf, namesOf, textOf } from './values.ts';

const aggregatedAs = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/**
 * Accept header: older servers respond with the older version of the format, or with unaggregated lists.
 * Servers require this order.
 */
export const acceptAggregated: string = [
  aggregatedAs('v2'),
  aggregatedAs('v2beta1'),
  'application/json',
].join(',');

/**
 * Returns whether a response is declared as aggregated. The order of its media type parameters does not
 * matter.
 */
export function isAggregated(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const stated = new Set(parameters);
  return (
    type.toLowerCase() === 'application/json' &&
    stated.has('g=apidiscovery.k8s.io') &&
    stated.has('as=APIGroupDiscoveryList') &&
    (stated.has('v=v2') || stated.has('v=v2beta1'))
  );
}

/** Results of the versions of a group while they are read. */
interface Found {
  readonly lists: Map<string, APIResourceList>;
  readonly failed: Map<string, Error>;
}

/**
 * Parses an `APIGroupDiscoveryList`. Stale versions are added to the failures, and the preferred version is
 * the first one that is not stale. Entries without a kind, or with names that are invalid in a path, are
 * ignored.
 * @throws {DecodeError} the value has another type
 */
export function parseAggregated(value: unknown, operation: RequestOperation): Root {
  expectKind(value, 'APIGroupDiscoveryList', 'items', operation);
  const found: Found = { lists: new Map(), failed: new Map() };
  const groups = itemsOf(value, 'items').flatMap((item) => parseGroup(item, found) ?? []);
  return { groups: firstOfEach(groups), ...found };
}

function parseGroup(value: unknown, found: Found): APIGroup | undefined {
  if (!isFields(value)) return undefined;
  const name = textOf(fieldOf(value, 'metadata'), 'name');
  if (name !== '' && !isGroup(name)) return undefined;
  return groupOf(
    name,
    itemsOf(value, 'versions').flatMap((version) => parseVersion(version, name, found)),
  );
}

function parseVersion(value: unknown, group: string, found: Found): APIGroup['versions'] {
  const version = discoveryVersion(group, textOf(value, 'version'));
  if (version === undefined) return [];
  const { groupVersion } = version;
  if (found.lists.has(groupVersion) || found.failed.has(groupVersion)) return [];
  if (textOf(value, 'freshness') === 'Stale') {
    found.failed.set(groupVersion, staleError(groupVersion));
    return [];
  }
  const own = { group, version: version.version };
  const resources = itemsOf(value, 'resources').flatMap((item) => parseResource(item, own));
  found.lists.set(apiVersionOf(own), { groupVersion, resources: firstOfEach(resources) });
  return [version];
}

/** The API service of the group version was unavailable, so the known resources may be outdated. */
function staleError(groupVersion: string): ApiError {
  const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
  const message = 'discovery is stale: the API service behind it does not respond';
  const status = { code: 503, reason: 'ServiceUnavailable', message };
  return new ApiError(status, { verb: 'get', resource: path });
}

function parseResource(value: unknown, own: GroupVersion): readonly APIResource[] {
  const plural = textOf(value, 'resource');
  if (!isResourceName(plural)) return [];
  const namespaced = textOf(value, 'scope') === 'Namespaced';
  const kind = kindOf(value, own);
  const singular = textOf(value, 'singularResource');
  const resource = kind && {
    name: plural,
    singularName: isPlain(singular) ? singular : '',
    namespaced,
    ...kind,
    verbs: namesOf(value, 'verbs'),
    shortNames: namesOf(value, 'shortNames'),
    categories: namesOf(value, 'categories'),
  };
  const subresources = itemsOf(value, 'subresources').flatMap(
    (item) => parseSubresource(item, { plural, namespaced }, own) ?? [],
  );
  return resource === undefined ? subresources : [resource, ...subresources];
}

/** Returns the kind of a resource, or `undefined` if it is missing or invalid. */
function kindOf(
  value: unknown,
  own: GroupVersion,
): Pick<APIResource, 'kind' | 'group' | 'version'> | undefined {
  const stated = fieldOf(value, 'responseKind');
  const kind = textOf(stated, 'kind');
  const foreign = foreignKind({ group: textOf(stated, 'group'), version: textOf(stated, 'version') }, own);
  return isPlain(kind) && foreign !== undefined ? { kind, ...foreign } : undefined;
}

function parseSubresource(
  value: unknown,
  { plural, namespaced }: { readonly plural: string; readonly namespaced: boolean },
  own: GroupVersion,
): APIResource | undefined {
  const name = `${plural}/${textOf(value, 'subresource')}`;
  const kind = kindOf(value, own);
  if (kind === undefined || !isResourceName(name)) return undefined;
  const verbs = namesOf(value, 'verbs');
  return { name, singularName: '', namespaced, ...kind, verbs, shortNames: [], categories: [] };
}
