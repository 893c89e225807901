/** Model of an output: the IR, with all names. */
import { error, type InputProblem, quote } from '../common/problems.ts';
import { byText, isIdentifier } from '../common/words.ts';
import type { Model, Schema } from './ir.ts';
import { groupStems, groupVersionAccessors } from './names/accessors.ts';
import { nameGroupVersion } from './names/group-version-names.ts';
import { isKnownGroup } from './names/known-groups.ts';
import {
  type GroupVersionPlan,
  inputOf,
  type ModelInput,
  plansOf,
  type Selection,
  type UnmatchedPattern,
} from './plans.ts';
import { definitionSchemas, referencesOf } from './resources/definition-types.ts';
import { Definitions } from './resources/definitions.ts';
import { groupVersionOf, type ModelContext } from './resources/group-version.ts';
import { schemaModulesOf } from './resources/schema-modules.ts';
import { keysTo } from './schema/schema-path.ts';

/** Options of `buildModel`. */
export interface ModelOptions extends Selection {
  /** Stems of group accessors that the user configured, by group. */
  readonly groupAliases?: ReadonlyMap<string, string>;
  /** `Built.accessors` of an earlier run. Its names are reused unless they clash. */
  readonly recorded?: ReadonlyMap<string, string>;
  /**
   * Whether types of custom resources accept only one of the members that exclude each other. Default: false.
   */
  readonly exclusive?: boolean;
}

/** A model with the problems that were found. */
export interface Built {
  readonly model: Model;
  readonly problems: readonly InputProblem[];
  /** Patterns without a match, which are typing errors unless a part of the input could not be read. */
  readonly unmatched: readonly UnmatchedPattern[];
  /** Stem of the accessors of each group with resources, sorted by group. Recorded for the next run. */
  readonly accessors: Readonly<Record<string, string>>;
  /** The schema of each definition in the model, by full name, with the group version in every reference. */
  readonly definitions: ReadonlyMap<string, Schema>;
}

/**
 * Builds the model of all selected resources and the types that they need. The order of CRDs, definitions and
 * group versions does not matter. Never throws, and takes time linear in the size of the schemas. Invalid
 * parts are reported in `problems`.
 */
export function buildModel(input: ModelInput, options: ModelOptions = {}): Built {
  const problems: InputProblem[] = [];
  const definitions = new Definitions(input.api);
  const unmatched: UnmatchedPattern[] = [];
  const plans = plansOf(input, definitions, options, problems, unmatched);
  const stems = stemsOf(plans, options, problems);
  const accessors = groupVersionAccessors(plans, stems);
  const context = contextOf(input, definitions, options, problems);
  const named = plans.map((plan, index) =>
    nameGroupVersion(plan, accessors[index] ?? plan.version, definitions),
  );
  const referencesFrom = referencesOf(named, definitions);
  const groupVersions = named.map((each) => groupVersionOf(each, referencesFrom(each.plan), context));
  const recorded = new Set(plans.filter(hasResources).map(({ group }) => group));
  return {
    model: {
      groupVersions,
      schemas: schemaModulesOf(plans, definitions),
    },
    problems,
    unmatched,
    accessors: Object.fromEntries(
      [...stems].filter(([group]) => recorded.has(group)).sort(([a], [b]) => byText(a, b)),
    ),
    definitions: definitionSchemas(definitions, referencesFrom()),
  };
}

function contextOf(
  { api, mayBeNull = () => false }: ModelInput,
  definitions: Definitions,
  { exclusive = false }: ModelOptions,
  problems: InputProblem[],
): ModelContext {
  const taking = (api?.groupVersions ?? []).filter(({ resources }) =>
    resources.some(({ strategicPatch }) => strategicPatch),
  );
  return {
    definitions,
    mayBeNull,
    exclusive,
    builtInGroups: new Set(taking.map(({ group }) => group)),
    reportOfCrd(served, { severity, spot, below, what }) {
      const where = inputOf(served).position([...served.version.schemaPath, ...keysTo(spot), ...below]);
      problems.push({ severity, what, where });
    },
    reportOfDefinition(name, { severity, spot, below, what }) {
      const where = definitions.get(name)?.position([...keysTo(spot), ...below]);
      problems.push(where === undefined ? { severity, what } : { severity, what, where });
    },
  };
}

function hasResources({ members, resources }: GroupVersionPlan): boolean {
  return members.length > 0 || resources.length > 0;
}

/** Groups without resources use names that the others leave free, so that they never rename a client. */
function stemsOf(
  plans: readonly GroupVersionPlan[],
  options: ModelOptions,
  problems: InputProblem[],
): ReadonlyMap<string, string> {
  const aliases = soundAliases(options.groupAliases ?? new Map(), problems);
  const groups = plans.filter((plan) => hasResources(plan) || isKnownGroup(plan.group));
  const recorded = groupStems(
    groups.map(({ group }) => group),
    { aliases, recorded: options.recorded ?? new Map<string, string>() },
  );
  return groupStems(
    plans.map(({ group }) => group),
    { aliases, recorded },
  );
}

/** Drops invalid names, and names that are configured for a second group. */
function soundAliases(
  aliases: ReadonlyMap<string, string>,
  problems: InputProblem[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const sound = new Map<string, string>();
  for (const [group, stem] of aliases) {
    const option = `--group-alias ${quote(`${group}=${stem}`)}`;
    const owner = owners.get(stem);
    if (!isIdentifier(stem)) {
      problems.push(error(`${option} is not a name for an accessor: use letters and digits, a letter first`));
    } else if (owner !== undefined) {
      problems.push(error(`${option} has the name that is assigned to ${quote(owner)}: choose another`));
    } else {
      owners.set(stem, group);
      sound.set(group, stem);
    }
  }
  return sound;
}
