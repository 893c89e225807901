/** Types of a run: its common parts, its settings and its result. */

import type { JsonObject } from '@kgen/schema/values/json';
import type { Bystander } from '../checks/bystanders.ts';
import type { Exceptions } from '../checks/compare/exceptions.ts';
import type { Snapshot } from '../checks/compare/snapshot.ts';
import type { Passed } from '../checks/due.ts';
import type { Finding } from '../checks/finding.ts';
import type { Invariant } from '../checks/invariants.ts';
import type { ClusterBase } from '../cluster.ts';
import type { Interleaving } from '../coverage.ts';
import type { Entry } from '../history.ts';
import type { Operator } from '../process/operator.ts';
import type { Access, Schedule } from '../schedule/schedule.ts';
import type { Declaration } from './declarations.ts';
import type { PassingTime } from './pass-time.ts';
import type { LoggedWrite } from './run-log.ts';

/** Common parts of the runs of one operator. */
export interface RunSetup {
  readonly operator: Operator;
  readonly base: ClusterBase;
  /** Objects of others, which must not change. */
  readonly bystanders: readonly Bystander[];
  readonly invariants: readonly Invariant[];
  /** Secrets and ConfigMaps to which objects refer, and which users change. */
  readonly references: readonly JsonObject[];
  /** Storage keys of the resources of users' objects. */
  readonly sampleResources: ReadonlySet<string>;
  /** Whether an object may exist after all objects of users were deleted. */
  readonly outlives: (object: JsonObject, resource: string) => boolean;
  /** Called before each run. */
  readonly start?: (() => void | Promise<void>) | undefined;
  readonly exceptions: Exceptions;
  /** Fields that depend on chance, as `resource: path`: the operator cannot restore them. */
  readonly random: ReadonlySet<string>;
}

/** The result of a run. */
export interface RunResult {
  readonly schedule: Schedule;
  readonly settings: RunSettings;
  readonly entries: readonly Entry[];
  readonly findings: readonly Finding[];
  /** The state at rest, before the objects of users are deleted. */
  readonly snapshot: Snapshot;
  /** Keys of the objects that were removed until then, not because of another client. */
  readonly removed: ReadonlySet<string>;
  /** Kinds of the objects of others that were changed. */
  readonly changed: ReadonlySet<string>;
  /** The objects that users had declared after each of their changes, the latest ones last. */
  readonly declared: readonly (readonly Declaration[])[];
  readonly accesses: readonly Access[];
  readonly writes: readonly LoggedWrite[];
  /** Interleavings of two controllers that were met. */
  readonly interleavings: readonly Interleaving[];
  readonly hasElection: boolean;
  /** Whether a process has served webhooks. */
  readonly hasWebhooks: boolean;
  /** The time that has passed at rest; `undefined` unless `time` is a setting of the run. */
  readonly passed: Passed | undefined;
  /** Requests of the operator. */
  readonly requests: number;
  /** Uses of what a simulation replaces, with their lines. */
  readonly uses: readonly string[];
  /** Indices of the steps after which the operator has logged errors, until the next step. */
  readonly erring: ReadonlySet<number>;
  /** Errors of the operator's log, in their order. */
  readonly errors: readonly string[];
}

/** Settings of a run that are not part of its schedule. */
export interface RunSettings {
  /** Random numbers of the run. Default: those of its seed. */
  readonly chance?: number;
  /** Whether only the state at rest matters. Default: `false`. */
  readonly endsAtRest?: boolean;
  /** Whether no leader is elected, whose renewals of the lease take long. Default: `false`. */
  readonly withoutElection?: boolean;
  /** Time that passes at rest. Default: none. */
  readonly time?: PassingTime;
  /** Whether the operator is examined at rest. Default: `false`. */
  readonly examinesRest?: boolean;
}
