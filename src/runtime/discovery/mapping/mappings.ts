/** Lookup tables of all kinds and resources of a server. */
import { apiVersionOf, type GroupVersionKind } from '../../api/group-version.ts';
import { crud, type ResourceVerb } from '../../api/resource.ts';
import { type GroupVersion, groupVersionOf } from '../reading/names.ts';
import type { APIGroup, APIResource, APIResourceList, RESTMapping, RESTSubresource } from '../types.ts';

/** Lists by key, in insertion order. */
type Table = ReadonlyMap<string, readonly RESTMapping[]>;

/**
 * Tables of mappings. Each list is in order of preference: groups in the order of the server, and the
 * preferred version of each group first.
 */
export interface Mappings {
  readonly all: readonly RESTMapping[];
  /** By `kindKey`. */
  readonly kinds: Table;
  /** By plural and by singular, in lower case. */
  readonly names: Table;
  readonly shortNames: Table;
  /** By kind in lower case, for all groups. */
  readonly lowerKinds: Table;
  readonly categories: Table;
}

/** Returns the key of a kind of a group. Names contain no spaces. */
export function kindKey(group: string, kind: string): string {
  return `${kind} ${group}`;
}

/** Returns `pods.v1` or `deployments.v1.apps`, the notation of `kubectl`. */
export function resourceText({ resource }: RESTMapping): string {
  return `${resource.resource}.${resource.version}.${resource.group}`;
}

/** Returns `deployments (apps/v1)`. */
export function pluralText({ resource }: RESTMapping): string {
  return `${resource.resource} (${apiVersionOf(resource)})`;
}

/** Returns `Deployment (apps/v1)`. */
export function kindText({ kind }: RESTMapping): string {
  return `${kind.kind} (${apiVersionOf(kind)})`;
}

const lower = (text: string): string => text.toLowerCase();

/** Builds the tables. */
export function tabulate(groups: readonly APIGroup[], resources: readonly APIResourceList[]): Mappings {
  const lists = new Map(resources.map((list) => [list.groupVersion, mappingsOf(list)]));
  const all = groups.flatMap(groupVersionsOf).flatMap((groupVersion) => lists.get(groupVersion) ?? []);
  return {
    all,
    kinds: tableOf(all, ({ kind }) => [kindKey(kind.group, kind.kind)]),
    names: tableOf(all, ({ resource, singular }) => [lower(resource.resource), lower(singular)]),
    shortNames: tableOf(all, ({ shortNames }) => shortNames.map(lower)),
    lowerKinds: tableOf(all, ({ kind }) => [lower(kind.kind)]),
    categories: tableOf(all, ({ categories }) => categories),
  };
}

function tableOf(all: readonly RESTMapping[], keysOf: (mapping: RESTMapping) => readonly string[]): Table {
  const table = new Map<string, RESTMapping[]>();
  for (const mapping of all) {
    for (const key of new Set(keysOf(mapping))) {
      const list = table.get(key);
      if (list === undefined) table.set(key, [mapping]);
      else list.push(mapping);
    }
  }
  return table;
}

/** The preferred version is first. */
function groupVersionsOf({ versions, preferredVersion }: APIGroup): readonly string[] {
  const names = versions.map(({ groupVersion }) => groupVersion);
  return preferredVersion === undefined ? names : [...new Set([preferredVersion.groupVersion, ...names])];
}

function mappingsOf({ groupVersion, resources }: APIResourceList): readonly RESTMapping[] {
  const own = groupVersionOf(groupVersion);
  if (own === undefined) return [];
  const subresources = subresourcesOf(resources, own);
  const whole = resources.filter(({ name }) => !name.includes('/'));
  return whole.map(
    ({ name, kind, singularName, namespaced, verbs, shortNames, categories }): RESTMapping => ({
      resource: { ...own, resource: name },
      // A resource is served in the version of its list, whatever the version of its kind.
      kind: { ...own, kind },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singular: singularName || kind.toLowerCase(),
      verbs: verbs.filter(isVerb),
      shortNames,
      categories,
      subresources: subresources.get(name) ?? new Map(),
    }),
  );
}

function isVerb(verb: string): verb is ResourceVerb {
  return crud.some((known) => known === verb);
}

/** By the plural of their resource, then by name. */
function subresourcesOf(
  resources: readonly APIResource[],
  own: GroupVersion,
): ReadonlyMap<string, ReadonlyMap<string, RESTSubresource>> {
  const found = new Map<string, Map<string, RESTSubresource>>();
  for (const resource of resources) {
    const slash = resource.name.indexOf('/');
    if (slash < 0) continue;
    const plural = resource.name.slice(0, slash);
    const siblings = found.get(plural) ?? new Map<string, RESTSubresource>();
    const subresource = { kind: kindOf(resource, own), verbs: resource.verbs.filter(isVerb) };
    found.set(plural, siblings.set(resource.name.slice(slash + 1), subresource));
  }
  return found;
}

function kindOf({ kind, group, version }: APIResource, own: GroupVersion): GroupVersionKind {
  return { group: group ?? own.group, version: version ?? own.version, kind };
}
