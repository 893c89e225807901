/** Description of an API from documents, discovery and CRDs of one server. */
import { apiVersionOf } from '../common/names.ts';
import {
  type Checked,
  type InputProblem,
  limitPerFile,
  note,
  quoteAll,
  warning,
} from '../common/problems.ts';
import { byText } from '../common/words.ts';
import type { CrdDefinition } from '../input/crd/crd.ts';
import { isObject } from '../input/json.ts';
import { type Defined, type Definitions, readDefinitions } from './documents/definitions.ts';
import { isCustom, type Published, rebuild } from './resources/custom-resource.ts';
import { type ReadGroupVersion, type ReadResource, readGroupVersions } from './resources/group-versions.ts';
import { readPaths } from './resources/served.ts';
import type {
  ApiDescription,
  ApiDocument,
  ApiGroupVersion,
  DiscoveredGroupVersion,
  GroupVersionKind,
} from './types.ts';

/** Input of `describeApi`: documents, discovery and CRDs of one server. */
export interface DescribeInput {
  /** OpenAPI documents, in any order. */
  readonly documents: readonly ApiDocument[];
  /** Discovery data. Group versions that are absent from it are derived from the paths of the documents. */
  readonly discovery?: readonly DiscoveredGroupVersion[];
  /** Custom resources that were read from CustomResourceDefinition objects. */
  readonly crds: readonly CrdDefinition[];
  /**
   * Returns whether output is generated for a kind. Kinds without output cause no warnings. Default: true for
   * all kinds.
   */
  readonly isIncluded?: (kind: GroupVersionKind) => boolean;
  /** Version of the server, such as `1.36` or `v1.36.3`. Default: the version in the documents. */
  readonly kubernetesVersion?: string;
}

/** An API, and all CRDs: those of the input first, then the rebuilt ones, sorted by name. */
export interface Described {
  readonly api: ApiDescription;
  readonly crds: readonly CrdDefinition[];
  /** Files of documents whose definitions have errors. Their types are `unknown`. */
  readonly broken: ReadonlySet<string>;
}

/**
 * Combines documents of both dialects, discovery and CRDs into one description. Pure and never throws,
 * whatever the documents contain. Takes time linear in their size. The result does not depend on the order of
 * the documents.
 */
export function describeApi(input: DescribeInput): Checked<Described> {
  const problems: InputProblem[] = [];
  const documents = [...input.documents].sort((a, b) => byText(a.file, b.file));
  const definitions = readDefinitions(documents, problems);
  const served = { paths: readPaths(documents, problems), discovery: input.discovery ?? [], definitions };
  const read = readGroupVersions(served, problems);
  const broken = new Set(
    problems.flatMap(({ severity, where }) => (severity === 'error' ? (where?.file ?? []) : [])),
  );
  const custom = customResources(read, definitions, input.crds);
  const rebuilt = [...custom.rebuildable.values()].map((versions) => rebuild(versions, problems));
  const crds = rebuilt.filter((crd) => crd !== undefined).sort((a, b) => byText(a.name, b.name));
  const { isIncluded = () => true } = input;
  const published = [...custom.rebuildable.values()].flat();
  warnOfLoss(
    published.filter(({ group, version, resource }) =>
      isIncluded({ group, version, kind: resource.kind.kind }),
    ),
    problems,
  );
  const groupVersions = builtIn(read, custom.taken);
  warnOfUndefined(groupVersions, problems);
  const kubernetesVersion = versionOf(documents, input.kubernetesVersion);
  const api = {
    definitions: withoutCustom(definitions.all, custom.definitions),
    groupVersions,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
  };
  return { value: { api, crds: [...input.crds, ...crds], broken }, problems: limitPerFile(problems) };
}

interface Custom {
  /** Published versions, by name of the CRD. */
  readonly rebuildable: ReadonlyMap<string, readonly Published[]>;
  readonly taken: ReadonlySet<ReadResource>;
  /** Names of definitions of custom resources and of their lists. */
  readonly definitions: ReadonlySet<string>;
}

function customResources(
  read: readonly ReadGroupVersion[],
  { all, resolve }: Definitions,
  known: readonly CrdDefinition[],
): Custom {
  const names = new Set(known.map(({ name }) => name));
  const rebuildable = new Map<string, Published[]>();
  const taken = new Set<ReadResource>();
  const definitions = new Set<string>();
  for (const { group, version, resources } of read) {
    for (const one of resources) {
      const { resource, paths } = one;
      const definition = all.get(resource.definition ?? '');
      const name = `${resource.plural}.${group}`;
      if (!names.has(name) && !isCustom(paths, definition)) continue;
      taken.add(one);
      const list = all.get(resolve(paths?.listDefinition ?? '') ?? '');
      for (const each of [definition, list]) if (each !== undefined) definitions.add(each.name);
      if (names.has(name) || definition === undefined || paths?.document === undefined) continue;
      const published = { group, version, resource, definition, document: paths.document };
      const listKind = list?.kinds[0]?.kind;
      const versions = rebuildable.get(name) ?? [];
      rebuildable.set(name, versions);
      versions.push(listKind === undefined ? published : { ...published, listKind });
    }
  }
  return { rebuildable, taken, definitions };
}

/** Returns the group versions without the resources that are described as CRDs. */
function builtIn(
  read: readonly ReadGroupVersion[],
  taken: ReadonlySet<ReadResource>,
): readonly ApiGroupVersion[] {
  return read.flatMap(({ group, version, resources }) => {
    const own = resources.filter((one) => !taken.has(one)).map(({ resource }) => resource);
    return own.length === 0 ? [] : [{ group, version, resources: own }];
  });
}

/** Removes the definitions of custom resources, unless a remaining definition refers to them. */
function withoutCustom(
  all: ReadonlyMap<string, Defined>,
  custom: ReadonlySet<string>,
): ReadonlyMap<string, Defined> {
  if (custom.size === 0) return all;
  const kept = new Set([...all.keys()].filter((name) => !custom.has(name)));
  for (const name of kept) for (const ref of all.get(name)?.refs ?? []) kept.add(ref);
  return new Map([...all].filter(([name]) => kept.has(name)));
}

/** OpenAPI v2 cannot express many parts of a CRD schema. */
function warnOfLoss(versions: readonly Published[], problems: InputProblem[]): void {
  const lossy = versions.filter(({ document }) => document.dialect === 2);
  const [first] = lossy;
  if (first === undefined) return;
  const names = quoteAll([...new Set(lossy.map(({ group, resource }) => `${resource.plural}.${group}`))]);
  const what = `an OpenAPI v2 document lacks parts of the schemas of CRDs (unions, nullable, defaults), so these types are wider than necessary: ${names}; give their CRDs or the v3 documents`;
  problems.push(note(what, { file: first.document.file }));
}

function warnOfUndefined(groupVersions: readonly ApiGroupVersion[], problems: InputProblem[]): void {
  for (const groupVersion of groupVersions) {
    const bare = groupVersion.resources.filter(({ definition }) => definition === undefined);
    if (bare.length === 0) continue;
    const kinds = quoteAll(bare.map(({ kind }) => kind.kind));
    const what = `no document defines these kinds of ${apiVersionOf(groupVersion)}, which are typed as unknown: ${kinds}`;
    problems.push(warning(what));
  }
}

/**
 * Returns `1.36` for `v1.36.3`: the version of the server, otherwise that of the first document that has one.
 */
function versionOf(documents: readonly ApiDocument[], stated: string | undefined): string | undefined {
  if (stated !== undefined) return minorOf(stated);
  for (const { value } of documents) {
    const info = value['info'];
    const version = isObject(info) && info['title'] === 'Kubernetes' ? info['version'] : undefined;
    const minor = typeof version === 'string' ? minorOf(version) : undefined;
    if (minor !== undefined) return minor;
  }
  return undefined;
}

function minorOf(version: string): string | undefined {
  return /^v?(\d{1,4}\.\d{1,4})(?!\d)/.exec(version)?.[1];
}
