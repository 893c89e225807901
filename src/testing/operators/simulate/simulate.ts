/** Simulation of operators: many schedules of faults on a server in memory, in virtual time. */
import type { KubernetesObject } from '@kgen/runtime';
import { preload } from '@kgen/runtime/rest';
import { type JsonObject, putAt } from '@kgen/schema/values/json';
import type { PermissionReport } from '@kgen/testserver/internal/access/permissions';
import { loadedSchemas } from '@kgen/testserver/internal/resources/builtin/schemas';
import { type ComparedField, Exceptions } from './checks/compare/exceptions.ts';
import type { CheckName, Finding } from './checks/finding.ts';
import type { Invariant } from './checks/invariants.ts';
import { type ClusterBase, type ClusterOptions, clusterBase, permissionsOf } from './cluster.ts';
import { Coverage, type WriteCoverage, writeKey } from './coverage.ts';
import { findLeak } from './endurance/endurance.ts';
import { historyOf, type TimelineEntry, timelineEntryOf } from './history.ts';
import { installGlobals } from './process/globals.ts';
import type { Operator } from './process/operator.ts';
import { Rejections } from './process/rejections.ts';
import { Ideals } from './run/ideals.ts';
import { play } from './run/run.ts';
import type { RunResult, RunSettings, RunSetup } from './run/run-result.ts';
import { type SampleObjects, type Samples, samplesIn } from './samples.ts';
import { type DisturbanceName, possibleFaults } from './schedule/actions.ts';
import { scheduleOf } from './schedule/plan.ts';
import type { Schedule, ScheduleScope, Step } from './schedule/schedule.ts';
import { mostTrialRequests, mostTrials, type ReductionProgress, shrink } from './schedule/shrink.ts';
import { type StoryRun, storyOf } from './story.ts';

/** Options of `simulate`. The cluster has the options of `startTestServer`. */
export interface SimulateOptions extends ClusterOptions {
  /**
   * Number of schedules, from seed 1, or the seeds. Default: 100. The environment variable `KGEN_SEED`
   * replaces them by one.
   */
  readonly seeds?: number | readonly number[];
  /**
   * Objects that users create, change field by field, and delete: the result of `samplesOf`, or objects.
   * Default: samples of the kinds that `crds` define and the operator reads; of all of them if it reads none.
   */
  readonly samples?: SampleObjects | Promise<SampleObjects>;
  /** Maximum number of objects of a schedule. Default: 3. */
  readonly objectsPerSeed?: number;
  /** Maximum number of faults, changes and deletions of a schedule. Default: 8. */
  readonly stepsPerSeed?: number;
  /** Kinds of actions that do not happen: `tamper` for operators that do not restore changed fields. */
  readonly without?: readonly DisturbanceName[];
  /** Conditions that hold after each step. Default: none. */
  readonly invariants?: readonly Invariant[];
  /**
   * Whether an object may exist after all objects of users were deleted, as a backup does. Such objects
   * depend on the past, and are not compared. Default: none.
   */
  readonly outlives?: (object: KubernetesObject) => boolean;
  /** Fields that are not compared with those of the run without faults: results of `fieldOf`. */
  readonly ignore?: readonly ComparedField[];
  /** Fields that are compared by a rule of their own: `{ ...fieldOf(apps, ['status']), isSame }`. */
  readonly compare?: readonly ComparedField[];
  /** Called before each run: it resets state outside of the cluster, such as that of an external service. */
  readonly start?: () => void | Promise<void>;
  /** Called after each seed that passed. */
  readonly onSeed?: (progress: SimulationProgress) => void;
  /** Called before each schedule that is tried to find the smallest one with which a seed fails. */
  readonly onReduce?: (progress: ReductionProgress) => void;
  /** Ends the simulation before its next run: `simulate` rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The progress of a simulation: a seed that passed. */
export interface SimulationProgress {
  readonly seed: number;
  /** Number of seeds that have passed, including this one. */
  readonly done: number;
  /** Number of seeds that the simulation runs. */
  readonly total: number;
  /** Every request and change of the run of the seed, one per line. Created when it is read. */
  readonly history: string;
}

/** The result of a simulation without a failure. */
export interface SimulationReport {
  /** Number of schedules that passed. */
  readonly seeds: number;
  /** Requests of the operator in all schedules, without those for leases and events. */
  readonly requests: number;
  /**
   * Uses of timers, clocks and random numbers by the operator's own code, with their lines. A simulation
   * replaces them.
   */
  readonly uses: readonly string[];
  /** The writes of the operator in the order in which they were sent first, with the faults that they met. */
  readonly coverage: readonly WriteCoverage[];
  /**
   * The requests of all schedules, compared with the rules of the service account; `undefined` without the
   * option `as`.
   */
  readonly permissions: PermissionReport | undefined;
  /**
   * Fields that were found to depend on chance, such as random passwords, as `secrets: data.password`. Their
   * values are not compared between runs.
   */
  readonly chance: readonly string[];
}

/** A violated rule, with details, one per line. */
interface Violation {
  readonly check: CheckName | 'determinism';
  readonly message: string;
}

/** A schedule with which an operator fails. `message` is the story: what happened in which order. */
export class SimulationError extends Error {
  readonly seed: number;
  /** Name of the violated rule. */
  readonly check: CheckName | 'determinism';
  /** The smallest schedule that was found to fail in the same way. */
  readonly schedule: Schedule;
  /** Requests and changes of the smallest failing schedule, one per line. */
  readonly history: string;
  /** Events of the smallest failing schedule, in their order. */
  readonly timeline: readonly TimelineEntry[];
  /** The violated rule in detail, one line for each differing field, object or request. */
  readonly details: readonly string[];

  constructor(story: string, { check, message }: Violation, run: StoryRun) {
    super(story);
    this.name = 'SimulationError';
    this.seed = run.schedule.seed;
    this.check = check;
    this.schedule = run.schedule;
    this.history = historyOf(run);
    this.timeline = run.entries.map(timelineEntryOf);
    this.details = message.split('\n');
  }
}

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
  await preload();
  const base = await clusterBase(options);
  const samples = await samplesIn(base, await options.samples);
  const restoreGlobals = installGlobals();
  const rejections = new Rejections();
  try {
    const simulation = new Simulation(operator, base, samples, options, rejections);
    return await simulation.run(seedsOf(options));
  } finally {
    rejections.stop();
    restoreGlobals();
  }
}

function seedsOf({ seeds = 100 }: SimulateOptions): readonly number[] {
  const replayed = process.env['KGEN_SEED'];
  if (replayed !== undefined && replayed !== '') {
    const seed = Number(replayed);
    if (Number.isSafeInteger(seed)) return [seed];
    throw new TypeError(`KGEN_SEED must be an integer, got ${replayed}`);
  }
  return typeof seeds === 'number' ? Array.from({ length: seeds }, (_, index) => index + 1) : seeds;
}

/** A schedule that was played with and without its faults. */
interface Trial {
  readonly run: RunResult;
  readonly finding: Finding | undefined;
}

const sendsNothing =
  'the operator has sent no request: its function must return a Manager, or a promise that resolves to one, ' +
  'to which it passes the configuration and the options';

class Simulation {
  #setup: RunSetup;
  readonly #samples: Samples;
  readonly #options: SimulateOptions;
  readonly #rejections: Rejections;
  readonly #uses = new Set<string>();
  readonly #ideals: Ideals;
  readonly #coverage = new Coverage();
  #requests = 0;

  constructor(
    operator: Operator,
    base: ClusterBase,
    samples: Samples,
    options: SimulateOptions,
    rejections: Rejections,
  ) {
    const { invariants = [], ignore = [], compare = [], outlives, start } = options;
    this.#setup = {
      operator,
      base,
      invariants,
      sampleResources: samples.resources,
      // seam: an object of the server is an object of Kubernetes.
      outlives: (object) => outlives?.(object as KubernetesObject) ?? false,
      start,
      random: new Set(),
    };
    this.#ideals = new Ideals(
      (schedule, settings) => this.#play(schedule, settings),
      new Exceptions([...ignore, ...compare]),
    );
    this.#samples = samples;
    this.#options = options;
    this.#rejections = rejections;
  }

  async run(seeds: readonly number[]): Promise<SimulationReport> {
    const scope = await this.#explore();
    const { onSeed } = this.#options;
    for (const [index, seed] of seeds.entries()) {
      const run = await this.#check(scheduleOf(seed, scope));
      onSeed?.({
        seed,
        done: index + 1,
        total: seeds.length,
        get history(): string {
          return historyOf(run);
        },
      });
    }
    await this.#endure(scope, seeds);
    return {
      seeds: seeds.length,
      requests: this.#requests,
      uses: [...this.#uses],
      coverage: this.#coverage.report([...possibleFaults(scope).keys()]),
      permissions: permissionsOf(this.#setup.base),
      chance: this.#ideals.chanceLines,
    };
  }

  /** @throws {SimulationError} if the operator keeps more and more */
  async #endure({ samples, writes }: ScheduleScope, seeds: readonly number[]): Promise<void> {
    this.#rejections.listen(() => undefined);
    const leak = await findLeak({
      setup: this.#setup,
      samples,
      writes,
      seeds,
      proceed: () => this.#options.signal?.throwIfAborted(),
    });
    if (leak === undefined) return;
    throw new SimulationError(storyOf(leak, leak.finding, leak.schedule.steps.length), leak.finding, leak);
  }

  /** Finds the requests of the operator in a run without faults. */
  async #explore(): Promise<ScheduleScope> {
    const { objectsPerSeed: objects = 3, stepsPerSeed: steps = 8, without = [] } = this.#options;
    const samples = await this.#relevantSamples();
    const created = samples.slice(0, 5).map(
      (object, index): Step => ({
        do: 'create',
        object: putAt(object, ['metadata', 'name'], `object-${index + 1}`),
        waitMs: 1_000,
      }),
    );
    const first = { seed: 0, replicas: 1, steps: created };
    const run = await this.#check(first);
    const { accesses, hasElection, hasWebhooks, writes: sent } = run;
    if (accesses.length === 0 && !hasWebhooks) throw new TypeError(sendsNothing);
    // An operator that remembers an earlier run would hide its bugs in all later ones.
    const ideal = await this.#ideals.of(first);
    await this.#checkRepeatable(ideal.run);
    await this.#ideals.vary(ideal, 1);
    this.#setup = { ...this.#setup, random: new Set(ideal.chance.lines) };
    const writes = [...new Map(sent.map(({ write }) => [writeKey(write), write])).values()];
    return { samples, objects, steps, accesses, writes, without, hasElection };
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
    if (finding !== undefined) {
      await this.#checkRepeatable(run);
      await this.#checkRepeatable((await this.#ideals.of(schedule)).run);
    }
    this.#requests += run.requests;
    for (const use of run.uses) this.#uses.add(use);
    for (const { write, faults } of run.writes) this.#coverage.add(write, faults);
    if (finding === undefined) return run;
    // Fewer steps would need fewer of the missing permissions.
    const isWhole = finding.check === 'permissions';
    const small = isWhole ? schedule : await this.#shrink(schedule, finding.check);
    const last = await this.#try(small, true);
    const shown = last.finding ?? finding;
    throw new SimulationError(storyOf(last.run, shown, schedule.steps.length), shown, last.run);
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
    const [first] = ideal.run.findings;
    if (first !== undefined) {
      const own = { ...ideal.run.schedule, seed: schedule.seed };
      return { run: { ...ideal.run, schedule: own }, finding: first };
    }
    const run = await this.#play(schedule);
    const [finding] = run.findings;
    if (finding !== undefined) return { run, finding };
    const lines = await this.#ideals.differences(ideal, run, isFinal);
    return {
      run,
      finding: lines.length === 0 ? undefined : { check: 'convergence', message: lines.join('\n') },
    };
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
