/** Lookups in the tables of mappings. */
import { apiVersionOf } from '../../api/group-version.ts';
import type { KindQuery, RESTMapping, ResourceQuery } from '../types.ts';
import { kindKey, type Mappings } from './mappings.ts';

/** Matches in order of preference, with the kind of name that matched. */
export interface Match {
  readonly by: 'name' | 'shortName' | 'kind';
  readonly mappings: readonly [RESTMapping, ...RESTMapping[]];
}

/** Returns the mappings of a kind, case-sensitively, the preferred version first. */
export function matchKind(known: Mappings, { group, kind, version }: KindQuery): readonly RESTMapping[] {
  return ofVersion(known.kinds.get(kindKey(group, kind)) ?? [], version);
}

function ofVersion(mappings: readonly RESTMapping[], version: string | undefined): readonly RESTMapping[] {
  return version === undefined ? mappings : mappings.filter(({ resource }) => resource.version === version);
}

/**
 * Returns the resources that match a name: by plural or singular, otherwise by short name, otherwise by kind.
 * Not case-sensitive.
 */
export function matchResource(
  known: Mappings,
  { resource, group, version }: ResourceQuery,
): Match | undefined {
  const name = resource.toLowerCase();
  const fitting = (found: readonly RESTMapping[] | undefined): readonly RESTMapping[] =>
    ofVersion(ofGroup(found ?? [], group), version);
  const byName = pluralsFirst(fitting(known.names.get(name)), name);
  if (isSome(byName)) return { by: 'name', mappings: byName };
  const byShortName = fitting(known.shortNames.get(name));
  if (isSome(byShortName)) return { by: 'shortName', mappings: byShortName };
  const byKind = fitting(known.lowerKinds.get(name));
  return isSome(byKind) ? { by: 'kind', mappings: byKind } : undefined;
}

/** In one group version, a plural takes precedence over the singular of another resource. */
function pluralsFirst(mappings: readonly RESTMapping[], name: string): readonly RESTMapping[] {
  const isPlural = ({ resource }: RESTMapping): boolean => resource.resource.toLowerCase() === name;
  const taken = new Set(mappings.filter(isPlural).map(({ resource }) => apiVersionOf(resource)));
  return mappings.filter((mapping) => isPlural(mapping) || !taken.has(apiVersionOf(mapping.resource)));
}

/** Returns the mappings of a group; if no group has that name, those of groups with that prefix. */
function ofGroup(mappings: readonly RESTMapping[], group: string | undefined): readonly RESTMapping[] {
  if (group === undefined) return mappings;
  const exact = mappings.filter(({ resource }) => resource.group === group);
  if (exact.length > 0 || group === '') return exact;
  return mappings.filter(({ resource }) => resource.group.startsWith(group));
}

function isSome<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0;
}

/** Returns other mappings of the same group version as the first, which match equally well. */
export function equalsOfFirst(mappings: readonly RESTMapping[]): readonly RESTMapping[] {
  const [first] = mappings;
  return first === undefined ? [] : mappings.filter((mapping) => areSiblings(mapping, first));
}

/** Returns whether two mappings belong to the same group version. */
function areSiblings(a: RESTMapping, b: RESTMapping): boolean {
  return a.resource.group === b.resource.group && a.resource.version === b.resource.version;
}

/** Returns other resources than the first. Other versions of the first do not count. */
export function othersThanFirst(mappings: readonly RESTMapping[]): readonly RESTMapping[] {
  const [first] = mappings;
  const isOther = ({ resource }: RESTMapping): boolean =>
    resource.resource !== first?.resource.resource || resource.group !== first.resource.group;
  return mappings.filter(isOther);
}
