/** Listeners of the runs of a controller. */

import type { RunObserver } from '../client/run-scope.ts';
import { errorOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { RunNotes } from '../records/run-notes.ts';
import type { Cause, Wakes } from '../runs/causes.ts';
import { keyText, type ReconcileKey } from '../runs/key.ts';
import type { RunEnd } from './run.ts';

/** A run that begins. */
export interface BegunRun {
  /** Name of the controller. */
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  /** Number of the attempt since the last success, from 1. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** Number of the worker that runs it, from 1. */
  readonly worker: number;
  /** Reasons of the run, oldest first. */
  readonly cause: readonly Cause[];
  /** These reasons with the changes behind them; `undefined` if nothing was noted for the key. */
  readonly wakes: Wakes | undefined;
  /** Reads and writes so far. An abandoned run continues to add to them. */
  readonly notes: RunNotes;
  /** Time of the monotonic clock, in milliseconds. */
  readonly startedAt: number;
  /** Logger whose entries name controller, object and run. */
  readonly log: Logger;
}

/** A run that has ended. */
export interface EndedRun extends BegunRun {
  /** Outcome and writes. */
  readonly end: RunEnd;
  readonly endedAt: number;
}

/**
 * Observes the runs of a controller, in the order of `Reconciler`. It changes nothing about them: its
 * functions return at once, and what they throw is logged. Replayed runs have no listeners.
 */
export interface RunListener {
  /**
   * Called before the reconcile function, outside of its span. The result observes the reads and requests of
   * this run, writes included.
   */
  begins?(run: BegunRun): RunObserver;
  /**
   * Called once for each run that has begun: after its function has settled or was abandoned, and before it
   * is decided when the key is reconciled again.
   */
  ends?(run: EndedRun): void;
}

/** Calls listeners one after the other, each whether or not another one throws. */
export class RunListeners {
  readonly #listeners: readonly RunListener[];

  constructor(listeners: readonly RunListener[]) {
    this.#listeners = listeners;
  }

  /** Returns the observers of the requests of a run. Never throws. */
  begins(run: BegunRun): readonly RunObserver[] {
    return this.#listeners.flatMap((listener) => {
      const observer = attempt(run, () => listener.begins?.(run));
      return observer === undefined ? [] : [observer];
    });
  }

  /** Never throws. */
  ends(run: EndedRun): void {
    for (const listener of this.#listeners) attempt(run, () => listener.ends?.(run));
  }
}

function attempt<R>({ controller, key, log }: BegunRun, call: () => R): R | undefined {
  try {
    return call();
  } catch (error) {
    // A defect of this package.
    log.error({ err: errorOf(error) }, `a listener of ${controller} failed for ${keyText(key)}`);
    return undefined;
  }
}
