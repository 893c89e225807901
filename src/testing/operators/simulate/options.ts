/** Options and results of `simulate`. */
import type { KubernetesObject } from '@kgen/runtime';
import type { PermissionReport } from '@kgen/testserver/internal/access/permissions';
import type { ComparedField } from './checks/compare/exceptions.ts';
import type { Invariant } from './checks/invariants.ts';
import type { ClusterOptions } from './cluster.ts';
import type { InterleavingCoverage, WriteCoverage } from './coverage.ts';
import type { DistinctFailure, SeedFailure } from './run/failures.ts';
import type { SampleObjects } from './samples.ts';
import type { DisturbanceName, SingleFault } from './schedule/actions.ts';
import type { ScheduleSource } from './schedule/saved.ts';
import type { ReductionProgress } from './schedule/shrink.ts';

/**
 * Options of `simulate`. The cluster has the options of `startTestServer`: relative paths begin at the
 * working directory, `new URL('../crds', import.meta.url)` is relative to a module.
 */
export interface SimulateOptions extends ClusterOptions {
  /**
   * Number of schedules, from seed 1, or the seeds. Default: 100. The environment variable `KGEN_SEED`
   * replaces them by one.
   */
  readonly seeds?: number | readonly number[];
  /**
   * The only schedule, in place of those of seeds: a value, or the path or the `file:` URL of a saved one.
   * Relative paths begin at the working directory.
   */
  readonly schedule?: ScheduleSource;
  /** Folder in which the smallest schedule of each failure is saved. Default: none is saved. */
  readonly saveSchedules?: string;
  /**
   * Objects that users create, change field by field, and delete: the result of `samplesOf`, or objects.
   * Default: samples of the kinds that `crds` define and the operator reads; of all of them if it reads none.
   */
  readonly samples?: SampleObjects | Promise<SampleObjects>;
  /** Maximum number of objects of a schedule. Default: 3. */
  readonly objectsPerSeed?: number;
  /** Maximum number of faults, changes and deletions of a schedule. Default: 8. */
  readonly stepsPerSeed?: number;
  /**
   * Kinds of actions, and single faults, that do not happen: `tamper` for operators that do not restore
   * changed fields, `stale list` for those that read from a server without a cache.
   */
  readonly without?: readonly (DisturbanceName | SingleFault)[];
  /** Conditions that hold after each change of the server, after each step, and at rest. Default: none. */
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
  /** Called before each run: it resets state outside of the cluster and of `services`. */
  readonly start?: () => void | Promise<void>;
  /** Called after each seed that passed. */
  readonly onSeed?: (progress: SimulationProgress) => void;
  /**
   * Called for each seed that fails: the simulation continues with the next seed, and its report has the
   * failures. Only the first seed of each kind of failure is reduced. Default: `simulate` rejects with the
   * first failure. A failure of the run before all seeds rejects in any case.
   */
  readonly onFailure?: (failure: SeedFailure) => void;
  /** Called before each schedule that is tried to find the smallest one with which a seed fails. */
  readonly onReduce?: (progress: ReductionProgress) => void;
  /** Ends the simulation before its next run: `simulate` rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** The progress of a simulation: a seed that passed. */
export interface SimulationProgress {
  readonly seed: number;
  /** Number of seeds that have run, including this one. */
  readonly done: number;
  /** Number of seeds that the simulation runs. */
  readonly total: number;
  /** Every request and change of the run of the seed, one per line. Created when it is read. */
  readonly history: string;
}

/** The result of a simulation. */
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
   * Pairs of writes of two controllers, with the number of times that the one came between the begin of a
   * reconcile and its write; empty for an operator with one controller.
   */
  readonly interleavings: readonly InterleavingCoverage[];
  /**
   * The requests of all schedules, compared with the rules of the service account; `undefined` without the
   * option `as`.
   */
  readonly permissions: PermissionReport | undefined;
  /** Distinct failures, if `onFailure` lets the simulation continue; otherwise empty. */
  readonly failures: readonly DistinctFailure[];
  /**
   * Fields that were found to depend on chance, such as random passwords, as `secrets: data.password`. Their
   * values are not compared between runs.
   */
  readonly chance: readonly string[];
}
