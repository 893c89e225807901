/** An operator under simulation: a function of the user that builds its manager. */
import type { ClusterConfig } from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import type { Transport } from '@kgen/runtime/rest';

/** Receives one entry of a log. */
type LogMethod = (fields: object, message: string) => void;

/**
 * Options with which an operator builds its manager: `new Manager(config, { ...own, ...options })`. They
 * replace clock, random numbers, network and log, and switch off what belongs to a process: endpoints,
 * signals, and the review of permissions, because the operator is an administrator.
 */
export interface SimulatedOptions {
  readonly environment: RuntimeEnvironment;
  readonly client: { readonly transport: Transport; readonly encoding: 'json' };
  readonly log: {
    readonly debug: LogMethod;
    readonly info: LogMethod;
    readonly warn: LogMethod;
    readonly error: LogMethod;
  };
  readonly handleSignals: false;
  readonly checkPermissions: false;
  readonly metrics: undefined;
  readonly health: undefined;
}

/** Result of an operator: a `Manager` of `@kgen/controller`, or anything that runs like one. */
export interface SimulatedManager {
  /** Runs until `signal` aborts. A rejection is the exit of the process. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** Builds the manager of one process. It is called for each replica, and again after each crash. */
export type Operator = (
  config: ClusterConfig,
  options: SimulatedOptions,
) => SimulatedManager | Promise<SimulatedManager>;
