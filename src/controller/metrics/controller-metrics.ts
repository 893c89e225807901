/** Metrics of controllers, with the names, labels and buckets of controller-runtime, and those of kgen. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { errorName } from '../health/problems.ts';
import type { ReconcileResultLabel, Reconciliations } from './observer.ts';
import { CounterFamily, HistogramFamily } from './series.ts';

const results: readonly ReconcileResultLabel[] = ['success', 'error', 'requeue', 'requeue_after'];

/** Maximum number of names of errors in labels. */
const maxNames = 100;
/** In seconds. */
const timeBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Metric families of the controllers of a registry, maintained by the observer of their runs. */
export class ControllerFamilies implements Reconciliations {
  readonly #total: CounterFamily<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #named: Counter<'controller' | 'error'>;
  readonly #terminal: Counter<'controller'>;
  readonly #panics: Counter<'controller'>;
  readonly #timeouts: Counter<'controller'>;
  readonly #conflicts: Counter<'controller'>;
  readonly #hotLoops: Counter<'controller'>;
  readonly #staleSkips: Counter<'controller' | 'group' | 'resource'>;
  readonly #noopWrites: CounterFamily<'controller' | 'verb'>;
  readonly #informerErrors: Counter<'controller' | 'reason'>;
  readonly #time: HistogramFamily<'controller'>;
  readonly #names = new Set<string>();
  readonly #maxConcurrent: Gauge<'controller'>;
  /** Number of runs by controller. */
  readonly #active = new Map<string, number>();

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
    const frequent = <L extends string>(
      name: string,
      help: string,
      label: L,
    ): CounterFamily<L | 'controller'> =>
      new CounterFamily({ name, help, labelNames: ['controller', label], registry });
    this.#total = frequent(`${prefix}_reconcile_total`, 'Total number of reconciliations', 'result');
    this.#errors = counter(`${prefix}_reconcile_errors_total`, 'Total number of reconciliation errors');
    this.#named = counter('kgen_controller_errors_total', 'Failed runs by the name of their error', 'error');
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
    this.#noopWrites = frequent(
      'kgen_controller_noop_writes_total',
      'Writes that were not sent because nothing would change',
      'verb',
    );
    this.#informerErrors = counter(
      'kgen_controller_informer_errors_total',
      'Errors of informers, such as kinds that are not installed',
      'reason',
    );
    this.#maxConcurrent = gauge(`${prefix}_max_concurrent_reconciles`, 'Maximum number of runs at once');
    this.#registerActive(`${prefix}_active_workers`, registry);
    this.#time = new HistogramFamily({
      name: `${prefix}_reconcile_time_seconds`,
      help: 'Duration of reconciliations',
      labelNames: ['controller'],
      buckets: timeBuckets,
      registry,
    });
  }

  #registerActive(name: string, registry: Registry): void {
    const active = this.#active;
    new Gauge({
      name,
      help: 'Number of runs at present',
      labelNames: ['controller'],
      registers: [registry],
      collect() {
        for (const [controller, runs] of active) this.set({ controller }, runs);
      },
    });
  }

  /** Sets the counters of a controller to 0, so that their first increase is visible. */
  started(controller: string, concurrency: number): void {
    const labels = { controller };
    for (const result of results) this.#total.of(controller, result);
    for (const counter of [this.#errors, this.#terminal, this.#panics]) counter.inc(labels, 0);
    for (const counter of [this.#timeouts, this.#conflicts, this.#hotLoops]) counter.inc(labels, 0);
    this.#maxConcurrent.set(labels, concurrency);
    this.#active.set(controller, 0);
  }

  active(controller: string, change: 1 | -1): void {
    this.#active.set(controller, (this.#active.get(controller) ?? 0) + change);
  }

  finished(controller: string, result: ReconcileResultLabel, durationMs: number): void {
    this.#total.of(controller, result).add(1);
    this.#time.of(controller).record(durationMs / 1000);
  }

  failed(controller: string, isTerminal: boolean, error: Error): void {
    this.#errors.inc({ controller });
    this.#named.inc({ controller, error: this.#nameOf(error) });
    if (isTerminal) this.#terminal.inc({ controller });
  }

  /** Each name is a series: a program that invents names must not fill the memory. */
  #nameOf(error: Error): string {
    const name = errorName(error);
    if (this.#names.size < maxNames) this.#names.add(name);
    return this.#names.has(name) ? name : 'Error';
  }

  panicked(controller: string): void {
    this.#panics.inc({ controller });
  }

  timedOut(controller: string): void {
    this.#timeouts.inc({ controller });
  }

  conflicted(controller: string): void {
    this.#conflicts.inc({ controller });
  }

  skippedStale(controller: string, group: string, resource: string): void {
    this.#staleSkips.inc({ controller, group, resource });
  }

  skippedWrite(controller: string, verb: string): void {
    this.#noopWrites.of(controller, verb).add(1);
  }

  informerFailed(controller: string, reason: string): void {
    this.#informerErrors.inc({ controller, reason });
  }

  looped(controller: string): void {
    this.#hotLoops.inc({ controller });
  }
}
