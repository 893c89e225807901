import type { CrdDefinition } from '../input/crd.ts';
import { error, type Problem, quote, warning } from '../problems.ts';
import { byText } from '../words.ts';
import type { GroupVersionPlan, Served } from './group-version.ts';
import { isSelected, matches, type Pattern, parsePattern, type Selectable } from './select.ts';

/** Patterns `group`, `group/version` or `group/version/Kind`, with `*`. */
export interface Selection {
  /** Everything when there is none. */
  readonly include?: readonly string[];
  /** Of what to leave out, even when it is included. */
  readonly exclude?: readonly string[];
}

/** The served versions that are selected, by group version, sorted by group and version. */
export function plansOf(
  crds: readonly CrdDefinition[],
  selection: Selection,
  problems: Problem[],
): readonly GroupVersionPlan[] {
  const include = patternsOf('--include', selection.include ?? [], problems);
  const exclude = patternsOf('--exclude', selection.exclude ?? [], problems);
  const all = crds.flatMap((crd) => servedOf(crd, problems));
  for (const problem of [...idle('--include', include, all), ...idle('--exclude', exclude, all)])
    problems.push(problem);
  const selected = all.filter((served) => isSelected(selectable(served), include, exclude));
  return byGroupVersion(include.length === 0 && (selection.include ?? []).length > 0 ? [] : selected);
}

function servedOf(crd: CrdDefinition, problems: Problem[]): readonly Served[] {
  const versions = crd.versions.filter((version) => version.served);
  if (versions.length === 0) {
    const what = `CRD ${crd.name} has no version with served: true, so nothing is written for it: serve one or leave it out`;
    problems.push(warning(what, crd.input.position(['spec', 'versions'])));
  }
  return versions.map((version) => ({ crd, version }));
}

function selectable({ crd, version }: Served): Selectable {
  return { group: crd.group, version: version.name, kind: crd.names.kind };
}

function patternsOf(option: string, texts: readonly string[], problems: Problem[]): readonly Pattern[] {
  return texts.flatMap((text) => {
    const pattern = parsePattern(text);
    if (pattern !== undefined) return [pattern];
    problems.push(
      error(
        `${option} ${quote(text)} is no pattern: write group, group/version or group/version/Kind, with * for any`,
      ),
    );
    return [];
  });
}

/** Patterns that match nothing are hardly what the user meant. */
function idle(option: string, patterns: readonly Pattern[], all: readonly Served[]): readonly Problem[] {
  return patterns
    .filter((pattern) => !all.some((served) => matches(pattern, selectable(served))))
    .map(({ text }) =>
      warning(`${option} ${quote(text)} matches nothing in the input: correct or remove it`),
    );
}

function byGroupVersion(all: readonly Served[]): readonly GroupVersionPlan[] {
  const plans = new Map<string, { group: string; version: string; members: Served[] }>();
  for (const served of all) {
    const { group, version } = selectable(served);
    const key = `${group}/${version}`;
    const plan = plans.get(key);
    if (plan === undefined) plans.set(key, { group, version, members: [served] });
    else plan.members.push(served);
  }
  return [...plans.values()].sort((a, b) => byText(a.group, b.group) || byText(a.version, b.version));
}
