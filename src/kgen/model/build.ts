import type { CrdDefinition } from '../input/crd.ts';
import { error, type Problem, quote } from '../problems.ts';
import { byText, isIdentifier } from '../words.ts';
import { groupStems, groupVersionAccessors } from './accessors.ts';
import { groupVersionOf, type Tell } from './group-version.ts';
import type { Model } from './ir.ts';
import { plansOf, type Selection } from './plans.ts';
import { distinctSources } from './sources.ts';
import { keysTo } from './spot.ts';

/** What decides the model besides the CRDs. */
export interface ModelOptions extends Selection {
  /** Stems of group accessors that the user pinned, by group. */
  readonly groupAliases?: ReadonlyMap<string, string>;
  /** `Built.accessors` of an earlier run, whose names hold as long as they do not clash. */
  readonly recorded?: ReadonlyMap<string, string>;
}

/** A model, and what was noticed on the way to it. */
export interface Built {
  readonly model: Model;
  readonly problems: readonly Problem[];
  /** Stem of the accessors of each group in the model, to be recorded for the next run. Sorted by group. */
  readonly accessors: Readonly<Record<string, string>>;
}

/**
 * The model of all served versions that the options select. The order of the CRDs does not matter. Whatever
 * the schemas hold, it neither throws nor takes longer than their size explains; what could not be understood
 * is in `problems`.
 */
export function buildModel(crds: readonly CrdDefinition[], options: ModelOptions = {}): Built {
  const problems: Problem[] = [];
  const plans = plansOf(crds, options, problems);
  const aliases = soundAliases(options.groupAliases ?? new Map(), problems);
  const naming = { aliases, recorded: options.recorded ?? new Map<string, string>() };
  const stems = groupStems(
    plans.map(({ group }) => group),
    naming,
  );
  const accessors = groupVersionAccessors(plans, stems);
  const tell: Tell = ({ crd, version }, { severity, spot, below, what }) => {
    const where = crd.input.position([...version.schemaPath, ...keysTo(spot), ...below]);
    problems.push({ severity, what, where });
  };
  const groupVersions = plans.map((plan, index) =>
    groupVersionOf(plan, accessors[index] ?? plan.version, tell),
  );
  return {
    model: { groupVersions, sources: distinctSources(groupVersions.flatMap(({ sources }) => sources)) },
    problems,
    accessors: Object.fromEntries([...stems].sort(([a], [b]) => byText(a, b))),
  };
}

/** Drops what cannot be a name, and a name that is pinned to a second group. */
function soundAliases(
  aliases: ReadonlyMap<string, string>,
  problems: Problem[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const sound = new Map<string, string>();
  for (const [group, stem] of aliases) {
    const option = `--group-alias ${quote(`${group}=${stem}`)}`;
    const owner = owners.get(stem);
    if (!isIdentifier(stem)) {
      problems.push(error(`${option} is no name for an accessor: use letters and digits, a letter first`));
    } else if (owner !== undefined) {
      problems.push(error(`${option} takes the name that is pinned to ${quote(owner)}: choose another`));
    } else {
      owners.set(stem, group);
      sound.set(group, stem);
    }
  }
  return sound;
}
