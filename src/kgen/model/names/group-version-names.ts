/** All names of one group version, assigned together because they share a module. */
import { byText, lowerAcronym } from '../../common/words.ts';
import type { ApiResource, ApiSubresource } from '../../openapi/types.ts';
import type { ResourceNames } from '../ir.ts';
import type { GroupVersionPlan, Served } from '../plans.ts';
import { type Definitions, listKindOf } from '../resources/definitions.ts';
import { resourceAccessors, resourceConstants } from './accessors.ts';
import type { NameClaim } from './assign-names.ts';
import { kindTypeName, pascal } from './casing.ts';
import { shortNameOf } from './full-names.ts';
import { groupVersionKey } from './package-groups.ts';
import { type ExportedNames, exportedNames, type NamedParts } from './type-names.ts';

/** A resource of a group version: of a CRD, or of the API. */
export type PlannedResource =
  | { readonly from: 'crd'; readonly served: Served }
  | {
      readonly from: 'api';
      readonly resource: ApiResource;
      /** Whether the type of its kind is that of its definition. Otherwise it has a type of its own. */
      readonly ownsKind: boolean;
      /** Whether the type of its list is that of its definition. */
      readonly ownsList: boolean;
    };

/** A group version with final names, except those of nested types. */
export interface NamedGroupVersion {
  readonly plan: GroupVersionPlan;
  readonly accessor: string;
  readonly own: ExportedNames['own'];
  /** Sorted by plural. */
  readonly resources: readonly (PlannedResource & { readonly names: ResourceNames })[];
  /** By full name: all definitions of the plan. */
  readonly definitions: ReadonlyMap<string, string>;
  /** Names for string and connect subresources. */
  readonly subresources: ReadonlyMap<ApiSubresource, SubresourceNames>;
  readonly taken: ReadonlySet<string>;
}

/** Names of a string or connect subresource. */
export interface SubresourceNames {
  /** Name of the type of its query parameters. */
  readonly options: string;
  /** Name of its descriptor; `''` for strings, which have none. */
  readonly constant: string;
}

/** Assigns the names of a group version. */
export function nameGroupVersion(
  plan: GroupVersionPlan,
  accessor: string,
  definitions: Definitions,
): NamedGroupVersion {
  const resources = plannedResources(plan, definitions);
  const parts = namedParts(resources, definitions);
  const owned = new Set(resources.flatMap(ownedBy));
  const others = plan.definitions.filter((name) => !owned.has(name));
  const wishes = resources.flatMap(subresourceWishes);
  const claims = [
    ...others.map((name) => definitionClaim(name, definitions)),
    ...wishes.map(({ claim }) => claim),
  ];
  const names = exportedNames(accessor, parts, claims);
  const named = new Map(others.map((name, index) => [name, names.others[index] ?? '']));
  const withNames = resources.flatMap((resource, index) => {
    const own = names.kinds[index];
    return own === undefined ? [] : [{ ...resource, names: own }];
  });
  for (const each of withNames) learnOwned(each, named);
  return {
    plan,
    accessor,
    own: names.own,
    resources: withNames,
    definitions: named,
    subresources: subresourceNames(wishes, names.others.slice(others.length)),
    taken: names.taken,
  };
}

/** Sorted by plural. Each definition is the type of at most one resource. */
function plannedResources(plan: GroupVersionPlan, definitions: Definitions): readonly PlannedResource[] {
  const home = groupVersionKey(plan);
  const owned = new Set<string>();
  const own = (name: string | undefined, use: 'kind' | 'list'): boolean => {
    if (name === undefined || owned.has(name) || definitions.useOf(name).use !== use) return false;
    if (groupVersionKey(definitions.homeOf(name)) !== home) return false;
    owned.add(name);
    return true;
  };
  const custom = plan.members.map((served): PlannedResource => ({ from: 'crd', served }));
  const others = [...plan.resources]
    .sort((a, b) => byText(a.plural, b.plural))
    .map((resource): PlannedResource => {
      const ownsKind = own(resource.definition, 'kind');
      const ownsList = ownsKind && isListed(resource) && own(resource.listDefinition, 'list');
      return { from: 'api', resource, ownsKind, ownsList };
    });
  return [...custom, ...others].sort((a, b) => byText(pluralOf(a), pluralOf(b)));
}

function isListed({ verbs }: ApiResource): boolean {
  return verbs.includes('list');
}

function pluralOf(planned: PlannedResource): string {
  return planned.from === 'crd' ? planned.served.crd.names.plural : planned.resource.plural;
}

/** In the order of the resources. */
function namedParts(resources: readonly PlannedResource[], definitions: Definitions): readonly NamedParts[] {
  const words = resources.map((planned) => wordsOf(planned, definitions));
  const accessors = resourceAccessors(words);
  const constants = resourceConstants(accessors);
  const kinds = new Set<string>();
  return words.map(({ kind, plural, listKind }, index) => {
    const id = kinds.has(kind) ? `${kind} ${plural}` : kind;
    kinds.add(kind);
    const parts = { kind, id, accessor: accessors[index] ?? '', constant: constants[index] ?? '' };
    return listKind === undefined ? parts : { ...parts, listKind };
  });
}

interface ResourceWords {
  readonly kind: string;
  readonly plural: string;
  readonly listKind: string | undefined;
}

function wordsOf(planned: PlannedResource, definitions: Definitions): ResourceWords {
  if (planned.from === 'crd') return planned.served.crd.names;
  const { resource } = planned;
  const listKind = isListed(resource) ? listKindOf(resource, definitions) : undefined;
  return { kind: resource.kind.kind, plural: resource.plural, listKind };
}

/** Returns the full names of definitions whose types are named with the resource. */
function ownedBy(planned: PlannedResource): readonly string[] {
  if (planned.from === 'crd') return [];
  const { resource, ownsKind, ownsList } = planned;
  const { definition, listDefinition } = resource;
  return [
    ...(ownsKind && definition !== undefined ? [definition] : []),
    ...(ownsList && listDefinition !== undefined ? [listDefinition] : []),
  ];
}

function learnOwned(
  planned: PlannedResource & { readonly names: ResourceNames },
  named: Map<string, string>,
): void {
  const [kind, list] = ownedBy(planned);
  if (kind !== undefined) named.set(kind, planned.names.type);
  if (list !== undefined) named.set(list, planned.names.list);
}

/** A full name with fewer parts takes precedence. Kinds come first. */
function definitionClaim(name: string, definitions: Definitions): NameClaim {
  const found = definitions.useOf(name);
  const rank = found.use === 'kind' || found.use === 'list' ? found.use : 'definition';
  return { wants: [kindTypeName(shortNameOf(name))], rank, depth: name.split('.').length, path: name };
}

interface SubresourceWish {
  readonly subresource: ApiSubresource;
  readonly part: keyof SubresourceNames;
  readonly claim: NameClaim;
}

function subresourceWishes(planned: PlannedResource): readonly SubresourceWish[] {
  if (planned.from === 'crd') return [];
  const { resource } = planned;
  return resource.subresources.flatMap((subresource): readonly SubresourceWish[] => {
    const options: SubresourceWish = {
      subresource,
      part: 'options',
      claim: optionsClaim(resource, subresource),
    };
    if (subresource.connect === undefined) return subresource.text ? [options] : [];
    return [options, { subresource, part: 'constant', claim: constantClaim(resource, subresource) }];
  });
}

function subresourceNames(
  wishes: readonly SubresourceWish[],
  names: readonly string[],
): ReadonlyMap<ApiSubresource, SubresourceNames> {
  const found = new Map<ApiSubresource, SubresourceNames>();
  for (const [index, { subresource, part }] of wishes.entries()) {
    const before = found.get(subresource) ?? { options: '', constant: '' };
    found.set(subresource, { ...before, [part]: names[index] ?? '' });
  }
  return found;
}

/** Options of connect subresources have a kind, those of strings have none. */
function optionsClaim(resource: ApiResource, subresource: ApiSubresource): NameClaim {
  const stated = subresource.kind.kind;
  const plain = `${subresourceWords(resource, subresource)}Options`;
  const isOwn =
    subresource.connect !== undefined && stated !== resource.kind.kind && stated.endsWith('Options');
  const path = `${resource.plural}/${subresource.name}`;
  return { wants: isOwn ? [kindTypeName(stated), plain] : [plain], rank: 'parameters', depth: 0, path };
}

function constantClaim(resource: ApiResource, subresource: ApiSubresource): NameClaim {
  const { kind } = subresource.kind;
  const words = subresourceWords(resource, subresource);
  const isSpelt = kind.toLowerCase() === `${words}options`.toLowerCase();
  const constant = lowerAcronym(isSpelt ? kind.slice(0, -'Options'.length) : words);
  const path = `${resource.plural}/${subresource.name} descriptor`;
  return { wants: [constant, `${constant}Connection`], rank: 'parameters', depth: 0, path };
}

/** Returns a name such as `PodLog`. */
function subresourceWords({ kind }: ApiResource, { name }: ApiSubresource): string {
  return kindTypeName(kind.kind) + pascal(name);
}
