/** Files of the flight recorder: after errors and signals, at most a few per process. */

import { join } from 'node:path';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import { observeFetch } from '../client/observed-fetch.ts';
import { currentRun } from '../client/run-scope.ts';
import type { BegunRun, EndedRun, RunListener } from '../controller/run-listener.ts';
import { errorOf } from '../errors.ts';
import type { EventToRecord } from '../events/event.ts';
import type { LogEntry, Logger } from '../log.ts';
import type { RecordedQueue } from '../recorder/entries.ts';
import { FlightRecorder, type RunRecorder } from '../recorder/flight-recorder.ts';
import type { SecretValues } from '../secrecy/secret-values.ts';
import type { RecorderOptions } from './options.ts';

/** Files that a process writes by itself: their number, and their least distance in milliseconds. */
const mostFiles = 10;
const leastDistanceMs = 60_000;

const mebibyte = 1024 * 1024;

/** Parts of `FlightFiles`. */
export interface FlightFilesParts {
  readonly options: RecorderOptions;
  /** Whether the recorder records only while a page requests the recording. */
  readonly isOnDemand: boolean;
  readonly program: string;
  /** User that the client impersonates. */
  readonly user: string | undefined;
  /** Returns the states of the queues. */
  readonly queues: () => readonly RecordedQueue[];
  readonly log: Logger;
  readonly environment: RuntimeEnvironment;
  readonly secrets: SecretValues;
}

/** The recorder of a manager, and its files. */
export class FlightFiles implements RunListener {
  readonly recorder: FlightRecorder;
  readonly #parts: FlightFilesParts;
  readonly #failures: number;
  /** Runs in progress. */
  readonly #open = new WeakMap<BegunRun['notes'], RunRecorder>();
  readonly #endFetch: () => void;
  #files = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** @throws {RangeError} if an option is out of range */
  constructor(parts: FlightFilesParts) {
    const { directory, maxBytes = 16 * mebibyte, includeSecrets = false, failures = 5 } = parts.options;
    const { includeRequestBodies } = parts.options;
    const { program, user, queues, secrets, isOnDemand } = parts;
    if (directory !== undefined && (typeof directory !== 'string' || directory === ''))
      throw new TypeError('recorder.directory must be the folder of the recordings');
    if (!(maxBytes >= mebibyte)) throw new RangeError(`recorder.maxBytes must be >= 1 MiB, got ${maxBytes}`);
    if (!Number.isInteger(failures) || failures < 1)
      throw new RangeError(`recorder.failures must be an integer >= 1, got ${failures}`);
    this.#parts = parts;
    this.#failures = failures;
    this.recorder = new FlightRecorder({
      ...{ program, user, queues, secrets, isOnDemand },
      ...{ maxBytes, includeSecrets, includeRequestBodies },
    });
    this.#endFetch = observeFetch();
  }

  begins(run: BegunRun): RunRecorder {
    const recorder = this.recorder.started(run);
    this.#open.set(run.notes, recorder);
    return recorder;
  }

  /** Writes a file if the reconcile has failed as often as the options name. */
  ends({ controller, notes, attempt, end: { outcome, isRefused } }: EndedRun): void {
    this.#open.get(notes)?.ended(outcome, notes);
    const isFailure = !isRefused && (outcome.type === 'retry' || outcome.type === 'terminal');
    if (!isFailure || attempt !== this.#failures) return;
    void this.write(`${controller} failed ${attempt} times: ${this.recorder.messageOf(outcome.error)}`);
  }

  /** Records a line of the log, and the run that writes it. */
  logged(entry: LogEntry): void {
    const run = currentRun();
    if (run === undefined) this.recorder.logged(entry);
    else run.logged(entry);
  }

  /** Records an Event, and the run that reports it. */
  reported(event: EventToRecord): void {
    const run = currentRun();
    if (run === undefined) this.recorder.reported(event);
    else run.reported(event);
  }

  /** Writes a file if the manager has failed, and ends the recording. Never rejects. */
  async end(failure: { readonly error: unknown } | undefined): Promise<void> {
    if (failure !== undefined)
      await this.#write(`the manager failed: ${this.recorder.messageOf(failure.error)}`);
    this.#endFetch();
    await this.recorder.close();
  }

  /** Writes a file in the folder, unless there were too many. Never rejects. */
  async write(reason: string): Promise<void> {
    const { log, environment, options } = this.#parts;
    if (options.directory === undefined) return;
    const now = environment.clock.now();
    if (this.#files >= mostFiles || now - this.#lastAt < leastDistanceMs) {
      log.info({ reason }, 'no recording: at most one a minute is written, and ten in all');
      return;
    }
    this.#lastAt = now;
    await this.#write(reason);
  }

  async #write(reason: string): Promise<void> {
    const { options, program, log } = this.#parts;
    const { directory } = options;
    if (directory === undefined) return;
    this.#files += 1;
    const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
    const file = join(directory, `${program}-${time}-${this.#files}.jsonl`);
    try {
      await this.recorder.write(file, reason);
      log.info({ file, reason }, `recording written to ${file}: run it with replay of @kgen/testing`);
    } catch (error) {
      const err = errorOf(error);
      log.error({ err, reason }, err.message);
    }
  }
}
