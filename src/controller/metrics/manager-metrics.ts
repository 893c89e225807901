/** Metrics of a manager: one registry with the metric names of controller-runtime and client-go. */
import { Registry } from 'prom-client';
import { type ControllerMetrics, controllerMetrics, registerRecords } from './controller-metrics.ts';
import { InformerFamilies } from './informer-metrics.ts';
import type { MeasuredController } from './manager-stats.ts';
import { ProcessFamilies } from './process-metrics.ts';
import { QueueFamilies } from './queue-metrics.ts';
import { RestClientFamilies } from './rest-client-metrics.ts';

/**
 * Metrics of a manager. Those of the program are added to the registry; those of the process with
 * `collectDefaultMetrics({ register: manager.metrics.registry })` of prom-client.
 */
export interface ManagerMetrics {
  /** Registry of the metrics: that of the options, or one of the manager. */
  readonly registry: Registry;
}

/** The metric families of a manager. */
export class ManagerFamilies implements ManagerMetrics {
  readonly registry: Registry;
  /** Metrics of the runs of all controllers. */
  readonly reconciliations: ControllerMetrics;
  readonly queues: QueueFamilies;
  readonly informers: InformerFamilies;
  /** Counters of the event loop, of informers and certificates. */
  readonly process: ProcessFamilies;
  readonly #unsubscribe: () => void;

  /**
   * Registers the metrics, and begins to count the requests of all clients of the process until `close`.
   * `controllers` returns those whose records are measured.
   */
  constructor(
    registry: Registry = new Registry(),
    controllers: () => readonly MeasuredController[] = () => [],
  ) {
    this.registry = registry;
    this.reconciliations = controllerMetrics(registry);
    registerRecords(registry, controllers);
    this.queues = new QueueFamilies(registry);
    this.informers = new InformerFamilies(registry);
    this.process = new ProcessFamilies(registry);
    this.#unsubscribe = new RestClientFamilies(registry).observe();
  }

  /** Ends the counting of requests. The registry keeps its values. */
  close(): void {
    this.#unsubscribe();
  }
}
