/** One run of a reconcile function: its scope, its time limit, and its end, whatever the function does. */

import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { allowListeners } from '../client/linked-signal.ts';
import type { WriteFence } from '../client/managed-client.ts';
import {
  type FetchEvent,
  inRun,
  type RunFetch,
  type RunObserver,
  type RunRead,
  type RunRequest,
  type RunResponse,
  type RunScope,
  type RunWrite,
  type SkippedWrite,
} from '../client/run-scope.ts';
import { AbandonedRunError, errorOf, ReconcileTimeoutError } from '../errors.ts';
import type { EventToRecord } from '../events/event.ts';
import type { LogEntry } from '../log.ts';
import { RunNotes } from '../records/run-notes.ts';
import { keyText, type ReconcileKey } from '../runs/key.ts';
import { type Outcome, outcomeOfError, outcomeOfResult } from '../runs/outcome.ts';
import { isSecret } from '../secrecy/rules.ts';
import { markQuotes, markSecretError } from '../secrecy/secret-errors.ts';
import type { SecretTexts } from '../secrecy/secret-values.ts';
import type { RunPass } from '../sharding/ownership.ts';
import { guarded } from '../tracing/sdk-call.ts';

/** Time that a run has to settle after its time limit, in milliseconds. */
const graceMs = 10_000;
/** Time to settle at the deadline of a stop, or after a loss of leadership, in milliseconds. */
const stopGraceMs = 400;

/** Errors of requests for Secrets of one run that are compared with the error of the run. */
const mostSecretErrors = 20;

/** Parts of a run. */
export interface RunParts {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly timeoutMs: number;
  readonly environment: RuntimeEnvironment;
  readonly skippedWrite: (write: SkippedWrite) => void;
  /** Texts of the records of the run. Default: no Secret is known. */
  readonly secrets?: SecretTexts | undefined;
  /** Ownership of the key; absent if this process always reconciles all keys. */
  readonly pass?: RunPass | undefined;
}

/** Result of a run. */
export interface RunEnd {
  readonly outcome: Outcome;
  readonly isTimedOut: boolean;
  /** Whether the run was aborted for another reason than its time limit: a stop, or lost leadership. */
  readonly isStopped: boolean;
  /** Whether a write was refused because the ownership of the key was uncertain or had ended. */
  readonly isRefused: boolean;
  readonly writes: readonly RunWrite[];
}

/** A run. Its promise never rejects, and settles after time limit and grace period at the latest. */
export class Run implements RunScope {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly startedAt: number;
  readonly #parts: RunParts;
  readonly #abort = new AbortController();
  readonly #writes: RunWrite[] = [];
  /** Reads and writes so far. */
  readonly notes: RunNotes;
  readonly #observers: RunObserver[] = [];
  readonly #secretErrors: unknown[] = [];
  #isAbandoned = false;
  #isTimedOut = false;
  #isRefused = false;
  #giveUp: ((nothing: undefined) => void) | undefined;
  /** Time for which the run is waited for after its signal has aborted. */
  #settleMs = graceMs;
  #giveUpAt = Number.POSITIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.notes = new RunNotes(parts.secrets);
    this.controller = parts.controller;
    this.key = parts.key;
    this.startedAt = parts.environment.clock.now();
    allowListeners(this.#abort.signal);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  checkWrite(fence?: WriteFence): void {
    if (this.#isAbandoned) {
      throw new AbandonedRunError(
        `the run of ${this.#name} was abandoned: it had not settled ${this.#settleMs / 1000} s after its signal aborted`,
      );
    }
    const { pass } = this.#parts;
    try {
      pass?.check();
      fence?.check();
    } catch (error) {
      this.#isRefused = pass !== undefined;
      throw error;
    }
  }

  /** Passes the requests of the run on to an observer, too. */
  observe(observer: RunObserver): void {
    this.#observers.push(observer);
  }

  requested(request: RunRequest): (end: RunResponse) => void {
    const observed = this.#observers.map((observer) => guarded(() => observer.requested(request)));
    return (end) => {
      if (end.type === 'error' && isSecret(request.target)) this.#secretError(end.error);
      for (const ended of observed) guarded(() => ended?.(end));
      guarded(() => this.notes.responded(request, end));
    };
  }

  #secretError(error: unknown): void {
    markSecretError(error);
    if (this.#secretErrors.length < mostSecretErrors) this.#secretErrors.push(error);
  }

  logged(entry: LogEntry): void {
    for (const observer of this.#observers) guarded(() => observer.logged?.(entry));
  }

  reported(event: EventToRecord): void {
    for (const observer of this.#observers) guarded(() => observer.reported?.(event));
  }

  read(read: RunRead): void {
    for (const observer of this.#observers) guarded(() => observer.read?.(read));
    this.notes.read(read);
  }

  fetching(callOf: () => RunFetch): ((event: FetchEvent) => void) | undefined {
    const observers = this.#observers.filter(({ fetched }) => fetched !== undefined);
    const call = observers.length === 0 ? undefined : guarded(callOf);
    if (call === undefined) return undefined;
    const observed = observers.flatMap((observer) => guarded(() => observer.fetched?.(call)) ?? []);
    if (observed.length === 0) return undefined;
    return (event) => {
      for (const observe of observed) guarded(() => observe(event));
    };
  }

  wrote(write: RunWrite): void {
    this.#writes.push(write);
  }

  skipped(write: SkippedWrite): void {
    this.#parts.skippedWrite(write);
  }

  /** Calls the function once. */
  async perform(work: () => unknown): Promise<RunEnd> {
    const settled = inRun(this, () => new Promise<unknown>((resolve) => resolve(work()))).then(
      outcomeOfResult,
      outcomeOfError,
    );
    const gaveUp = new Promise<undefined>((resolve) => {
      // Not `() => resolve(undefined)`: V8 allocates a function literal that is assigned to a member in the
      // old generation, where it keeps all objects of the run alive until the next full collection.
      this.#giveUp = resolve;
    });
    this.#limit();
    const outcome = await Promise.race([settled, gaveUp]);
    this.#cancelTimer();
    this.#isAbandoned = outcome === undefined;
    if (outcome !== undefined && 'error' in outcome) markQuotes(outcome.error, this.#secretErrors);
    return {
      outcome: this.#outcome(outcome),
      isTimedOut: this.#isTimedOut,
      isStopped: this.#abort.signal.aborted && !this.#isTimedOut,
      isRefused: this.#isRefused || this.#parts.pass?.signal.aborted === true,
      writes: this.#writes,
    };
  }

  /** Aborts the signal of the run, which then has a grace period to settle. */
  abort(reason: unknown): void {
    this.#end(reason, graceMs);
  }

  /** Aborts the signal of the run at the end of a stop, which waits for it for less than a second. */
  stop(reason: unknown): void {
    this.#end(reason, stopGraceMs);
  }

  #end(reason: unknown, settleMs: number): void {
    const giveUpAt = this.#parts.environment.clock.now() + settleMs;
    if (giveUpAt >= this.#giveUpAt) return;
    this.#giveUpAt = giveUpAt;
    this.#settleMs = settleMs;
    this.#abort.abort(reason);
    this.#timer(settleMs, () => this.#giveUp?.(undefined));
  }

  get #name(): string {
    return `${this.controller} ${keyText(this.key)}`;
  }

  #limit(): void {
    const { timeoutMs } = this.#parts;
    if (timeoutMs === Number.POSITIVE_INFINITY || this.#abort.signal.aborted) return;
    this.#timer(timeoutMs, () => {
      this.#isTimedOut = true;
      this.abort(new ReconcileTimeoutError(`${this.#name}: the run exceeded timeoutMs ${timeoutMs}`));
    });
  }

  #timer(ms: number, callback: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#parts.environment.clock.timer(ms, callback);
  }

  /**
   * A function that ignores its signal and returns normally within the grace period has succeeded. Errors
   * after the time limit are mostly those of aborted requests: the time limit is their reason.
   */
  #outcome(outcome: Outcome | undefined): Outcome {
    // Most runs end without an abort, and so without a reason.
    if (outcome !== undefined && !this.#isTimedOut) return outcome;
    const reason = errorOf(this.#abort.signal.reason);
    if (outcome === undefined) {
      const message = `${reason.message}, and had not settled ${this.#settleMs / 1000} s later: it was abandoned`;
      return { type: 'retry', error: new ReconcileTimeoutError(message, { cause: reason }) };
    }
    if (outcome.type !== 'retry' || outcome.error === reason) return outcome;
    return { type: 'retry', error: new ReconcileTimeoutError(reason.message, { cause: outcome.error }) };
  }
}
