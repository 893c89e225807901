/** One simulation: an operator that is explored once, and the seeds that are run with it. */
import type { KubernetesObject } from '@kgen/runtime';
import { type JsonObject, text } from '@kgen/schema/values/json';
import { errorText } from '@kgen/schema/values/thrown';
import { loadedSchemas } from '@kgen/testserver/internal/resources/builtin/schemas';
import { Counter, countedReport, type OperatorFacts, type Tally } from '../../report/tally.ts';
import { bystandersOf } from '../checks/bystanders.ts';
import { Exceptions } from '../checks/compare/exceptions.ts';
import { type CheckName, type Finding, findingOf } from '../checks/finding.ts';
import { type ClusterBase, idOf } from '../cluster.ts';
import { writeKey } from '../coverage.ts';
import { findLeak } from '../endurance/endurance.ts';
import { historyOf } from '../history.ts';
import type { SimulateOptions, SimulationReport } from '../options.ts';
import type { Operator } from '../process/operator.ts';
import type { Rejections } from '../process/rejections.ts';
import { itemOutlives } from '../process/services/served-services.ts';
import { acceptedEdits, referencesIn, type Samples } from '../samples.ts';
import { possibleFaults } from '../schedule/actions.ts';
import {
  causedWrites,
  changesOf,
  explorationOf,
  interleavingsOf,
  kindsOf,
  learntEdits,
  usedAccesses,
} from '../schedule/exploration.ts';
import { scheduleOf } from '../schedule/plan.ts';
import { saveSchedule } from '../schedule/saved.ts';
import { creations, type Schedule, type ScheduleScope } from '../schedule/schedule.ts';
import { mostTrialRequests, mostTrials, shrink } from '../schedule/shrink.ts';
import { SimulationError, type StoryRun, siteOf, storyOf } from '../story.ts';
import { distinctFailures, kindOf, type SeedFailure, unrepeatable } from './failures.ts';
import { withFlips } from './flips.ts';
import { Ideals } from './ideals.ts';
import { play } from './run.ts';
import type { RunResult, RunSettings, RunSetup } from './run-result.ts';
import { withBystanders } from './with-bystanders.ts';

/** A schedule that was played with and without its faults. */
interface Trial {
  readonly run: RunResult;
  readonly finding: Finding | undefined;
  /** The run without faults, if it has passed. */
  readonly reference?: RunResult;
}

const sendsNothing =
  'the operator has sent no request: its function must return a Manager, or a promise that resolves to one, ' +
  'to which it passes the configuration and the options';

const independentOfSeeds = 'Repeat the simulation: this run does not depend on its seeds.';

/** Parts of a simulation. */
interface SimulationParts {
  readonly operator: Operator;
  readonly base: ClusterBase;
  readonly samples: Samples;
  readonly options: SimulateOptions;
  readonly rejections: Rejections;
  readonly seeds: readonly number[];
  /** The schedule of the only seed. */
  readonly saved: Schedule | undefined;
}

/** A simulation, which is explored first. */
export class Simulation {
  readonly seeds: readonly number[];
  readonly #saved: Schedule | undefined;
  #setup: RunSetup;
  #scope: ScheduleScope | undefined;
  readonly #samples: Samples;
  readonly #options: SimulateOptions;
  readonly #rejections: Rejections;
  readonly #ideals: Ideals;
  readonly #counter: Counter;
  readonly #failures: SeedFailure[] = [];
  /** The first failure of each kind, as it is before its schedule is reduced. */
  readonly #knownFailures = new Map<string, SimulationError>();

  constructor({ operator, base, samples, options, rejections, seeds, saved }: SimulationParts) {
    const { invariants = [], ignore = [], compare = [], services = [], outlives, start } = options;
    const exceptions = new Exceptions([...ignore, ...compare]);
    this.#setup = {
      operator,
      base,
      bystanders: [],
      references: [],
      invariants,
      sampleResources: samples.resources,
      // seam: an object of the server is an object of Kubernetes.
      outlives: (object, resource) =>
        itemOutlives(services, resource, object) ?? outlives?.(object as KubernetesObject) ?? false,
      start,
      exceptions,
      random: new Set(),
    };
    this.#ideals = new Ideals(
      (schedule, settings) => this.#play(schedule, settings),
      exceptions,
      samples.resources,
    );
    this.#counter = new Counter(base.needs);
    this.#samples = samples;
    this.#options = options;
    this.#rejections = rejections;
    this.seeds = seeds;
    this.#saved = saved;
  }

  /** Whether leaks are searched after all seeds. */
  get checksLeaks(): boolean {
    return this.#saved === undefined;
  }

  /** Runs all seeds, one after the other, and searches leaks. */
  async run(): Promise<SimulationReport> {
    const { seeds } = this;
    const facts = await this.explore();
    const { onSeed } = this.#options;
    for (const [index, seed] of seeds.entries()) {
      const run = await this.#passing(seed, () => this.#check(this.#scheduleOf(seed)));
      if (run === undefined) continue;
      onSeed?.({
        seed,
        done: index + 1,
        total: seeds.length,
        get history(): string {
          return historyOf(run);
        },
      });
    }
    await this.#passing(0, async () => {
      const leak = this.checksLeaks ? await this.endure() : undefined;
      if (leak !== undefined) throw leak;
    });
    return {
      seeds: seeds.length - this.#failures.filter(({ seed }) => seed !== 0).length,
      failures: distinctFailures(this.#failures),
      ...countedReport(this.take(), facts),
    };
  }

  /**
   * Finds the requests of the operator in runs without faults, before all seeds.
   * @throws {SimulationError} if it fails
   */
  async explore(): Promise<OperatorFacts> {
    const scope = await this.#explore();
    this.#scope = scope;
    const { needs, roles } = this.#setup.base;
    const { interleavings } = scope;
    return { possible: [...possibleFaults(scope).keys()], interleavings, account: needs.account, roles };
  }

  /** Runs a seed. Returns the kind of its failure; `undefined` if it passes. */
  async examine(seed: number): Promise<string | undefined> {
    const { run, finding } = await this.#examined(this.#scheduleOf(seed));
    return finding && kindOfFinding(finding, run);
  }

  /**
   * Reduces the schedule of a seed that fails.
   * @param kind the failure that was found
   */
  async reduce(seed: number, kind: string): Promise<SimulationError> {
    const schedule = this.#scheduleOf(seed);
    const { run, finding } = await this.#try(schedule, true);
    if (finding === undefined) return unrepeatable(run, `violates ${kind}`, 'passes');
    return this.#reduced(schedule, run, finding);
  }

  /** Returns the counts since the last call. */
  take(): Tally {
    return this.#counter.take(this.#ideals.chanceLines);
  }

  #scheduleOf(seed: number): Schedule {
    if (this.#scope === undefined) throw new Error('the simulation must be explored first');
    return this.#saved ?? scheduleOf(seed, this.#scope);
  }

  /**
   * Returns the result; `undefined` for a failure after which the simulation continues.
   * @throws {SimulationError} the first failure, unless the caller receives all of them
   */
  async #passing<T>(seed: number, examine: () => Promise<T>): Promise<T | undefined> {
    try {
      return await examine();
    } catch (error) {
      const { onFailure } = this.#options;
      if (onFailure === undefined || !(error instanceof SimulationError)) throw error;
      this.#failures.push({ seed, error });
      onFailure({ seed, error });
      return undefined;
    }
  }

  /** Returns the failure of an operator that keeps more and more. */
  async endure(): Promise<SimulationError | undefined> {
    const { samples = [], writes: caused = [] } = this.#scope ?? {};
    this.#rejections.listen(() => undefined);
    const writes = [...new Map(caused.map(({ write }) => [writeKey(write), write])).values()];
    const leak = await findLeak({
      setup: this.#setup,
      samples,
      writes,
      seeds: this.seeds,
      proceed: () => this.#options.signal?.throwIfAborted(),
    });
    return leak && steadyFailure(leak, leak.finding);
  }

  /** Finds the requests of the operator in a run without faults. */
  async #explore(): Promise<ScheduleScope> {
    const { objectsPerSeed: objects = 3, stepsPerSeed: steps = 8, without = [] } = this.#options;
    const samples = await this.#relevantSamples();
    const first = explorationOf(samples);
    const run = await this.#check(first);
    const { accesses, hasElection, hasWebhooks } = run;
    if (accesses.length === 0 && !hasWebhooks) throw new TypeError(sendsNothing);
    // An operator that remembers an earlier run would hide its bugs in all later ones.
    const ideal = await this.#ideals.of(first);
    const differing = await this.#repeated(ideal.run);
    if (differing !== undefined) throw differing;
    await this.#ideals.vary(ideal, 2);
    await this.#passTime(first);
    this.#setup = { ...this.#setup, random: new Set(ideal.chance.lines) };
    const { base } = this.#setup;
    await this.#addBystanders(ideal.run);
    const references = referencesIn(this.#options.objects === undefined ? undefined : base, accesses);
    this.#setup = { ...this.#setup, references };
    const edits = await acceptedEdits(base, kindsOf(first), samples);
    const changed = await this.#play(changesOf(first, edits, references), { chance: 0 });
    return {
      ...{ samples, references, objects, steps, without, hasElection },
      interleavings: interleavingsOf([run, changed]),
      edits: learntEdits(changed, samples),
      accesses: usedAccesses([run, changed]),
      writes: causedWrites([run, changed]),
    };
  }

  /** @throws {SimulationError} if what is due with time depends on whether the operator runs */
  async #passTime(schedule: Schedule): Promise<void> {
    const { run, finding } = await this.#ideals.timeOf(schedule);
    if (finding !== undefined) throw steadyFailure(run, finding);
  }

  /**
   * Adds objects of others that are like those of the operator. If it changes one without an object of a
   * user, this one is a declaration itself, such as a labelled ConfigMap, and left out.
   */
  async #addBystanders({ snapshot, declared }: RunResult): Promise<void> {
    const { base } = this.#setup;
    const names = (declared.at(-1) ?? []).map(({ object }) => idOf(object).name);
    const objects = bystandersOf(snapshot, this.#setup.sampleResources, names);
    this.#setup = { ...this.#setup, ...(await withBystanders(base, objects)) };
    const { changed } = await this.#play(creations([]), { chance: 0, endsAtRest: true });
    if (changed.size > 0) {
      const others = objects.filter((value) => !changed.has(text(value, 'kind')));
      this.#setup = { ...this.#setup, ...(await withBystanders(base, others)) };
    }
    this.#ideals.begin();
  }

  /** Returns the objects that users create: without a choice those of the kinds that the operator reads. */
  async #relevantSamples(): Promise<readonly JsonObject[]> {
    const { objects, resources, areChosen } = this.#samples;
    const all = objects.map(({ object }) => object);
    if (areChosen || resources.size === 1) return all;
    const { accesses } = await this.#play({ seed: 0, replicas: 1, steps: [] }, { endsAtRest: true });
    const read = new Set(accesses.map(({ resource }) => resource));
    const relevant = objects.filter(({ plural }) => read.has(plural)).map(({ object }) => object);
    return relevant.length === 0 ? all : relevant;
  }

  /** @throws {SimulationError} if the operator fails */
  async #check(schedule: Schedule): Promise<RunResult> {
    const { run, finding } = await this.#examined(schedule);
    if (finding === undefined) return run;
    const kind = kindOfFinding(finding, run);
    const error = this.#knownFailures.get(kind) ?? (await this.#reduced(schedule, run, finding));
    // One that behaves differently in two runs is not that of other seeds.
    if (error.check !== 'determinism') this.#knownFailures.set(kind, error);
    throw error;
  }

  /** Plays and counts a schedule. */
  async #examined(schedule: Schedule): Promise<Trial> {
    const trial = await this.#try(schedule, true);
    this.#counter.add(trial.run);
    return trial;
  }

  /** Returns a failure with the smallest schedule that was found, if the run can be repeated. */
  async #reduced(schedule: Schedule, run: RunResult, finding: Finding): Promise<SimulationError> {
    const differing =
      (await this.#repeated(run)) ?? (await this.#repeated((await this.#ideals.of(schedule)).run));
    if (differing !== undefined) return differing;
    // Fewer steps would need fewer of the missing permissions.
    const isWhole = finding.check === 'permissions';
    const small = isWhole ? schedule : await this.#shrink(schedule, finding.check);
    const last = await this.#try(small, true);
    const shown = withFlips(last.finding ?? finding, last.run.entries);
    const repetition = this.#repetition(shown.check, last.run.schedule);
    const story = storyOf(last.run, shown, { original: schedule.steps.length, repetition });
    return new SimulationError(story, shown, last.run, last.reference?.entries);
  }

  /** Saves a schedule, and returns a sentence about its repetition. */
  #repetition(check: CheckName, schedule: Schedule): string {
    const { schedule: chosen, saveSchedules: folder } = this.#options;
    if (chosen !== undefined) return `Repeat it with the same schedule.`;
    const { seed } = schedule;
    if (seed === 0) return independentOfSeeds;
    const repetition = `Repeat it with KGEN_SEED=${seed}`;
    if (folder === undefined) return `${repetition}.`;
    try {
      return `${repetition}, or in a test with the schedule ${saveSchedule(folder, check, schedule)}.`;
    } catch (error) {
      return `${repetition}. Its schedule cannot be saved: ${errorText(error)}`;
    }
  }

  /** Returns the smallest schedule that was found to fail in the same way. */
  #shrink(schedule: Schedule, check: CheckName): Promise<Schedule> {
    let done = 0;
    let requests = 0;
    const { onReduce } = this.#options;
    const fails = async (candidate: Schedule): Promise<boolean> => {
      onReduce?.({ seed: schedule.seed, check, done, total: mostTrials });
      const { run, finding } = await this.#try(candidate);
      done += 1;
      requests += run.requests;
      return finding?.check === check;
    };
    return shrink(schedule, { fails, mayTry: () => done < mostTrials && requests < mostTrialRequests });
  }

  /** Returns the failure of a run with another history: its cause is not simulated. */
  async #repeated(run: RunResult): Promise<SimulationError | undefined> {
    const again = await this.#play(run.schedule, run.settings);
    const [one, other] = [historyOf(run).split('\n'), historyOf(again).split('\n')];
    const place = one.findIndex((line, index) => line !== other[index]);
    if (place < 0) return undefined;
    return unrepeatable(run, one[place] ?? 'nothing', other[place] ?? 'nothing');
  }

  /**
   * The run without faults is judged first: its findings are not due to faults.
   * @param isFinal whether a difference is examined with many chances
   */
  async #try(schedule: Schedule, isFinal = false): Promise<Trial> {
    const ideal = await this.#ideals.of(schedule);
    const own = await this.#ideals.findingOf(ideal);
    if (own !== undefined)
      return {
        run: { ...ideal.run, schedule: { ...ideal.run.schedule, seed: schedule.seed } },
        finding: own,
      };
    const [run, reference] = [await this.#play(schedule), ideal.run];
    const [finding] = run.findings;
    if (finding !== undefined) return { run, finding, reference };
    const lines = await this.#ideals.differences(ideal, run, isFinal);
    if (lines.length > 0) return { run, finding: findingOf('convergence', lines), reference };
    return { run, finding: findingOf('identity', await this.#ideals.replaced(ideal, run)), reference };
  }

  /** Repeats a run in which the server has loaded a schema, which takes time that is not virtual. */
  async #play(schedule: Schedule, settings: RunSettings = {}): Promise<RunResult> {
    for (;;) {
      this.#options.signal?.throwIfAborted();
      const before = await loadedSchemas();
      const run = await play(this.#setup, schedule, settings, this.#rejections.listen);
      if ((await loadedSchemas()) === before) return run;
    }
  }
}

/** Returns a failure that does not depend on seeds. */
function steadyFailure(run: StoryRun, finding: Finding): SimulationError {
  const context = { original: run.schedule.steps.length, repetition: independentOfSeeds };
  return new SimulationError(storyOf(run, finding, context), finding, run);
}

/** Returns the kind of a failure before its schedule is reduced. */
function kindOfFinding(finding: Finding, run: RunResult): string {
  return kindOf({ check: finding.check, site: siteOf(finding, run) });
}
