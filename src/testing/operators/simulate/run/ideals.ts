/** Runs of schedules without faults: the results that the runs with faults must have. */
import { array } from '@kgen/schema/values/json';
import { Chance } from '../checks/compare/chance.ts';
import { differenceLines, type RunDifference } from '../checks/compare/differences.ts';
import type { Exceptions } from '../checks/compare/exceptions.ts';
import { type EarlierCluster, remains } from '../checks/compare/past.ts';
import { type Snapshot, shownKeyOf } from '../checks/compare/snapshot.ts';
import { dueLines, hasChanged, type Passed } from '../checks/due.ts';
import { type Finding, findingOf } from '../checks/finding.ts';
import { replacedLines } from '../checks/identity.ts';
import { idOf, idText } from '../cluster.ts';
import { atItsTimes, type Schedule, withoutFaults } from '../schedule/schedule.ts';
import { declaring, freshSchedule, withGhosts } from './declarations.ts';
import { dayMs } from './pass-time.ts';
import type { RunResult, RunSettings } from './run-result.ts';

/** A run without faults, and the same run with other chances. */
export interface Ideal {
  readonly run: RunResult;
  readonly chance: Chance;
}

/** A run in which time passes. */
interface TimedRun {
  readonly run: RunResult;
  readonly passed: Passed;
  readonly finding: Finding | undefined;
}

/** The time of a run that has ended before. */
const nothingPassed: Passed = { ms: 0, isActive: false, before: [], after: [] };

/** Plays a schedule. */
type Play = (schedule: Schedule, settings: RunSettings) => Promise<RunResult>;

/** Maximum number of results of runs without faults that are kept. */
const mostIdeals = 64;

/** Maximum number of earlier states with which a difference is explained. */
const mostEarlier = 12;

/** Settings of runs of which only the objects at rest count. */
const fromRest: RunSettings = { endsAtRest: true };

/** A single replica without faults leads in any case. */
const alone: RunSettings = { withoutElection: true };

/** Number of runs with other chances after which a field counts as one that depends on chance, or not. */
const fewChances = 2;
/** Number of them before a failure is reported: two values are equal in all of them once in 16,000 times. */
const manyChances = 14;

/** The expected results of schedules, which several of them have in common. */
export class Ideals {
  readonly #play: Play;
  readonly #exceptions: Exceptions;
  readonly #known = new Map<string, Ideal>();
  readonly #lines = new Set<string>();
  #learnt: ReadonlySet<string> = new Set();
  readonly #findings = new WeakMap<Ideal, Promise<Finding | undefined>>();
  readonly #sampleResources: ReadonlySet<string>;

  /** @param sampleResources storage keys of the resources of users' objects */
  constructor(play: Play, exceptions: Exceptions, sampleResources: ReadonlySet<string>) {
    this.#play = play;
    this.#exceptions = exceptions;
    this.#sampleResources = sampleResources;
  }

  /** Fields that depend on chance, as `resource: path`. */
  get chanceLines(): readonly string[] {
    return [...this.#lines].sort();
  }

  /**
   * Forgets all results, since the cluster has other objects from now on. Fields that depend on chance so far
   * do so in all schedules, and not those that are found later: a seed has one result, whatever ran before.
   */
  begin(): void {
    this.#known.clear();
    this.#learnt = new Set(this.#lines);
  }

  /** Returns the result of a schedule without its faults, in which the operator is examined at rest. */
  of(schedule: Schedule): Promise<Ideal> {
    return this.#played(withoutFaults(schedule), { examinesRest: true });
  }

  async #played(steps: Schedule, settings: RunSettings): Promise<Ideal> {
    const key = JSON.stringify([settings, steps.steps, steps.hasDefaults]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const run = await this.#play(steps, { ...settings, ...alone, chance: 0 });
    const ideal = { run, chance: new Chance(run.snapshot, this.#exceptions, this.#learnt) };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= mostIdeals && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, ideal);
    return ideal;
  }

  /**
   * Returns a line for each difference of a run to the ideal one that is not due to chance. With faults, an
   * operator need not have seen what was declared for some time only: it may equal a fresh cluster, too.
   * @param isFinal whether all chances are tried before a difference counts
   */
  async differences(ideal: Ideal, { snapshot }: RunResult, isFinal: boolean): Promise<readonly string[]> {
    const runs = isFinal ? [fewChances, manyChances] : [fewChances];
    let found: readonly RunDifference[] = [];
    for (const most of runs) {
      found = await this.#differing(ideal, snapshot, most);
      const fresh = found.length === 0 ? undefined : await this.#fresh(ideal);
      if (fresh !== undefined) found = common(found, await this.#differing(fresh, snapshot, most));
      if (found.length === 0) return [];
    }
    return differenceLines(found, snapshot);
  }

  /**
   * Returns a line for each object that a run has replaced, but not the ideal one. A Pod or token that has
   * expired is replaced without faults, too, if users wait as long.
   */
  async replaced(ideal: Ideal, run: RunResult): Promise<readonly string[]> {
    const lines = replacedLines(ideal.run, run);
    if (lines.length === 0) return [];
    const late = await this.#played(atItsTimes(run.schedule), fromRest);
    const others = replacedLines(late.run, run);
    return lines.filter((line) => others.includes(line));
  }

  /**
   * Returns the run in which an operator is down for days, and a finding if that has another result than the
   * same time while it runs. An operator that does nothing with time is examined for an hour.
   */
  async timeOf(
    schedule: Schedule,
  ): Promise<{ readonly run: RunResult; readonly finding: Finding | undefined }> {
    const played = async (time: NonNullable<RunSettings['time']>): Promise<TimedRun> => {
      const run = await this.#play(withoutFaults(schedule), { ...fromRest, ...alone, chance: 0, time });
      return { run, passed: run.passed ?? nothingPassed, finding: run.findings[0] };
    };
    const hour = await played('hour');
    const down = await played({ downMs: dayMs });
    const isInert = !hour.passed.isActive && !hasChanged(down.passed, this.#exceptions);
    const failed = [hour, down].find(({ finding }) => finding !== undefined);
    if (failed !== undefined || isInert) return failed ?? down;
    const running = await played(hour.passed.isActive ? 'days' : 'day');
    const { ms } = running.passed;
    const longer = ms === dayMs ? down : await played({ downMs: ms });
    const other = [running, longer].find(({ finding }) => finding !== undefined);
    const lines = dueLines(running.passed, longer.passed, this.#exceptions);
    return other ?? { run: longer.run, finding: findingOf('time', lines) };
  }

  /** Returns the run with the last declarations only; `undefined` if users have declared nothing else. */
  async #fresh({ run }: Ideal): Promise<Ideal | undefined> {
    const schedule = freshSchedule(run.declared);
    return schedule && this.#played(inClusterOf(run, schedule), fromRest);
  }

  /** Returns the first finding of a run without faults, whose state must not depend on the past. */
  findingOf(ideal: Ideal): Promise<Finding | undefined> {
    const known = this.#findings.get(ideal) ?? this.#judged(ideal);
    this.#findings.set(ideal, known);
    return known;
  }

  async #judged(ideal: Ideal): Promise<Finding | undefined> {
    const [first] = ideal.run.findings;
    if (first !== undefined) return first;
    return findingOf('history', await this.#remains(ideal));
  }

  /** Returns a line for each difference to a cluster in which the last declarations are created at once. */
  async #remains(ideal: Ideal): Promise<readonly string[]> {
    const { run } = ideal;
    const fresh = await this.#fresh(ideal);
    if (fresh === undefined) return [];
    const found = await this.#differing(fresh, run.snapshot, fewChances);
    if (found.length === 0 || fresh.run.findings.length > 0) return [];
    const compared = async (schedule: Schedule): Promise<EarlierCluster> => {
      const { snapshot } = (await this.#played(inClusterOf(run, schedule), fromRest)).run;
      return { snapshot, differences: fresh.chance.differences(snapshot) };
    };
    const earlier: EarlierCluster[] = [];
    for (const state of different(run.declared.slice(0, -1)).slice(-mostEarlier))
      earlier.push(await compared(declaring(state)));
    const { schedule, names } = withGhosts(run.declared);
    const left = remains({
      differences: found,
      earlier,
      ghosts: names.length === 0 ? [] : (await compared(schedule)).differences,
      adopted: adoptedIn(run),
      deleted: names,
      sampleResources: this.#sampleResources,
    });
    return differenceLines(left, run.snapshot);
  }

  async #differing(ideal: Ideal, snapshot: Snapshot, runs: number): Promise<readonly RunDifference[]> {
    const found = ideal.chance.differences(snapshot);
    if (found.length === 0) return found;
    await this.vary(ideal, runs);
    return ideal.chance.differences(snapshot);
  }

  /** Plays the run without faults with other chances, until there is a number of such runs. */
  async vary({ run, chance }: Ideal, runs: number): Promise<void> {
    while (chance.runs < runs) {
      const other = await this.#play(run.schedule, { ...fromRest, ...alone, chance: chance.runs + 1 });
      chance.add(other.snapshot);
    }
    for (const line of chance.lines) this.#lines.add(line);
  }
}

/** Returns the keys of the objects of users that had an owner when they were deleted. */
function adoptedIn({ entries, declared }: RunResult): ReadonlySet<string> {
  const known = new Set((declared.at(-1) ?? []).map(({ object: value }) => idText(idOf(value))));
  const deleted = entries.flatMap((entry) =>
    entry.kind === 'change' && entry.change.type === 'DELETED' ? [entry.change] : [],
  );
  return new Set(
    deleted
      .filter(({ object: value }) => known.has(idText(idOf(value))))
      .filter(({ object: value }) => array(value, 'metadata', 'ownerReferences').length > 0)
      .map(({ resource, key }) => `${resource} ${key}`),
  );
}

/** Returns a schedule with the webhooks of others of a run. */
function inClusterOf({ schedule: { hasDefaults = false } }: RunResult, schedule: Schedule): Schedule {
  return { ...schedule, hasDefaults };
}

function different<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Returns the differences that are among others, too. */
function common(found: readonly RunDifference[], others: readonly RunDifference[]): readonly RunDifference[] {
  const known = new Set(others.map(placeOf));
  return found.filter((difference) => known.has(placeOf(difference)));
}

function placeOf(difference: RunDifference): string {
  const field = difference.kind === 'field' ? difference.field.path : '';
  return `${difference.kind} ${shownKeyOf(difference.object)} ${field}`;
}
