/** Simulation of operators: many schedules of faults on a server in memory, in virtual time. */
import { preload } from '@kgen/runtime/rest';
import { clusterBase } from './cluster.ts';
import type { SimulateOptions, SimulationReport } from './options.ts';
import { installGlobals } from './process/globals.ts';
import type { Operator } from './process/operator.ts';
import { Rejections } from './process/rejections.ts';
import { Simulation } from './run/simulation.ts';
import { samplesIn } from './samples.ts';
import { checkNames } from './schedule/actions.ts';
import { loadSchedule } from './schedule/saved.ts';

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
 * @throws {TypeError} if there are no samples, an option, `KGEN_SEED` or the schedule is invalid, or the
 * operator sends no request
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
  return withSimulation(operator, options, (simulation) => simulation.run());
}

/**
 * Calls a function with a simulation, whose seeds it runs. Simulations run one after the other.
 * @throws {Error} if the cluster cannot be created
 */
export function withSimulation<T>(
  operator: Operator,
  options: SimulateOptions,
  use: (simulation: Simulation) => Promise<T>,
): Promise<T> {
  // One after the other: each replaces the listeners of unhandled rejections.
  const simulation = previous.then(() => simulated(operator, options, use));
  previous = simulation.catch(() => undefined);
  return simulation;
}

/** The simulation that was started last. Never rejects. */
let previous: Promise<unknown> = Promise.resolve();

async function simulated<T>(
  operator: Operator,
  options: SimulateOptions,
  use: (simulation: Simulation) => Promise<T>,
): Promise<T> {
  const { schedule, without = [] } = options;
  checkNames(without);
  const saved = schedule === undefined ? undefined : loadSchedule(schedule);
  const seeds = saved === undefined ? seedsOf(options) : [saved.seed];
  await preload();
  const base = await clusterBase(options);
  const samples = await samplesIn(base, await options.samples);
  const restoreGlobals = installGlobals();
  const rejections = new Rejections();
  try {
    return await use(new Simulation({ operator, base, samples, options, rejections, seeds, saved }));
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
