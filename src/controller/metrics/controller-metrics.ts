/** Metrics of controllers, with the names, labels and buckets of controller-runtime, and those of kgen. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Result of a run, as controller-runtime distinguishes them. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** A finished run. */
export interface FinishedRun {
  readonly result: ReconcileResult;
  readonly durationMs: number;
  /** Whether the error is terminal: the key is not requeued. Default: false. */
  readonly isTerminal?: boolean | undefined;
  /** Whether the reconcile function threw or rejected with a value that is not an `Error`. Default: false. */
  readonly isPanic?: boolean | undefined;
  /** Whether the run exceeded its time limit. Default: false. */
  readonly isTimeout?: boolean | undefined;
}

/** Functions that a controller calls for its metrics. None throws. */
export interface ControllerMetrics {
  /** Called when a run starts. */
  started(): void;
  /** Called when a run has ended, once per `started`. */
  ended(run: FinishedRun): void;
  /** Called for a run that was requeued after a conflict (409). */
  conflicted(): void;
  /** Called for a run that waits because the cache lacks an own creation of this resource. */
  skippedStale(resource: { readonly group: string; readonly resource: string }): void;
  /** Called for a write that was not sent because nothing would change. */
  skippedWrite(verb: string): void;
  /** Called for a key that keeps writing without a foreign change. */
  foundHotLoop(): void;
}

const results: readonly ReconcileResult[] = ['success', 'error', 'requeue', 'requeue_after'];

/** In seconds. */
const timeBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Metric families of the controllers of a registry. */
export class ControllerFamilies {
  readonly #total: Counter<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #terminal: Counter<'controller'>;
  readonly #panics: Counter<'controller'>;
  readonly #timeouts: Counter<'controller'>;
  readonly #conflicts: Counter<'controller'>;
  readonly #hotLoops: Counter<'controller'>;
  readonly #staleSkips: Counter<'controller' | 'group' | 'resource'>;
  readonly #noopWrites: Counter<'controller' | 'verb'>;
  readonly #time: Histogram<'controller'>;
  readonly #maxConcurrent: Gauge<'controller'>;
  readonly #activeWorkers: Gauge<'controller'>;

  constructor(registry: Registry) {
    const counter = <L extends string = 'controller'>(
      name: string,
      help: string,
      ...labels: readonly L[]
    ): Counter<L | 'controller'> =>
      new Counter({ name, help, labelNames: ['controller', ...labels], registers: [registry] });
    const gauge = (name: string, help: string): Gauge<'controller'> =>
      new Gauge({ name, help, labelNames: ['controller'], registers: [registry] });
    const prefix = 'controller_runtime';
    this.#total = counter(`${prefix}_reconcile_total`, 'Total number of reconciliations', 'result');
    this.#errors = counter(`${prefix}_reconcile_errors_total`, 'Total number of reconciliation errors');
    this.#terminal = counter(`${prefix}_terminal_reconcile_errors_total`, 'Total number of terminal errors');
    this.#panics = counter(`${prefix}_reconcile_panics_total`, 'Total number of reconciliation panics');
    this.#timeouts = counter(`${prefix}_reconcile_timeouts_total`, 'Total number of reconciliation timeouts');
    this.#conflicts = counter('kgen_controller_conflicts_total', 'Runs that were requeued after a conflict');
    this.#hotLoops = counter('kgen_controller_hot_loops_total', 'Keys that kept writing without a change');
    this.#staleSkips = counter(
      'kgen_controller_stale_skips_total',
      'Runs that waited because the cache lacked an own creation',
      'group',
      'resource',
    );
    this.#noopWrites = counter(
      'kgen_controller_noop_writes_total',
      'Writes that were not sent because nothing would change',
      'verb',
    );
    this.#maxConcurrent = gauge(`${prefix}_max_concurrent_reconciles`, 'Maximum number of runs at once');
    this.#activeWorkers = gauge(`${prefix}_active_workers`, 'Number of runs at present');
    this.#time = new Histogram({
      name: `${prefix}_reconcile_time_seconds`,
      help: 'Duration of reconciliations',
      labelNames: ['controller'],
      buckets: timeBuckets,
      registers: [registry],
    });
  }

  /** Returns the metrics of one controller. Its counters exist with the value 0 from now on. */
  of(controller: string, maxConcurrent: number): ControllerMetrics {
    const labels = { controller };
    for (const result of results) this.#total.inc({ controller, result }, 0);
    for (const counter of [this.#errors, this.#terminal, this.#panics]) counter.inc(labels, 0);
    for (const counter of [this.#timeouts, this.#conflicts, this.#hotLoops]) counter.inc(labels, 0);
    this.#maxConcurrent.set(labels, maxConcurrent);
    this.#activeWorkers.set(labels, 0);
    return {
      started: () => this.#activeWorkers.inc(labels),
      ended: (run) => this.#end(controller, run),
      conflicted: () => this.#conflicts.inc(labels),
      skippedStale: ({ group, resource }) => this.#staleSkips.inc({ controller, group, resource }),
      skippedWrite: (verb) => this.#noopWrites.inc({ controller, verb }),
      foundHotLoop: () => this.#hotLoops.inc(labels),
    };
  }

  #end(controller: string, { result, durationMs, isTerminal, isPanic, isTimeout }: FinishedRun): void {
    const labels = { controller };
    this.#activeWorkers.dec(labels);
    this.#total.inc({ controller, result });
    this.#time.observe(labels, durationMs / 1000);
    if (result === 'error') this.#errors.inc(labels);
    if (isTerminal) this.#terminal.inc(labels);
    if (isPanic) this.#panics.inc(labels);
    if (isTimeout) this.#timeouts.inc(labels);
  }
}
