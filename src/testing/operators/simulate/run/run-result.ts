/** Types of a run: its common parts, its settings and its result. */
import type { JsonObject } from '@kgen/schema/values/json';
import type { Snapshot } from '../checks/compare/snapshot.ts';
import type { Finding } from '../checks/finding.ts';
import type { Invariant } from '../checks/invariants.ts';
import type { ClusterBase } from '../cluster.ts';
import type { SimulatedWrite } from '../coverage.ts';
import type { Entry } from '../history.ts';
import type { Operator } from '../process/operator.ts';
import type { FaultClass } from '../schedule/actions.ts';
import type { Access, Schedule } from '../schedule/schedule.ts';

/** Common parts of the runs of one operator. */
export interface RunSetup {
  readonly operator: Operator;
  readonly base: ClusterBase;
  readonly invariants: readonly Invariant[];
  /** Storage keys of the resources of users' objects. */
  readonly sampleResources: ReadonlySet<string>;
  /** Whether an object may exist after all objects of users were deleted. */
  readonly outlives: (object: JsonObject) => boolean;
  /** Called before each run. */
  readonly start?: (() => void | Promise<void>) | undefined;
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
  readonly accesses: readonly Access[];
  /** The writes of the operator, with the faults that they have met. */
  readonly writes: readonly { readonly write: SimulatedWrite; readonly faults: readonly FaultClass[] }[];
  readonly hasElection: boolean;
  /** Whether a process has served webhooks. */
  readonly hasWebhooks: boolean;
  /** Requests of the operator. */
  readonly requests: number;
  /** Uses of what a simulation replaces, with their lines. */
  readonly uses: readonly string[];
  /** Errors of the operator's log, in their order. */
  readonly errors: readonly string[];
}

/** Settings of a run that are not part of its schedule. */
export interface RunSettings {
  /** Random numbers of the run. Default: those of its seed. */
  readonly chance?: number;
  /** Whether only the state at rest matters. Default: `false`. */
  readonly endsAtRest?: boolean;
}
