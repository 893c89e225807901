/** Reasons why output is empty or smaller than expected, although the input is valid. */
import { error, type InputProblem, quote, warning } from '../common/problems.ts';
import type { OutputSettings } from '../config/settings.ts';
import type { UnmatchedPattern } from '../model/plans.ts';
import type { Loaded } from '../openapi/types.ts';

/**
 * Returns warnings for aliases of groups that the input does not contain, which are probably typing errors.
 */
export function idleAliases(
  { groupAlias = {} }: Pick<OutputSettings, 'groupAlias'>,
  { api, crds }: Loaded,
): readonly InputProblem[] {
  const groups = new Set([...crds, ...(api?.groupVersions ?? [])].map(({ group }) => group));
  return Object.entries(groupAlias)
    .filter(([group]) => !groups.has(group))
    .map(([group, name]) =>
      warning(
        `--group-alias ${quote(`${group}=${name}`)} is for a group that is not in the input: correct or remove it`,
      ),
    );
}

/** Returns warnings for patterns that match nothing, which are probably typing errors. */
export function idlePatterns(unmatched: readonly UnmatchedPattern[]): readonly InputProblem[] {
  return unmatched.map(({ option, pattern }) =>
    warning(`${option} ${quote(pattern.text)} matches nothing in the input: correct or remove it`),
  );
}

/** The error of a comparison with a cluster that serves none of the kinds that the folder has clients of. */
export const nothingServed: InputProblem = error(
  'the cluster serves none of the selected kinds, of which the folder has clients: choose another cluster, or remove the clients',
);

/** Returns the reason why there is no output for input that has definitions and no errors. */
export function nothingLeft(
  { include = [], exclude = [] }: Pick<OutputSettings, 'include' | 'exclude'>,
  input: Loaded,
): InputProblem {
  const { api, crds, partial } = input;
  const all = whole(input);
  if (partial)
    return error(`no selected part of ${all} responds, so there is nothing to generate: try again later`);
  if (include.length + exclude.length > 0 && (crds.some(isServed) || api !== undefined)) {
    return error(
      `--include and --exclude select nothing of ${all}, so there is nothing to generate: correct them`,
    );
  }
  if (api !== undefined)
    return error(`${all} serves nothing, so there is nothing to generate: choose another server`);
  return error(
    `none of ${all} has a version with served: true, so there is nothing to generate: serve one, or give other files`,
  );
}

function whole({ api, crds }: Loaded): string {
  if (api !== undefined) return 'the API';
  return `the ${crds.length} CustomResourceDefinition${crds.length === 1 ? '' : 's'} of the input`;
}

function isServed({ versions }: Loaded['crds'][number]): boolean {
  return versions.some(({ served }) => served);
}
