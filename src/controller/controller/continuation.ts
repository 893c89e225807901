/** Decides when a key is reconciled again after a run, and reports the run in log and metrics. */

import { isApiError, isNamespaceTerminating, isTransportError } from '@kgen/runtime';
import type { Clock } from '@kgen/runtime/informers';
import type { RateLimiter, WorkQueue } from '@kgen/runtime/queue';
import { Lru } from '../apply/lru.ts';
import { errorOf, InvalidResultError, ReconcileTimeoutError, TerminalError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Reconciliations } from '../metrics/controller-metrics.ts';
import type { Cause, CauseLog } from '../runs/causes.ts';
import { idOf, type ReconcileKey } from '../runs/key.ts';
import { causeThat, type Outcome } from '../runs/outcome.ts';
import type { EndedRun } from './run-listener.ts';

/** Parts of `Continuation`. */
export interface ContinuationParts {
  readonly name: string;
  readonly queue: WorkQueue<ReconcileKey>;
  readonly causes: CauseLog;
  readonly clock: Clock;
  /** Delays after failures; it counts the attempts. */
  readonly failures: RateLimiter;
  /** Delays after conflicts, which do not count as failed attempts. */
  readonly conflicts: RateLimiter;
  readonly reconciliations: Reconciliations;
  /** Returns whether the object of a key is in the cache. */
  readonly exists: (key: ReconcileKey) => boolean;
}

type Failure = Extract<Outcome, { readonly type: 'retry' | 'terminal' }>;

/** The ends of a controller's runs. */
export class Continuation {
  readonly #parts: ContinuationParts;
  /** Times of the last entries about namespaces that are being deleted. */
  readonly #endings = new Lru<number>(1000);

  constructor(parts: ContinuationParts) {
    this.#parts = parts;
  }

  /** Returns the number of failed attempts of a key since its last success. */
  failures(key: ReconcileKey): number {
    return this.#parts.failures.failures(idOf(key));
  }

  /** Reports a run, and puts its key in the queue again if necessary. Called before the key is done. */
  ended(run: EndedRun): void {
    const { name, reconciliations } = this.#parts;
    const { outcome, isTimedOut } = run.end;
    const durationMs = run.endedAt - run.startedAt;
    reconciliations.finished(name, run.end.isRefused ? 'requeue' : labels[outcome.type], durationMs);
    if (isTimedOut) reconciliations.timedOut(name);
    if (run.end.isRefused) this.#refused(run);
    else if (outcome.type === 'conflict') this.#conflict(run, outcome.error);
    else if (outcome.type === 'gone') this.#gone(run, outcome.error);
    else if (outcome.type === 'retry' || outcome.type === 'terminal') this.#failed(run, outcome);
    else this.#succeeded(run, outcome.type === 'requeueAfter' ? outcome.afterMs : undefined);
  }

  /** Puts a key in the queue again, with the priority of its run. */
  again(key: ReconcileKey, type: Cause['type'], afterMs: number): void {
    const { causes, clock, queue } = this.#parts;
    const addedAt = clock.now();
    causes.add(idOf(key), addedAt + afterMs, { type }, { addedAt });
    queue.add(key, { afterMs, priority: queue.priorityOf(key) });
  }

  /**
   * The run is repeated as if it had not begun, whatever its function made of the refusal: it is not a
   * failed attempt, and a delay that it returned is void. The key waits until its owner is certain.
   */
  #refused({ key, log }: EndedRun): void {
    log.debug({}, 'the run is repeated: the ownership of its key was uncertain or has ended');
    this.again(key, 'refused', 0);
  }

  #conflict({ key, log }: EndedRun, error: unknown): void {
    const { name, reconciliations, conflicts } = this.#parts;
    const id = idOf(key);
    reconciliations.conflicted(name);
    const afterMs = conflicts.when(id);
    const count = conflicts.failures(id);
    const err = errorOf(error);
    log.debug({ err }, 'the object changed meanwhile');
    if (isReportedCount(count)) {
      log.warn({ err, conflicts: count }, `${count} conflicts in a row: another client keeps writing`);
    }
    this.again(key, 'conflict', afterMs);
  }

  /**
   * Ends a run whose object was deleted. If the cache still has the object, the run is retried with a delay,
   * in case the event of the deletion does not follow.
   */
  #gone({ key, log }: EndedRun, error: unknown): void {
    const { conflicts, exists } = this.#parts;
    const err = errorOf(error);
    log.debug({ err }, 'the object was deleted meanwhile');
    if (!exists(key)) {
      this.forget(key);
      return;
    }
    const afterMs = conflicts.when(idOf(key));
    const count = conflicts.failures(idOf(key));
    if (isReportedCount(count))
      log.warn({ err, attempts: count }, 'the server does not have the object, but the cache still has it');
    this.again(key, 'conflict', afterMs);
  }

  #failed({ key, end, attempt, isLastAttempt, cause, log }: EndedRun, outcome: Failure): void {
    const { name, reconciliations, failures } = this.#parts;
    const isTerminal = outcome.type === 'terminal' || isLastAttempt;
    const err = errorOf(outcome.error);
    reconciliations.failed(name, isTerminal, err);
    if (isDefect(outcome.error)) reconciliations.panicked(name);
    const fields = { err, attempt, cause };
    if (isTerminal) {
      log.error(fields, `reconcile failed and is not retried: ${err.message}`);
      this.forget(key);
      return;
    }
    const backoffMs = failures.when(idOf(key));
    const ending = endingNamespace(outcome.error, key);
    const delayMs = ending === undefined ? backoffMs : Math.max(backoffMs, endingMs);
    const retryInMs = (outcome.type === 'retry' ? outcome.afterMs : undefined) ?? delayMs;
    if (ending === undefined) {
      const level = end.isStopped ? 'warn' : 'error';
      log[level]({ ...fields, retryInMs }, `reconcile failed: ${err.message}`);
    } else this.#ending(ending, { log, fields: { ...fields, retryInMs } });
    this.again(key, 'retry', retryInMs);
  }

  /** One entry for all objects of a namespace: nothing can be created in it, and they end with it. */
  #ending(namespace: string, { log, fields }: { readonly log: Logger; readonly fields: object }): void {
    const now = this.#parts.clock.now();
    const isKnown = now - (this.#endings.get(namespace) ?? Number.NEGATIVE_INFINITY) < endingEntryMs;
    if (!isKnown) this.#endings.set(namespace, now);
    const text = `namespace ${namespace} is being deleted, nothing can be created in it`;
    log[isKnown ? 'debug' : 'warn'](fields, `${text}: reconciles that try are repeated every few seconds`);
  }

  #succeeded({ key, end, startedAt, endedAt, log }: EndedRun, afterMs: number | undefined): void {
    if (end.isTimedOut) log.warn({ durationMs: endedAt - startedAt }, 'the run ended after its time limit');
    this.forget(key);
    if (afterMs !== undefined) this.again(key, 'requeue', afterMs);
  }

  /** Resets the failures of a key. */
  forget(key: ReconcileKey): void {
    const { failures, conflicts } = this.#parts;
    failures.forget(idOf(key));
    conflicts.forget(idOf(key));
  }
}

/** Minimum delay of retries in a namespace that is being deleted, in milliseconds. */
const endingMs = 5_000;
/** Time after which another entry about a namespace is written, in milliseconds. */
const endingEntryMs = 600_000;

/** Returns the namespace whose deletion an error reports; `undefined` for other errors. */
function endingNamespace(thrown: unknown, { namespace }: ReconcileKey): string | undefined {
  const error = causeThat(thrown, isNamespaceTerminating);
  return isApiError(error) ? (error.operation?.namespace ?? namespace) : undefined;
}

const labels = {
  success: 'success',
  gone: 'success',
  requeueAfter: 'requeue_after',
  conflict: 'requeue',
  retry: 'error',
  terminal: 'error',
} as const;

/** 10, 100, 1000, … */
function isReportedCount(count: number): boolean {
  return count >= 10 && Number.isInteger(Math.log10(count));
}

const defects: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** A defect of the reconcile function, as opposed to a failed request or a declared failure. */
function isDefect(thrown: unknown): boolean {
  const error = errorOf(thrown);
  // Not an error, or one that cannot be read.
  if (error !== thrown || error instanceof InvalidResultError) return true;
  if (isApiError(error) || isTransportError(error)) return false;
  if (error instanceof ReconcileTimeoutError || error instanceof TerminalError) return false;
  return defects.has(error.name);
}
