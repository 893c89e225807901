/** Metrics of controllers, with the names, labels and buckets of controller-runtime, and those of kgen. */
import { Gauge, type Registry } from 'prom-client';
import { errorName } from '../health/problems.ts';
import type { MeasuredController } from './manager-stats.ts';
import { type CountedLabels, CounterFamily, HistogramFamily } from './series.ts';

/**
 * Counters. Each is a function of `Reconciliations` with its name, which adds 1: its arguments are the name
 * of the controller and the values of `labels`. Counters without labels begin at 0 with their controller.
 */
const counters = {
  results: {
    name: 'controller_runtime_reconcile_total',
    help: 'Total number of reconciliations',
    labels: ['result'],
  },
  errors: {
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Total number of reconciliation errors',
    labels: [],
  },
  errorNames: {
    name: 'kgen_controller_errors_total',
    help: 'Failed runs by the name of their error',
    labels: ['error'],
  },
  terminalErrors: {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Total number of terminal errors',
    labels: [],
  },
  /**
   * Called for each function that threw an error of the program: a TypeError, ReferenceError, RangeError or
   * SyntaxError, an invalid result, or a value without a readable message.
   */
  panicked: {
    name: 'controller_runtime_reconcile_panics_total',
    help: 'Total number of reconciliation panics',
    labels: [],
  },
  /** Called for each run that exceeded its time limit. */
  timedOut: {
    name: 'controller_runtime_reconcile_timeouts_total',
    help: 'Total number of reconciliation timeouts',
    labels: [],
  },
  /** Called for each run that ended with a conflict. */
  conflicted: {
    name: 'kgen_controller_conflicts_total',
    help: 'Runs that were requeued after a conflict',
    labels: [],
  },
  /** Called for each key that was reported because it keeps writing. */
  looped: {
    name: 'kgen_controller_hot_loops_total',
    help: 'Keys that kept writing without a change',
    labels: [],
  },
  /** Called for each run that was skipped because a creation of its own was not visible yet. */
  skippedStale: {
    name: 'kgen_controller_stale_skips_total',
    help: 'Runs that waited because the cache lacked an own creation',
    labels: ['group', 'resource'],
  },
  /** Called for each write that was not sent because it would change nothing. */
  skippedWrite: {
    name: 'kgen_controller_noop_writes_total',
    help: 'Writes that were not sent because nothing would change',
    labels: ['group', 'resource', 'verb'],
  },
  /**
   * Called for each error of an informer: of a `request`, of the step that failed for an object, or because
   * the kind is `not installed`.
   */
  informerFailed: {
    name: 'kgen_controller_informer_errors_total',
    help: 'Errors of informers, such as kinds that are not installed',
    labels: ['reason'],
  },
} as const;

/** Adds 1 to a counter. */
type Count<Labels extends readonly string[]> = (
  controller: string,
  ...values: { readonly [Index in keyof Labels]: string }
) => void;

type Counters = { readonly [Name in keyof typeof counters]: Count<(typeof counters)[Name]['labels']> };

/** Result of a run in `controller_runtime_reconcile_total`. */
export type ReconcileResultLabel = 'success' | 'error' | 'requeue' | 'requeue_after';

const results: readonly ReconcileResultLabel[] = ['success', 'error', 'requeue', 'requeue_after'];

/** Counters and gauges of all controllers of a manager. Functions do not throw. */
export interface Reconciliations extends Counters {
  /** Called once for each controller, before its first run: its counters begin at 0. */
  started(controller: string, concurrency: number): void;
  /** Called when a run begins (1) and ends (-1). */
  active(controller: string, change: 1 | -1): void;
  /** Called after each run. */
  finished(controller: string, result: ReconcileResultLabel, durationMs: number): void;
  /** Called for each failed run, besides `finished`, and for each that is not retried. */
  failed(controller: string, isTerminal: boolean, error: Error): void;
}

/** Metrics of controllers whose counters can be read. */
export interface ControllerMetrics extends Reconciliations {
  /** Returns a counter of one controller at present, by its other labels. */
  countsOf(name: keyof Counters, controller: string): readonly CountedLabels<string>[];
}

/** Maximum number of names of errors in labels: a program that invents names must not fill the memory. */
const maxNames = 100;
/** In seconds. */
const timeBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5,
  1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** Registers the metrics of controllers. */
export function controllerMetrics(registry: Registry): ControllerMetrics {
  const { begin, count, countsOf } = registeredCounters(registry);
  const concurrent = new Gauge({
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'Maximum number of runs at once',
    labelNames: ['controller'],
    registers: [registry],
  });
  const active = registeredActive(registry);
  const time = new HistogramFamily({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Duration of reconciliations',
    labelNames: ['controller'],
    buckets: timeBuckets,
    registry,
  });
  const names = new Set<string>();
  const nameOf = (error: Error): string => {
    const name = errorName(error);
    if (names.size < maxNames) names.add(name);
    return names.has(name) ? name : 'Error';
  };
  return {
    ...count,
    countsOf,
    started(controller, concurrency) {
      begin(controller);
      concurrent.set({ controller }, concurrency);
      active.set(controller, 0);
    },
    active: (controller, change) => void active.set(controller, (active.get(controller) ?? 0) + change),
    finished(controller, result, durationMs) {
      count.results(controller, result);
      time.of(controller).record(durationMs / 1000);
    },
    failed(controller, isTerminal, error) {
      count.errors(controller);
      count.errorNames(controller, nameOf(error));
      if (isTerminal) count.terminalErrors(controller);
    },
  };
}

/**
 * Registers the counters. Returns their functions, the one that begins those of a controller at 0, and the
 * one that returns their values.
 */
function registeredCounters(registry: Registry): {
  readonly begin: (controller: string) => void;
  readonly count: Counters;
  readonly countsOf: ControllerMetrics['countsOf'];
} {
  const families = Object.entries(counters).map(([key, { labels, ...metric }]) => {
    const labelNames: readonly string[] = ['controller', ...labels];
    return { key, labelNames, family: new CounterFamily({ ...metric, labelNames, registry }) };
  });
  const count = families.map(({ key, family }) => [
    key,
    (...values: readonly string[]): void => family.of(...values).add(1),
  ]);
  const begin = (controller: string): void => {
    for (const { key, labelNames, family } of families) {
      if (labelNames.length === 1) family.of(controller);
      else if (key === 'results') for (const result of results) family.of(controller, result);
    }
  };
  const countsOf: ControllerMetrics['countsOf'] = (name, controller) => {
    const counts = families.find(({ key }) => key === name)?.family.counts ?? [];
    return counts.filter(({ labels }) => labels['controller'] === controller);
  };
  // seam: the names are those of `counters`.
  return { begin, countsOf, count: Object.fromEntries(count) as Counters };
}

/** Registers the gauge of the records of controllers, which each scrape reads. */
export function registerRecords(registry: Registry, controllers: () => readonly MeasuredController[]): void {
  new Gauge({
    name: 'kgen_controller_records_bytes',
    help: 'Estimated memory of the records of the last reconciles',
    labelNames: ['controller'],
    registers: [registry],
    collect() {
      for (const { name, records } of controllers()) this.set({ controller: name }, records.bytes);
    },
  });
}

/** Registers the gauge of the runs in progress. Returns their numbers by controller. */
function registeredActive(registry: Registry): Map<string, number> {
  const active = new Map<string, number>();
  new Gauge({
    name: 'controller_runtime_active_workers',
    help: 'Number of runs at present',
    labelNames: ['controller'],
    registers: [registry],
    collect() {
      for (const [controller, runs] of active) this.set({ controller }, runs);
    },
  });
  return active;
}
