/** Waits until the handlers of a controller have received the initial objects of all installed kinds. */

import { type HandlerRegistration, type InformerErrorContext, isNotFound } from '@kgen/runtime';
import type { Clock } from '@kgen/runtime/informers';
import { errorOf, KindNotInstalledError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Source } from './sources.ts';

/** Interval in which a source that has failed is checked for its recovery, in milliseconds. */
const checkMs = 1000;

interface Followed {
  readonly source: Source;
  readonly registration: HandlerRegistration;
  isComplete: boolean;
  failure: SourceFailure | undefined;
}

/** A source that cannot be read. */
interface SourceFailure {
  readonly error: Error;
  /** Whether the server reported that the kind does not exist. */
  readonly isAbsent: boolean;
  /** Time of the last error. */
  readonly at: number;
}

/** Parts of `SourceSync`. */
export interface SourceSyncParts {
  readonly log: Logger;
  readonly clock: Clock;
  /** Called for each error of an informer, with its step. */
  readonly failed: (during: InformerErrorContext['during'] | 'not installed') => void;
}

/** Progress of the informers of one controller. */
export class SourceSync {
  readonly #parts: SourceSyncParts;
  readonly #followed: Followed[] = [];
  readonly #releases: (() => void)[] = [];
  #changed: () => void = () => undefined;
  #cancelCheck: (() => void) | undefined;

  constructor(parts: SourceSyncParts) {
    this.#parts = parts;
  }

  /** Adds the handlers of a source. */
  add(source: Source, register: () => HandlerRegistration): void {
    const registration = register();
    const followed: Followed = { source, registration, isComplete: false, failure: undefined };
    this.#followed.push(followed);
    this.#releases.push(
      source.informer.on('error', (error, context) => this.#failed(followed, error, context)),
    );
    registration.synced.then(
      () => {
        // Before the source counts as complete: its health would report an absence that has ended.
        this.#recovered(followed);
        followed.isComplete = true;
        this.#changed();
      },
      () => undefined,
    );
  }

  /**
   * Resolves when each source is complete or its kind is not installed, or when `stopping` aborts.
   * @throws {Error} after `timeoutMs`, with the sources and their last errors
   */
  async complete(timeoutMs: number, stopping: AbortSignal): Promise<void> {
    let release: () => void = () => undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const check = (): void => {
          if (stopping.aborted || this.#incomplete.length === 0) resolve();
        };
        const cancel = this.#parts.clock.timer(timeoutMs, () => reject(this.#notSynced(timeoutMs)));
        stopping.addEventListener('abort', check, { once: true });
        release = () => {
          cancel();
          stopping.removeEventListener('abort', check);
        };
        this.#changed = check;
        check();
      });
    } finally {
      this.#changed = () => undefined;
      release();
    }
  }

  /** Removes handlers and listeners. */
  remove(): void {
    for (const release of this.#releases.splice(0)) release();
    for (const { registration } of this.#followed.splice(0)) registration.remove();
    this.#cancelCheck?.();
  }

  get #incomplete(): readonly Followed[] {
    return this.#followed.filter(({ isComplete, failure }) => !isComplete && failure?.isAbsent !== true);
  }

  #notSynced(timeoutMs: number): Error {
    const missing = this.#incomplete.map(
      ({ source, failure }) => `${source.informer.name}: ${failure?.error.message ?? 'no response yet'}`,
    );
    return new Error(`caches are not complete after ${timeoutMs} ms: ${missing.join('; ')}`);
  }

  #failed(followed: Followed, error: unknown, { during, attempt = 1, object }: InformerErrorContext): void {
    const { log, clock, failed } = this.#parts;
    const informer = followed.source.informer.name;
    const isAbsent = during === 'request' && isNotFound(error);
    failed(isAbsent ? 'not installed' : during);
    if (during !== 'request') {
      const err = errorOf(error);
      log.error({ err, informer, during, object }, `informer failed (${during}): ${err.message}`);
      return;
    }
    const err = isAbsent ? notInstalled(followed) : errorOf(error);
    const isNew = followed.failure?.error.message !== err.message;
    followed.failure = { error: err, isAbsent, at: clock.now() };
    this.#cancelCheck ??= this.#check();
    if (isNew || attempt === 10 || attempt === 100) {
      log[isAbsent && !followed.isComplete ? 'warn' : 'error']({ err, informer, attempt }, err.message);
    }
    this.#changed();
  }

  /** Informers report failures only: their recovery is visible in the time of their last data. */
  #check(): () => void {
    const { clock } = this.#parts;
    return clock.timer(checkMs, () => {
      this.#cancelCheck = undefined;
      for (const followed of this.#followed) {
        const { failure, source } = followed;
        if (failure === undefined || !hasData(source, clock.now() - failure.at)) continue;
        this.#recovered(followed);
      }
      if (this.#followed.some(({ failure }) => failure !== undefined)) this.#cancelCheck = this.#check();
    });
  }

  #recovered(followed: Followed): void {
    const { failure, source } = followed;
    if (failure === undefined) return;
    followed.failure = undefined;
    const { name } = source.informer;
    this.#parts.log.info(
      { informer: name },
      failure.isAbsent ? `${name} is installed now` : `${name} works again`,
    );
  }
}

function notInstalled({ source, isComplete }: Followed): KindNotInstalledError {
  const { name } = source.informer;
  const problem = isComplete ? 'is not installed any more' : 'is not installed';
  return new KindNotInstalledError(
    `${name} ${problem}: install its CustomResourceDefinition; it is followed from then on`,
  );
}

/** Returns whether the server has sent data in this period. */
function hasData({ informer }: Source, periodMs: number): boolean {
  const { quietMs = Number.POSITIVE_INFINITY } = informer.stats();
  return quietMs < periodMs;
}
