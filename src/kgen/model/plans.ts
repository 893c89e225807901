/** Kinds and definitions that are selected, by group version. */
import { append, error, type InputProblem, quote, warning } from '../common/problems.ts';
import { byText } from '../common/words.ts';
import type { CrdDefinition, CrdVersion } from '../input/crd/crd.ts';
import type { CrdInput } from '../input/crd/crd-input.ts';
import type { ApiDescription, ApiResource } from '../openapi/types.ts';
import type { GroupVersionName, RuntimeType } from './ir.ts';
import { runtimeTypeOf } from './names/full-names.ts';
import { groupVersionKey } from './names/package-groups.ts';
import type { Definitions } from './resources/definitions.ts';
import { reachable } from './schema/reach.ts';
import { isSelected, matches, type Pattern, parsePattern, type Selectable } from './select.ts';

/** Patterns `group`, `group/version` or `group/version/Kind`, with `*`. */
export interface Selection {
  /** Default: all kinds. */
  readonly include?: readonly string[];
  /** Kinds to exclude, which takes precedence over `include`. */
  readonly exclude?: readonly string[];
}

/** A pattern that matches no kind of the input, with its option. */
export interface UnmatchedPattern {
  readonly option: '--include' | '--exclude';
  readonly pattern: Pattern;
}

/** Input of `buildModel`. */
export interface ModelInput {
  readonly crds: readonly CrdDefinition[];
  /** Absent if only CRDs were read. */
  readonly api?: ApiDescription;
  /** Kinds that exist and were not read. Patterns may refer to them. */
  readonly unread?: readonly Selectable[];
  /** Returns whether servers may write `null` for a member of a definition. Default: never. */
  readonly mayBeNull?: NullMembers;
}

/**
 * Returns whether servers may write `null` for a member of a definition of Kubernetes, which its schema does
 * not state. `message` is group version and name: `core/v1.PodCondition`.
 */
export type NullMembers = (message: string, member: string, isRequired: boolean) => boolean;

/** One served version of one CRD. */
export interface Served {
  readonly crd: CrdDefinition;
  readonly version: CrdVersion;
}

/** Returns the document of a version. */
export function inputOf({ crd, version }: Served): CrdInput {
  return version.input ?? crd.input;
}

/** A group version before it is built. */
export interface GroupVersionPlan extends GroupVersionName {
  /** In any order. */
  readonly members: readonly Served[];
  /** Resources that are not defined by CRDs, in any order. */
  readonly resources: readonly ApiResource[];
  /** Full names of the definitions of this group version, sorted. */
  readonly definitions: readonly string[];
  /** Full names of the definitions of this group version that the output needs, in any order. */
  readonly published: readonly string[];
  /** Sorted. */
  readonly runtimeTypes: readonly RuntimeType[];
}

/**
 * Returns the group versions of all selected kinds and of the definitions that they need, sorted by group and
 * version.
 */
export function plansOf(
  input: ModelInput,
  definitions: Definitions,
  selection: Selection,
  problems: InputProblem[],
  unmatched: UnmatchedPattern[],
): readonly GroupVersionPlan[] {
  const { served, resources, whole } = selected(input, selection, problems, unmatched);
  const plans = new Plans();
  for (const each of served)
    plans.at({ group: each.crd.group, version: each.version.name }).members.push(each);
  for (const { home, resource } of resources) plans.at(home).resources.push(resource);
  const chosen = resources.map(({ resource }) => resource);
  const needed = whole ? definitions.names : reachable(chosen, definitions);
  for (const name of needed) plans.addDefinition(name, definitions);
  return plans.sorted;
}

interface Selected {
  readonly served: readonly Served[];
  readonly resources: readonly { readonly home: GroupVersionName; readonly resource: ApiResource }[];
  /** Whether no kind was excluded. */
  readonly whole: boolean;
}

function selected(
  { crds, api, unread = [] }: ModelInput,
  selection: Selection,
  problems: InputProblem[],
  unmatched: UnmatchedPattern[],
): Selected {
  const include = patternsOf('--include', selection.include ?? [], problems);
  const exclude = patternsOf('--exclude', selection.exclude ?? [], problems);
  const served = crds.flatMap((crd) => servedOf(crd, problems));
  const resources = (api?.groupVersions ?? []).flatMap((home) =>
    home.resources.map((resource) => ({ home, resource })),
  );
  const all = [...served.map(selectableVersion), ...resources.map(selectableResource), ...unread];
  append(unmatched, idle('--include', include, all));
  append(unmatched, idle('--exclude', exclude, all));
  const nothing = include.length === 0 && (selection.include ?? []).length > 0;
  const has = (item: Selectable): boolean => !nothing && isSelected(item, include, exclude);
  return {
    served: served.filter((each) => has(selectableVersion(each))),
    resources: resources.filter((each) => has(selectableResource(each))),
    whole: !nothing && include.length === 0 && exclude.length === 0,
  };
}

function servedOf(crd: CrdDefinition, problems: InputProblem[]): readonly Served[] {
  const versions = crd.versions.filter((version) => version.served);
  if (versions.length === 0) {
    const what = `CRD ${crd.name} has no version with served: true, so nothing is written for it: serve one or leave it out`;
    problems.push(warning(what, crd.input.position(['spec', 'versions'])));
  }
  return versions.map((version) => ({ crd, version }));
}

function selectableVersion({ crd, version }: Served): Selectable {
  return { group: crd.group, version: version.name, kind: crd.names.kind };
}

function selectableResource({ home, resource }: Selected['resources'][number]): Selectable {
  return { group: home.group, version: home.version, kind: resource.kind.kind };
}

function patternsOf(option: string, texts: readonly string[], problems: InputProblem[]): readonly Pattern[] {
  return texts.flatMap((text) => {
    const pattern = parsePattern(text);
    if (pattern !== undefined) return [pattern];
    problems.push(
      error(
        `${option} ${quote(text)} is not a pattern: write group, group/version or group/version/Kind, with * for any`,
      ),
    );
    return [];
  });
}

function idle(
  option: UnmatchedPattern['option'],
  patterns: readonly Pattern[],
  all: readonly Selectable[],
): readonly UnmatchedPattern[] {
  return patterns
    .filter((pattern) => !all.some((item) => matches(pattern, item)))
    .map((pattern) => ({ option, pattern }));
}

interface OpenPlan extends GroupVersionName {
  readonly members: Served[];
  readonly resources: ApiResource[];
  readonly definitions: string[];
  readonly published: string[];
  readonly runtimeTypes: RuntimeType[];
}

/** Group versions, each created on first use. */
class Plans {
  readonly #plans = new Map<string, OpenPlan>();

  at({ group, version }: GroupVersionName): OpenPlan {
    const key = groupVersionKey({ group, version });
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const lists = { members: [], resources: [], definitions: [], published: [], runtimeTypes: [] };
    const made: OpenPlan = { group, version, ...lists };
    this.#plans.set(key, made);
    return made;
  }

  addDefinition(name: string, definitions: Definitions): void {
    const { use } = definitions.useOf(name);
    if (use === 'inline' || definitions.get(name) === undefined) return;
    const plan = this.at(definitions.homeOf(name));
    plan.published.push(name);
    const runtimeType = runtimeTypeOf(name);
    if (runtimeType === undefined) plan.definitions.push(name);
    else plan.runtimeTypes.push(runtimeType);
  }

  get sorted(): readonly GroupVersionPlan[] {
    const all = [...this.#plans.values()].map((plan) => ({
      ...plan,
      definitions: plan.definitions.sort(byText),
      runtimeTypes: plan.runtimeTypes.sort(byText),
    }));
    return all.sort((a, b) => byText(a.group, b.group) || byText(a.version, b.version));
  }
}
