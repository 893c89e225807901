import { apiVersionOf, type ResourceType } from '../resources/type.ts';
import { compareVersions } from '../resources/versions.ts';
import type { JsonObject } from '../values/json.ts';

const subresourceVerbs = ['get', 'patch', 'update'];

/** Responds to GET /api with legacy discovery. */
export function coreVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
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
    apiVersion: 'v1',
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

function groupNames(types: readonly ResourceType[]): readonly string[] {
  return [...new Set(types.map((type) => type.group))].filter((name) => name !== '');
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

function resourcesOf(type: ResourceType): readonly JsonObject[] {
  const base = { singularName: '', namespaced: type.namespaced };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return [
    {
      name: type.plural,
      singularName: type.singular,
      namespaced: type.namespaced,
      kind: type.kind,
      verbs: type.verbs,
      ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
      ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    },
    ...(type.status
      ? [{ name: `${type.plural}/status`, ...base, kind: type.kind, verbs: subresourceVerbs }]
      : []),
    ...(type.scale === undefined
      ? []
      : [{ name: `${type.plural}/scale`, ...base, ...scale, verbs: subresourceVerbs }]),
  ];
}

function discoveryOf(type: ResourceType): JsonObject {
  const responseKind = { group: type.group, version: type.version, kind: type.kind };
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const subresources = [
    ...(type.status ? [{ subresource: 'status', responseKind, verbs: subresourceVerbs }] : []),
    ...(type.scale === undefined
      ? []
      : [{ subresource: 'scale', responseKind: scale, verbs: subresourceVerbs }]),
  ];
  return {
    resource: type.plural,
    responseKind,
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
