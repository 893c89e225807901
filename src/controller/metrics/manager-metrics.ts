/** Metrics of a manager: one registry with the metric names of controller-runtime and client-go. */
import { Registry } from 'prom-client';
import { ControllerFamilies } from './controller-metrics.ts';
import {
  InformerFamilies,
  type InformerLabels,
  type InformerMetrics,
  type InformerState,
} from './informer-metrics.ts';
import type { Reconciliations } from './observer.ts';
import {
  type ElectionState,
  ProcessFamilies,
  type ProcessMetrics,
  type RecorderState,
  type RingState,
  registerElection,
  registerEvents,
  registerRing,
} from './process-metrics.ts';
import { QueueFamilies, type QueueMetrics } from './queue-metrics.ts';
import { RestClientFamilies } from './rest-client-metrics.ts';

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
  /** Counters of the event loop and of informers. */
  readonly process: ProcessMetrics;
  readonly #queues: QueueFamilies;
  readonly #informers: InformerFamilies;
  readonly #unsubscribe: () => void;

  /** Registers the metrics, and begins to count the requests of all clients of the process until `close`. */
  constructor({ registry = new Registry() }: ManagerMetricsOptions = {}) {
    this.registry = registry;
    this.reconciliations = new ControllerFamilies(registry);
    this.#queues = new QueueFamilies(registry);
    this.#informers = new InformerFamilies(registry);
    this.process = new ProcessFamilies(registry);
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

  /** Adds the metrics of a leader election, whose state each scrape reads: `() => elector.stats()`. */
  election(name: string, state: () => ElectionState): void {
    registerElection(this.registry, name, state);
  }

  /** Adds the metrics of a ring of replicas, whose state each scrape reads: `() => ring.stats()`. */
  sharding(name: string, state: () => RingState): void {
    registerRing(this.registry, name, state);
  }

  /** Adds the metrics of the event recorder, whose state each scrape reads: `() => recorder.stats()`. */
  events(state: () => RecorderState): void {
    registerEvents(this.registry, state);
  }

  /** Ends the counting of requests. The registry keeps its values. */
  close(): void {
    this.#unsubscribe();
  }
}
