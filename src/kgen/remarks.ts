import type { Settings } from './config/settings.ts';
import type { CrdDefinition } from './input/crd.ts';
import { error, type Problem, quote, warning } from './problems.ts';

/** Aliases of groups that no definition has: they do nothing, which is hardly what the user meant. */
export function idleAliases(
  { groupAlias = {} }: Pick<Settings, 'groupAlias'>,
  crds: readonly CrdDefinition[],
): readonly Problem[] {
  const groups = new Set(crds.map(({ group }) => group));
  return Object.entries(groupAlias)
    .filter(([group]) => !groups.has(group))
    .map(([group, name]) =>
      warning(
        `--group-alias ${quote(`${group}=${name}`)} is for a group that is not in the input: correct or remove it`,
      ),
    );
}

/** Why there is nothing to generate, for input that has definitions and no errors. */
export function nothingLeft(
  { include = [], exclude = [] }: Pick<Settings, 'include' | 'exclude'>,
  crds: readonly CrdDefinition[],
): Problem {
  const all = `the ${crds.length} CustomResourceDefinition${crds.length === 1 ? '' : 's'} of the input`;
  if (include.length + exclude.length === 0 || !crds.some(isServed)) {
    return error(
      `none of ${all} has a version with served: true, so there is nothing to generate: serve one, or give other files`,
    );
  }
  return error(
    `--include and --exclude leave nothing of ${all}, so there is nothing to generate: correct them`,
  );
}

function isServed({ versions }: CrdDefinition): boolean {
  return versions.some(({ served }) => served);
}
