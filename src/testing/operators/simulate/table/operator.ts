/** Operators of table tests. */
import type { ClusterConfig } from '@kgen/runtime';
import type { SimulatedOptions } from '../process/operator.ts';

/**
 * Options with which an operator builds its manager: those of a simulation, without an election and a ring,
 * because one process runs.
 */
export interface TableOptions extends SimulatedOptions {
  readonly leaderElection: undefined;
  readonly sharding: undefined;
}

/** A reconcile that has ended. */
export interface TableReconcile {
  /** Name of the controller. */
  readonly controller: string;
  readonly key: { readonly namespace: string; readonly name: string };
  /** Delay that the function has returned, in milliseconds. */
  readonly requeueAfterMs: number | undefined;
  /** Error with which it has failed; `undefined` after a success. */
  readonly error: unknown;
}

/** The queues of the controllers; `ManualRuns` of `@kgen/controller`. */
export interface TableRuns {
  /** Removes all keys from the queues of the controllers. */
  discard(): Promise<void>;
  /** Reconciles each key that is in a queue now, once. Returns the ended reconciles. */
  perform(): Promise<readonly TableReconcile[]>;
}

/** Result of an operator: a `Manager` of `@kgen/controller`. */
export interface TableManager {
  /** Calls `manual` once the caches are complete, and stops when it settles. */
  run(options: {
    readonly signal: AbortSignal;
    readonly manual: (runs: TableRuns) => Promise<void>;
  }): Promise<void>;
}

/** Builds the manager of an operator, with options that it passes on last, as for `simulate`. */
export type TableOperator = (
  config: ClusterConfig,
  options: TableOptions,
) => TableManager | Promise<TableManager>;
