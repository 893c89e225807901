/**
 * Legacy discovery, which every server supports: the groups in one document, the resources of each group
 * version in another. Documents of other types are rejected; invalid entries are ignored.
 */

import { DecodeError } from '../../api/errors.ts';
import { apiVersionOf } from '../../api/group-version.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { isFields } from '../../common/fields.ts';
import type { APIGroup, APIResource, APIResourceList, GroupVersionForDiscovery } from '../types.ts';
import { type GroupVersion, groupVersionOf, isGroup, isPlain, isResourceName, isVersion } from './names.ts';
import { fieldOf, itemsOf, namesOf, textOf } from './values.ts';

/**
 * Checks that a value is a document of a kind, with its items in a field. Go encodes an empty list as `null`.
 * @throws {DecodeError} the value has another type
 */
export function expectKind(value: unknown, kind: string, items: string, operation: RequestOperation): void {
  const found = textOf(value, 'kind');
  const list = fieldOf(value, items) ?? [];
  if (isFields(value) && (found === kind || found === '') && Array.isArray(list)) return;
  const what = isPlain(found) && found !== kind ? `a ${found}` : 'something else';
  throw new DecodeError(`expected an ${kind} and found ${what}: is this a Kubernetes API?`, operation);
}

/** Returns a version of a group if its name is valid. */
export function discoveryVersion(group: string, version: string): GroupVersionForDiscovery | undefined {
  return isVersion(version) ? { groupVersion: apiVersionOf({ group, version }), version } : undefined;
}

/** Returns a group of available versions. The default preferred version is the first one. */
export function groupOf(
  name: string,
  versions: readonly GroupVersionForDiscovery[],
  preferred?: string,
): APIGroup {
  const unique = [...new Map(versions.map((version) => [version.version, version])).values()];
  const preferredVersion = unique.find(({ version }) => version === preferred) ?? unique[0];
  return { name, versions: unique, ...(preferredVersion !== undefined && { preferredVersion }) };
}

/**
 * Parses `APIVersions`, the response of `/api`.
 * @throws {DecodeError} the value has another type
 */
export function parseVersions(value: unknown, operation: RequestOperation): readonly APIGroup[] {
  expectKind(value, 'APIVersions', 'versions', operation);
  const versions = namesOf(value, 'versions').flatMap((version) => discoveryVersion('', version) ?? []);
  return versions.length === 0 ? [] : [groupOf('', versions)];
}

/**
 * Parses `APIGroupList`, the response of `/apis`, without duplicates. It may contain the core group, as
 * stored files do.
 * @throws {DecodeError} the value has another type
 */
export function parseGroups(value: unknown, operation: RequestOperation): readonly APIGroup[] {
  expectKind(value, 'APIGroupList', 'groups', operation);
  return firstOfEach(itemsOf(value, 'groups').flatMap((item) => parseGroup(item) ?? []));
}

function parseGroup(value: unknown): APIGroup | undefined {
  const name = textOf(value, 'name');
  if (name !== '' && !isGroup(name)) return undefined;
  const versions = itemsOf(value, 'versions').flatMap(
    (item) => discoveryVersion(name, textOf(item, 'version')) ?? [],
  );
  return groupOf(name, versions, textOf(fieldOf(value, 'preferredVersion'), 'version'));
}

/** Returns the first entry of each name. */
export function firstOfEach<T extends { readonly name: string }>(things: readonly T[]): readonly T[] {
  const found = new Map<string, T>();
  for (const thing of things) if (!found.has(thing.name)) found.set(thing.name, thing);
  return [...found.values()];
}

/** Returns the group and version of a kind if they differ from those of its list. */
export function foreignKind(
  named: GroupVersion,
  own: GroupVersion,
): Pick<APIResource, 'group' | 'version'> | undefined {
  const { group, version } = named;
  if (version === '' || (group === own.group && version === own.version)) return {};
  return (group === '' || isGroup(group)) && isVersion(version) ? { group, version } : undefined;
}

/**
 * Parses `APIResourceList` as the list of `groupVersion`, independent of its own group version.
 * @throws {DecodeError} the value has another type
 */
export function parseResourceList(
  value: unknown,
  groupVersion: string,
  operation: RequestOperation,
): APIResourceList {
  expectKind(value, 'APIResourceList', 'resources', operation);
  const own = groupVersionOf(groupVersion);
  const resources = own && itemsOf(value, 'resources').flatMap((item) => parseResource(item, own) ?? []);
  return { groupVersion, resources: firstOfEach(resources ?? []) };
}

function parseResource(value: unknown, own: GroupVersion): APIResource | undefined {
  const [name, kind, singularName] = [
    textOf(value, 'name'),
    textOf(value, 'kind'),
    textOf(value, 'singularName'),
  ];
  const foreign = foreignKind({ group: textOf(value, 'group'), version: textOf(value, 'version') }, own);
  if (!isResourceName(name) || !isPlain(kind) || foreign === undefined) return undefined;
  return {
    name,
    // Some servers repeat the singular of the resource for subresources; aggregated discovery has none.
    singularName: isPlain(singularName) && !name.includes('/') ? singularName : '',
    namespaced: fieldOf(value, 'namespaced') === true,
    kind,
    ...foreign,
    verbs: namesOf(value, 'verbs'),
    shortNames: namesOf(value, 'shortNames'),
    categories: namesOf(value, 'categories'),
  };
}
