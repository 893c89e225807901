/** Discovery in its legacy and aggregated forms. */
import { createHash } from 'node:crypto';
import { compareVersions } from '@kgen/schema/definitions/version-order';
import type { JsonObject } from '@kgen/schema/values/json';
import { groupOrder, virtualStorage } from '../resources/builtin/facts.ts';
import { apiVersionOf, type ResourceType } from '../resources/type.ts';

const subresourceVerbs = ['get', 'patch', 'update'];

/** Responds to GET /api with legacy discovery. `host` is the address of the server, if it has one. */
export function coreVersions(host: string | undefined): JsonObject {
  const addresses = host === undefined ? [] : [{ clientCIDR: '0.0.0.0/0', serverAddress: host }];
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: addresses };
}

/** Responds to GET /apis with legacy discovery. */
export function groupList(types: readonly ResourceType[]): JsonObject {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groupNames(types).map((name) => groupBody(name, types)),
  };
}

/** Responds to GET /apis/<group>. Returns `undefined` for an unknown group. */
export function group(name: string, types: readonly ResourceType[]): JsonObject | undefined {
  if (!groupNames(types).includes(name)) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(name, types) };
}

/** Responds to GET /apis/<group>/<version> or /api/v1. Returns `undefined` if it is not served. */
export function resourceList(
  groupName: string,
  version: string,
  types: readonly ResourceType[],
): JsonObject | undefined {
  const served = inVersion(groupName, version, types);
  if (served.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    // As on a real server, the list of the core group has none.
    ...(groupName === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf(groupName, version),
    resources: served.flatMap(resourcesOf),
  };
}

/** Responds to GET /api or /apis with one `apidiscovery.k8s.io/v2` document. */
export function aggregated(types: readonly ResourceType[], core: boolean): JsonObject {
  const names = core ? [''] : groupNames(types);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: names.map((name) => ({
      metadata: name === '' ? {} : { name },
      versions: versionsOf(name, types).map((version) => ({
        version,
        resources: inVersion(name, version, types).map(discoveryOf),
        freshness: 'Current',
      })),
    })),
  };
}

/**
 * Built-in groups come first, in the order of the API server. Those of definitions have equal priorities, and
 * follow in the order of their names: kubectl prefers the first of equal short names.
 */
function groupNames(types: readonly ResourceType[]): readonly string[] {
  const names = new Set(types.map((type) => type.group));
  const builtIn = groupOrder.filter((name) => names.has(name));
  const others = [...names].filter((name) => !builtIn.includes(name)).sort();
  return [...builtIn, ...others].filter((name) => name !== '');
}

function groupBody(name: string, types: readonly ResourceType[]): JsonObject {
  const versions = versionsOf(name, types).map((version) => ({
    groupVersion: apiVersionOf(name, version),
    version,
  }));
  return { name, versions, ...(versions[0] === undefined ? {} : { preferredVersion: versions[0] }) };
}

function versionsOf(name: string, types: readonly ResourceType[]): readonly string[] {
  const versions = types.filter((type) => type.group === name).map((type) => type.version);
  return [...new Set(versions)].sort(compareVersions);
}

function inVersion(
  groupName: string,
  version: string,
  types: readonly ResourceType[],
): readonly ResourceType[] {
  return types.filter((type) => type.group === groupName && type.version === version);
}

/** A subresource in discovery. */
interface Part {
  readonly name: string;
  readonly verbs: readonly string[];
  /** Group and version are empty for kinds of the group version itself. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

function resourcesOf(type: ResourceType): readonly JsonObject[] {
  return [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: type.verbs,
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
      ...(virtualStorage.has(type.storage) ? {} : { storageVersionHash: storageHash(type) }),
    },
    ...partsOf(type).map(({ name, verbs, kind }) => ({
      name: `${type.plural}/${name}`,
      singularName: '',
      namespaced: type.namespaced,
      ...(kind.version === '' ? {} : { group: kind.group, version: kind.version }),
      kind: kind.kind,
      verbs,
    })),
  ];
}

/** Custom resources have the same form of subresources, but name their group and version in documents. */
function partsOf(type: ResourceType): readonly Part[] {
  if (type.subresources !== undefined) {
    return type.subresources.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return [
    ...(type.status
      ? [{ name: 'status', kind: { group: '', version: '', kind: type.kind }, verbs: subresourceVerbs }]
      : []),
    ...(type.scale === undefined ? [] : [{ name: 'scale', kind: scale, verbs: subresourceVerbs }]),
  ];
}

/** Returns the hash by which clients recognize a change of the storage version. */
function storageHash(type: ResourceType): string {
  const [version = '', group = ''] = type.storageApiVersion.split('/').toReversed();
  const stored = type.strategy === 'definition' ? 'v1beta1' : version;
  return createHash('sha256')
    .update(`${group}/${stored}/${type.kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}

function discoveryOf(type: ResourceType): JsonObject {
  const isCustom = type.strategy === 'custom';
  const own = { group: isCustom ? type.group : '', version: isCustom ? type.version : '', kind: type.kind };
  const subresources = partsOf(type).map(({ name, verbs, kind }) => ({
    subresource: name,
    responseKind: kind.version === '' && kind.kind === type.kind ? own : kind,
    verbs,
  }));
  return {
    resource: type.plural,
    responseKind: own,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
