/** Metrics of a manager: one registry with the metric names of controller-runtime and client-go. */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Reconciliations } from '../controller/observer.ts';
import { ControllerFamilies } from './controller-metrics.ts';
import {
  InformerFamilies,
  type InformerLabels,
  type InformerMetrics,
  type InformerState,
} from './informer-metrics.ts';
import { QueueFamilies, type QueueMetrics } from './queue-metrics.ts';
import { RestClientFamilies } from './rest-client-metrics.ts';

/** Functions that a leader election calls for its metrics. */
export interface ElectionMetrics {
  /** Called when leadership begins or ends. */
  leading(isLeader: boolean): void;
  /** Called when a renewal needed a read of the Lease. */
  slowPath(): void;
}

/** Options of `ManagerMetrics`. */
export interface ManagerMetricsOptions {
  /** Registry of the metrics. Default: a new one. */
  registry?: Registry | undefined;
}

/**
 * Metrics of a manager in one registry. Metrics of the program are added to `registry`; those of the process
 * with `collectDefaultMetrics({ register: metrics.registry })` of prom-client.
 */
export class ManagerMetrics {
  readonly registry: Registry;
  /** Observer of the runs of all controllers. */
  readonly reconciliations: Reconciliations;
  readonly #queues: QueueFamilies;
  readonly #informers: InformerFamilies;
  readonly #masterStatus: Gauge<'name'>;
  readonly #slowPaths: Counter<'name'>;
  readonly #unsubscribe: () => void;

  /** Registers the metrics, and begins to count the requests of all clients of the process until `close`. */
  constructor({ registry = new Registry() }: ManagerMetricsOptions = {}) {
    this.registry = registry;
    this.reconciliations = new ControllerFamilies(registry);
    this.#queues = new QueueFamilies(registry);
    this.#informers = new InformerFamilies(registry);
    this.#masterStatus = new Gauge({
      name: 'leader_election_master_status',
      help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
      labelNames: ['name'],
      registers: [registry],
    });
    this.#slowPaths = new Counter({
      name: 'leader_election_slowpath_total',
      help: 'Total number of slow path exercised in renewing leader leases.',
      labelNames: ['name'],
      registers: [registry],
    });
    this.#unsubscribe = new RestClientFamilies(registry).observe();
  }

  /**
   * Returns the observer of a work queue. `poll` sets the function that returns its state:
   * `metrics.poll(() => queue.stats())`.
   */
  queue(name: string): QueueMetrics {
    return this.#queues.of(name);
  }

  /** Returns the metrics of an informer, whose state each scrape reads: `() => informer.stats()`. */
  informer(labels: InformerLabels, state: () => InformerState): InformerMetrics {
    return this.#informers.of(labels, state);
  }

  /** Returns the metrics of a leader election. */
  election(name: string): ElectionMetrics {
    this.#masterStatus.set({ name }, 0);
    this.#slowPaths.inc({ name }, 0);
    return {
      leading: (isLeader) => this.#masterStatus.set({ name }, isLeader ? 1 : 0),
      slowPath: () => this.#slowPaths.inc({ name }),
    };
  }

  /** Ends the counting of requests. The registry keeps its values. */
  close(): void {
    this.#unsubscribe();
  }
}
