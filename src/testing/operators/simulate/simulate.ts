/** Simulation of operators: many schedules of faults on a server in memory, in virtual time. */
import type { KubernetesObject } from '@kgen/runtime';
import { preload } from '@kgen/runtime/rest';
import { type JsonObject, text } from '@kgen/schema/values/json';
import { errorText } from '@kgen/schema/values/thrown';
import { loadedSchemas } from '@kgen/testserver/internal/resources/builtin/schemas';
import { bystandersOf } from './checks/bystanders.ts';
import { Exceptions } from './checks/compare/exceptions.ts';
import { type CheckName, type Finding, findingOf } from './checks/finding.ts';
import { type ClusterBase, clusterBase, idOf, permissionsOf } from './cluster.ts';
import { Coverage, writeKey } from './coverage.ts';
import { findLeak } from './endurance/endurance.ts';
import { historyOf } from './history.ts';
import type { SimulateOptions, SimulationReport } from './options.ts';
import { installGlobals } from './process/globals.ts';
import type { Operator } from './process/operator.ts';
import { Rejections } from './process/rejections.ts';
import { itemOutlives } from './process/services/served-services.ts';
import { distinctFailures, kindOf, type SeedFailure } from './run/failures.ts';
import { withFlips } from './run/flips.ts';
import { Ideals } from './run/ideals.ts';
import { play } from './run/run.ts';
import type { RunResult, RunSettings, RunSetup } from './run/run-result.ts';
import { withBystanders } from './run/with-bystanders.ts';
import { acceptedEdits, referencesIn, type Samples, samplesIn } from './samples.ts';
import { checkNames, possibleFaults } from './schedule/actions.ts';
import {
  causedWrites,
  changesOf,
  explorationOf,
  kindsOf,
  learntEdits,
  usedAccesses,
} from './schedule/exploration.ts';
import { scheduleOf } from './schedule/plan.ts';
import { loadSchedule, saveSchedule } from './schedule/saved.ts';
import { creations, type Schedule, type ScheduleScope } from './schedule/schedule.ts';
import { mostTrialRequests, mostTrials, shrink } from './schedule/shrink.ts';
import { SimulationError, type StoryRun, siteOf, storyOf } from './story.ts';

/**
 * Runs an operator on a server in memory in virtual time, once for each seed. A seed determines a schedule:
 * users who create, change and delete objects, late and interrupted watches, failed requests, lost responses,
 * crashes between two requests, restarts, and other leaders. The same seed has the same history.
 *
 * Each run must reach the state of the same run without faults, come to rest, and leave nothing behind when
 * the objects of users are deleted. The operator is the function that builds its manager; it is called for
 * each process, and passes `options` to the `Manager`. Simulations run one after the other.
 * @throws the reason of `signal`, once it aborts
 * @throws {SimulationError} for the first seed that fails, with the smallest schedule that was found
 * @throws {Error} if the cluster cannot be created
 * @example
 * ```ts
 * import { Controller, Manager } from '@kgen/controller';
 * import { InformerFactory } from '@kgen/runtime';
 * import { samplesOf, simulate } from '@kgen/testing';
 * import { redisClusters } from './generated/cache.example.com/v1/index.js';
 *
 * const report = await simulate(
 *   (config, options) => {
 *     const manager = new Manager(config, { name: 'cache', ...options });
 *     const clusters = new InformerFactory(manager).of(redisClusters);
 *     return manager.add(new Controller({ name: 'cache', for: clusters, reconcile: () => undefined }));
 *   },
 *   { crds: ['crds/rediscluster.yaml'], samples: samplesOf(redisClusters), seeds: 3 },
 * );
 * console.log(report.seeds); // 3
 * ```
 */
export function simulate(operator: Operator, options: SimulateOptions): Promise<SimulationReport> {
  // One after the other: each replaces the listeners of unhandled rejections.
  const simulation = previous.then(() => simulated(operator, options));
  previous = simulation.catch(() => undefined);
  return simulation;
}

/** The simulation that was started last. Never rejects. */
let previous: Promise<unknown> = Promise.resolve();

async function simulated(operator: Operator, options: SimulateOptions): Promise<SimulationReport> {
  const { schedule, without = [] } = options;
  checkNames(without);
  const saved = schedule === undefined ? undefined : loadSchedule(schedule);
  await preload();
  const base = await clusterBase(options);
  const samples = await samplesIn(base, await options.samples);
  const restoreGlobals = installGlobals();
  const rejections = new Rejections();
  try {
    const simulation = new Simulation(operator, base, samples, options, rejections);
    return await simulation.run(saved === undefined ? seedsOf(options) : [saved.seed], saved);
  } finally {
    rejections.stop();
    restoreGlobals();
  }
}

/** Returns the seeds of a simulation. */
export function seedsOf({ seeds }: SimulateOptions): readonly number[] {
  const replayed = process.env['KGEN_SEED'];
  if (replayed !== undefined && replayed !== '') {
    const seed = Number(replayed);
    if (Number.isSafeInteger(seed)) return [seed];
    throw new TypeError(`KGEN_SEED must be an integer, got ${replayed}`);
  }
  return typeof seeds === 'object' ? seeds : seedRange(1, seeds);
}

/** Returns seeds one after the other. */
export function seedRange(from = 1, length = 100): readonly number[] {
  return Array.from({ length }, (_, index) => from + index);
}

/** A schedule that was played with and without its faults. */
interface Trial {
  readonly run: RunResult;
  readonly finding: Finding | undefined;
}

const sendsNothing =
  'the operator has sent no request: its function must return a Manager, or a promise that resolves to one, ' +
  'to which it passes the configuration and the options';

const independentOfSeeds = 'Repeat the simulation: this run does not depend on its seeds.';

class Simulation {
  #setup: RunSetup;
  readonly #samples: Samples;
  readonly #options: SimulateOptions;
  readonly #rejections: Rejections;
  readonly #uses = new Set<string>();
  readonly #ideals: Ideals;
  readonly #coverage = new Coverage();
  readonly #failures: SeedFailure[] = [];
  /** The first failure of each kind, as it is before its schedule is reduced. */
  readonly #knownFailures = new Map<string, SimulationError>();
  #requests = 0;

  constructor(
    operator: Operator,
    base: ClusterBase,
    samples: Samples,
    options: SimulateOptions,
    rejections: Rejections,
  ) {
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
    this.#samples = samples;
    this.#options = options;
    this.#rejections = rejections;
  }

  /** @param saved the schedule of the only seed */
  async run(seeds: readonly number[], saved: Schedule | undefined): Promise<SimulationReport> {
    const scope = await this.#explore();
    const { onSeed } = this.#options;
    for (const [index, seed] of seeds.entries()) {
      const run = await this.#passing(seed, () => this.#check(saved ?? scheduleOf(seed, scope)));
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
    if (saved === undefined) await this.#passing(0, () => this.#endure(scope, seeds));
    return {
      seeds: seeds.length - this.#failures.filter(({ seed }) => seed !== 0).length,
      failures: distinctFailures(this.#failures),
      requests: this.#requests,
      uses: [...this.#uses],
      coverage: this.#coverage.report([...possibleFaults(scope).keys()]),
      permissions: permissionsOf(this.#setup.base),
      chance: this.#ideals.chanceLines,
    };
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

  /** @throws {SimulationError} if the operator keeps more and more */
  async #endure({ samples, writes: caused }: ScheduleScope, seeds: readonly number[]): Promise<void> {
    this.#rejections.listen(() => undefined);
    const writes = [...new Map(caused.map(({ write }) => [writeKey(write), write])).values()];
    const leak = await findLeak({
      setup: this.#setup,
      samples,
      writes,
      seeds,
      proceed: () => this.#options.signal?.throwIfAborted(),
    });
    if (leak !== undefined) throw steadyFailure(leak, leak.finding);
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
    await this.#checkRepeatable(ideal.run);
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
      edits: learntEdits(changed),
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
    const { run, finding } = await this.#try(schedule, true);
    this.#requests += run.requests;
    for (const use of run.uses) this.#uses.add(use);
    for (const { write, faults } of run.writes) this.#coverage.add(write, faults);
    if (finding === undefined) return run;
    const kind = kindOf({ check: finding.check, site: siteOf(finding, run) });
    const known = this.#knownFailures.get(kind);
    if (known !== undefined) throw known;
    await this.#checkRepeatable(run);
    await this.#checkRepeatable((await this.#ideals.of(schedule)).run);
    // Fewer steps would need fewer of the missing permissions.
    const isWhole = finding.check === 'permissions';
    const small = isWhole ? schedule : await this.#shrink(schedule, finding.check);
    const last = await this.#try(small, true);
    const shown = withFlips(last.finding ?? finding, last.run.entries);
    const repetition = this.#repetition(shown.check, last.run.schedule);
    const story = storyOf(last.run, shown, { original: schedule.steps.length, repetition });
    const error = new SimulationError(story, shown, last.run);
    this.#knownFailures.set(kind, error);
    throw error;
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

  /** A history that differs has a cause that is not simulated. */
  async #checkRepeatable(run: RunResult): Promise<void> {
    const again = await this.#play(run.schedule, run.settings);
    const [one, other] = [historyOf(run).split('\n'), historyOf(again).split('\n')];
    const place = one.findIndex((line, index) => line !== other[index]);
    if (place < 0) return;
    const story = [
      `seed ${run.schedule.seed}: the operator behaves differently in two runs of the same schedule:`,
      `  first:  ${one[place]}`,
      `  second: ${other[place] ?? 'nothing'}`,
      'It keeps state outside of its function, or uses something that is not simulated.',
    ];
    const message = story.slice(1, 3).join('\n');
    throw new SimulationError(story.join('\n'), { check: 'determinism', message }, run);
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
    const run = await this.#play(schedule);
    const [finding] = run.findings;
    if (finding !== undefined) return { run, finding };
    const lines = await this.#ideals.differences(ideal, run, isFinal);
    if (lines.length > 0) return { run, finding: findingOf('convergence', lines) };
    return { run, finding: findingOf('identity', await this.#ideals.replaced(ideal, run)) };
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
