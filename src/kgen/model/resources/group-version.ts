import { apiVersionOf } from '../../common/names.ts';
import { byText } from '../../common/words.ts';
import type { CrdDefinition, CrdPrinterColumn, CrdVersion } from '../../input/crd/crd.ts';
import type {
  GroupVersion,
  NamedType,
  PrinterColumn,
  Resource,
  ResourceNames,
  Subresource,
  Verb,
} from '../ir.ts';
import { kindTypeName } from '../names/casing.ts';
import type { NamedGroupVersion } from '../names/group-version-names.ts';
import { nestedNames } from '../names/type-names.ts';
import type { NullMembers, Served } from '../plans.ts';
import { namedTypes, spotsOf, type TypeDraft } from '../schema/named-types.ts';
import { ownRoot } from '../schema/published-schema.ts';
import type { Finding, References } from '../walk/walker.ts';
import { apiResourceOf } from './api-resource.ts';
import { apiDrafts } from './api-types.ts';
import type { Definitions } from './definitions.ts';
import { type KindSource, readKind, readList } from './kind.ts';

/** Verbs of every custom resource. */
const verbs: readonly Verb[] = [
  'create',
  'get',
  'list',
  'watch',
  'update',
  'patch',
  'delete',
  'deletecollection',
];

const subresourceVerbs: readonly Verb[] = ['get', 'update', 'patch'];

/** Context that the group versions of a model share. */
export interface ModelContext {
  readonly definitions: Definitions;
  /** Groups that accept strategic merge patches. */
  readonly builtInGroups: ReadonlySet<string>;
  readonly mayBeNull: NullMembers;
  /** Whether types of custom resources state which members exclude each other. */
  readonly exclusive: boolean;
  /** Called with problems in the schema of a CRD version. */
  readonly reportOfCrd: (served: Served, finding: Finding) => void;
  /** Called with problems in the schema of a definition, by its full name. */
  readonly reportOfDefinition: (name: string, finding: Finding) => void;
}

/** Builds one group version. The result does not depend on the order of the plan's members. */
export function groupVersionOf(
  named: NamedGroupVersion,
  references: References,
  context: ModelContext,
): GroupVersion {
  const { group, version, members, runtimeTypes } = named.plan;
  const apiVersion = apiVersionOf({ group, version });
  const drafts = [...crdDrafts(named, apiVersion, context), ...apiDrafts(named, references, context)];
  const nested = nestedNames(drafts.flatMap(spotsOf), named.taken);
  const types = drafts.flatMap((draft) => namedTypes(draft, nested)).sort((a, b) => byText(a.name, b.name));
  return {
    group,
    version,
    apiVersion,
    accessor: named.accessor,
    names: named.own,
    resources: resourcesOf(named, types, references, context),
    types,
    runtimeTypes,
    crds: members.map(({ crd }) => crd.name).sort(byText),
    ...(members.length === 0 && kubernetesVersionOf(context.definitions)),
  };
}

/** The version is untrusted input, and becomes part of a comment. */
function kubernetesVersionOf({
  kubernetesVersion,
}: Definitions): Pick<GroupVersion, 'kubernetesVersion'> | undefined {
  const isMinor = kubernetesVersion !== undefined && /^\d+\.\d+$/.test(kubernetesVersion);
  return isMinor ? { kubernetesVersion } : undefined;
}

function resourcesOf(
  named: NamedGroupVersion,
  types: readonly NamedType[],
  references: References,
  context: ModelContext,
): readonly Resource[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  return named.resources.map((planned) => {
    const { names } = planned;
    if (planned.from === 'crd') return resourceOf(planned.served.crd, planned.served.version, names);
    const deprecated = byName.get(names.type)?.facts.deprecated;
    const made = apiResourceOf(planned.resource, names, { named, references, ...context });
    return deprecated === undefined ? made : { ...made, deprecated };
  });
}

/** Returns the types of all kinds of a group version that CRDs define, and of their lists. */
function crdDrafts(
  { resources }: NamedGroupVersion,
  apiVersion: string,
  { reportOfCrd, exclusive }: Pick<ModelContext, 'reportOfCrd' | 'exclusive'>,
): readonly TypeDraft[] {
  return resources.flatMap((planned) => {
    if (planned.from !== 'crd') return [];
    const { served, names } = planned;
    const shape = readKind(sourceOf(served, apiVersion), {
      report: (finding) => reportOfCrd(served, finding),
      exclusive,
    });
    const { kind } = served.crd.names;
    return [{ name: names.type, role: 'kind', path: kind, shape }, listDraft(served, apiVersion, names)];
  });
}

function sourceOf({ crd, version }: Served, apiVersion: string): KindSource {
  const { kind } = crd.names;
  const source = {
    path: kind,
    kind,
    apiVersion,
    scope: crd.scope,
    typeName: kindTypeName(kind),
    ownStatus: version.subresources.status,
  };
  return version.schema === undefined ? source : { ...source, schema: ownRoot(version.schema, true) };
}

function listDraft({ crd }: Served, apiVersion: string, names: ResourceNames): TypeDraft {
  const { listKind } = crd.names;
  const source = { path: listKind, listKind, apiVersion, itemName: names.type, typeName: names.list };
  return { name: names.list, role: 'list', path: listKind, shape: readList(source, { report: () => {} }) };
}

/** Builds one version of a custom resource with the names of its parts. */
function resourceOf(crd: CrdDefinition, version: CrdVersion, names: ResourceNames): Resource {
  const { kind, listKind, plural, singular, shortNames, categories } = crd.names;
  const resource: Resource = {
    kind,
    listKind,
    plural,
    singular,
    shortNames,
    categories,
    scope: crd.scope,
    verbs,
    stored: true,
    subresources: subresourcesOf(version),
    names,
    selectableFields: version.selectableFields.map(fieldPath),
    builtIn: false,
    printerColumns: version.printerColumns.map(printerColumn),
  };
  return version.deprecated ? { ...resource, deprecated: version.deprecationWarning ?? '' } : resource;
}

function subresourcesOf({ subresources }: CrdVersion): readonly Subresource[] {
  const found: Subresource[] = [];
  if (subresources.scale !== undefined)
    found.push({ name: 'scale', verbs: subresourceVerbs, body: { is: 'scale' } });
  if (subresources.status) found.push({ name: 'status', verbs: subresourceVerbs, body: { is: 'self' } });
  return found;
}

/** Removes the leading dot of JSON paths, which field selectors do not have. */
function fieldPath(jsonPath: string): string {
  return jsonPath.startsWith('.') ? jsonPath.slice(1) : jsonPath;
}

function printerColumn({ name, type, description }: CrdPrinterColumn): PrinterColumn {
  return description === undefined ? { name, type } : { name, type, description };
}
