/** Metrics of runs, as functions that a controller calls. */

/** Result of a run in `controller_runtime_reconcile_total`. */
export type ReconcileResultLabel = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Counters and gauges of all controllers of a manager. Functions must not throw. */
export interface Reconciliations {
  /** Called once for each controller, before its first run. */
  started(controller: string, concurrency: number): void;
  /** Called when a run begins (1) and ends (-1). */
  active(controller: string, change: 1 | -1): void;
  /** Called after each run. */
  finished(controller: string, result: ReconcileResultLabel, durationMs: number): void;
  /** Called for each failed run, besides `finished`, and for each that is not retried. */
  failed(controller: string, isTerminal: boolean, error: Error): void;
  /** Called for each reconcile function that threw something else than an error of a request. */
  panicked(controller: string): void;
  /** Called for each run that exceeded its time limit. */
  timedOut(controller: string): void;
  /** Called for each run that ended with a conflict. */
  conflicted(controller: string): void;
  /** Called for each run that was skipped because a creation of its own was not visible yet. */
  skippedStale(controller: string, group: string, resource: string): void;
  /** Called for each write that was not sent because it would change nothing. */
  skippedWrite(controller: string, verb: string): void;
  /**
   * Called for each error of an informer: of a `request`, of the step that failed for an object, or because
   * the kind is `not installed`.
   */
  informerFailed(controller: string, reason: string): void;
  /** Called for each key that was reported because it keeps writing. */
  looped(controller: string): void;
}
