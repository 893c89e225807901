/** Waits until the handlers of a controller have received the initial objects of all installed kinds. */

import { type HandlerRegistration, isNotFound } from '@kgen/runtime';
import type { Clock } from '@kgen/runtime/informers';
import { errorOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Source } from './sources.ts';

interface Followed {
  readonly source: Source;
  readonly registration: HandlerRegistration;
  isComplete: boolean;
  /** Whether the server reported that the kind does not exist. */
  isAbsent: boolean;
  lastError: string | undefined;
}

/** Progress of the informers of one controller. */
export class SourceSync {
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #followed: Followed[] = [];
  readonly #releases: (() => void)[] = [];
  #changed: () => void = () => undefined;

  constructor(log: Logger, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Adds the handlers of a source. */
  add(source: Source, register: () => HandlerRegistration): void {
    const followed: Followed = {
      source,
      registration: register(),
      isComplete: false,
      isAbsent: false,
      lastError: undefined,
    };
    this.#followed.push(followed);
    this.#releases.push(
      source.informer.on('error', (error, { during, attempt }) => {
        if (during === 'request') this.#failed(followed, error, attempt ?? 1);
        else
          this.#log.error({ err: errorOf(error), informer: source.informer.name, during }, 'informer failed');
      }),
    );
    followed.registration.synced.then(
      () => this.#complete(followed),
      () => undefined,
    );
  }

  /**
   * Resolves when each source is complete or its kind is not installed, or when `stopping` aborts.
   * @throws {Error} after `timeoutMs`, with the sources and their last errors
   */
  async complete(timeoutMs: number, stopping: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (stopping.aborted || this.#followed.every(({ isComplete, isAbsent }) => isComplete || isAbsent))
          resolve();
      };
      const cancel = this.#clock.timer(timeoutMs, () => reject(this.#notSynced(timeoutMs)));
      const stop = (): void => resolve();
      stopping.addEventListener('abort', stop, { once: true });
      this.#changed = check;
      this.#releases.push(cancel, () => stopping.removeEventListener('abort', stop));
      check();
    });
    this.#changed = () => undefined;
  }

  /** Removes handlers and listeners. */
  remove(): void {
    for (const release of this.#releases.splice(0)) release();
    for (const { registration } of this.#followed.splice(0)) registration.remove();
  }

  #complete(followed: Followed): void {
    if (followed.isAbsent)
      this.#log.info({ informer: followed.source.informer.name }, 'the kind is installed now');
    followed.isComplete = true;
    followed.isAbsent = false;
    this.#changed();
  }

  #failed(followed: Followed, error: unknown, attempt: number): void {
    const { message } = errorOf(error);
    const isNew = followed.lastError !== message;
    followed.lastError = message;
    const { name } = followed.source.informer;
    if (isNotFound(error)) {
      if (!followed.isAbsent)
        this.#log.warn({ informer: name }, 'the kind is not installed; it is followed once it is');
      followed.isAbsent = true;
      this.#changed();
    } else if (isNew || attempt === 10 || attempt === 100) {
      this.#log.warn({ informer: name, attempt, err: error }, `informer cannot read: ${message}`);
    }
  }

  #notSynced(timeoutMs: number): Error {
    const missing = this.#followed
      .filter(({ isComplete, isAbsent }) => !isComplete && !isAbsent)
      .map(({ source, lastError }) => `${source.informer.name}: ${lastError ?? 'no response yet'}`);
    return new Error(`caches are not complete after ${timeoutMs} ms: ${missing.join('; ')}`);
  }
}
