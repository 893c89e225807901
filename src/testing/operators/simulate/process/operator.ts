/** An operator under simulation: a function of the user that builds its manager. */
import { inspect } from 'node:util';
import type { ClusterConfig } from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import type { Transport } from '@kgen/runtime/rest';
import type { ServedReviews } from '../../../values/served-reviews.ts';

/** Receives one entry of a log. */
type LogMethod = (fields: object, message: string) => void;

/**
 * Options with which an operator builds its manager: `new Manager(config, { ...own, ...options })`. They
 * replace clock, random numbers, network, log and the server of webhooks, observe reconciles, and switch off
 * what belongs to a process: endpoints, signals, and the review of permissions, since the simulation itself
 * reports those that are missing.
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
  /** Observes the calls of reconcile functions of the controllers with these names. Default: none. */
  readonly aroundReconcile?: (reconcile: () => unknown, controller: string) => Promise<unknown>;
  readonly handleSignals: false;
  /** Present if no leader is elected. */
  readonly leaderElection?: undefined;
  readonly checkPermissions: false;
  readonly metrics: undefined;
  readonly health: undefined;
  /** Takes the place of the server of webhooks. */
  readonly serveWebhooks: (reviews: ServedReviews) => () => void;
}

/** Result of an operator: a `Manager` of `@kgen/controller`, or anything that runs like one. */
export interface SimulatedManager {
  /** Metrics with `controller_runtime_reconcile_total`. Without them, reconciles are not counted. */
  readonly metrics?: { readonly registry: CounterRegistry };
  /** Runs until `signal` aborts. A rejection is the exit of the process. */
  run(options: { readonly signal: AbortSignal }): Promise<void>;
}

/** A registry of prom-client. */
interface CounterRegistry {
  getSingleMetric(
    name: string,
  ): { get(): Promise<{ readonly values: readonly { readonly value: number }[] }> } | undefined;
}

/** Returns the number of reconciles of a manager so far. */
export async function reconcilesOf(manager: SimulatedManager | undefined): Promise<number> {
  const counter = manager?.metrics?.registry.getSingleMetric('controller_runtime_reconcile_total');
  const { values } = (await counter?.get()) ?? { values: [] };
  return values.reduce((sum, { value }) => sum + value, 0);
}

/** Builds the manager of one process. It is called for each replica, and again after each crash. */
export type Operator = (
  config: ClusterConfig,
  options: SimulatedOptions,
) => SimulatedManager | Promise<SimulatedManager>;

/** The function of an operator returns something that is not a manager. */
export class NoManagerError extends TypeError {
  override readonly name = 'NoManagerError';
}

/**
 * Returns the manager that the function of an operator has returned.
 * @throws {NoManagerError} if it is something else: JavaScript callers may violate the types
 */
export function managerOf<M extends object>(manager: M): M {
  const returned: unknown = manager;
  if (typeof returned === 'object' && returned !== null && 'run' in returned) {
    if (typeof returned.run === 'function') return manager;
  }
  throw new NoManagerError(
    'the function of the operator must return a Manager, or a promise that resolves to one: ' +
      `it returned ${inspect(returned, { depth: 0 })}`,
  );
}
