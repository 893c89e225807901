/**
 * Informers that are shared by callers with the same resource and options.
 *
 * Cost of an informer while it follows: for each followed namespace, or once for all namespaces, one open
 * request (a separate connection with HTTP/1.1, a stream of a shared one with HTTP/2) and one timer, which
 * detects an idle stream. Lists use the connections of other requests. A registration costs a timer with
 * `resyncMs` only. All informers of a set share recurring strings of their objects.
 */

import { TimeoutError } from '../../api/errors.ts';
import type { Stored } from '../../api/types.ts';
import { cacheListWatch } from '../../client/reading/cache-list-watch.ts';
import { StringPool } from '../../codec/string-pool.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { partialOf } from '../../dynamic/metadata/metadata.ts';
import { onAbort } from '../../rest/abort/on-abort.ts';
import type { RESTClient } from '../../rest/client.ts';
import { selectionOf } from '../../selectors/selection.ts';
import { Scope } from '../../watch/scope.ts';
import type { ListWatch } from '../../watch/source.ts';
import { informerEvents, Listeners } from '../handlers/listeners.ts';
import { clusterLister, namespacedLister } from '../lister/lister.ts';
import type { Informer, InformerEvents, InformerOptions } from './informer.ts';
import type { InformerStats } from './informer-stats.ts';
import {
  checkInformerOptions,
  followedNamespaces,
  type InformerTarget,
  informerKey,
  informerName,
} from './informer-target.ts';
import { SharedInformer } from './shared-informer.ts';

/** Options of `start`. */
export interface StartOptions {
  /** Stops the informers: `waitForSync` then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `waitForSync`. */
export interface WaitForSyncOptions {
  /** Ends the wait, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the wait, in milliseconds; then it rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait until the handlers have been called for all initial objects, too. Default: false. */
  readonly handlers?: boolean | undefined;
}

/** Informers that are started, synced and stopped together. */
export interface SharedInformers {
  /** Returns the informer for this target with these options; the caller provides the types. */
  of(target: InformerTarget, options: InformerOptions): Informer<unknown>;
  /** Starts all informers, and from then on each new one. */
  start(options?: StartOptions): void;
  /**
   * Resolves when every informer, including those created meanwhile, has the whole state.
   * @throws {TimeoutError} after `timeoutMs`; its message names the informers that are not synced, with the
   * reasons
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /** Ends all requests; resolves when no further handler calls can begin. `start` begins again. */
  stop(): Promise<void>;
  /** Returns counters and gauges of all informers by their names, which are unique. */
  stats(): ReadonlyMap<string, InformerStats>;
  /** Adds a listener for the events of all informers. Returns a function that removes the listener. */
  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void;
}

/** Options of all informers of a set. */
export interface SharedInformersOptions {
  /** Whether servers that support it stream the state instead of listing it. Default: true. */
  readonly streaming?: boolean | undefined;
  /** Clock and random numbers; for tests. */
  readonly environment?: RuntimeEnvironment | undefined;
}

type AnyInformer = SharedInformer<unknown, unknown>;

export class InformerSet implements SharedInformers {
  readonly #rest: RESTClient;
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, AnyInformer>();
  readonly #strings = new StringPool();
  readonly #listeners = new Listeners<InformerEvents>(informerEvents);
  #running = false;
  /** Signals that stop the informers, with functions that remove their listeners. */
  readonly #links = new Map<AbortSignal, () => void>();
  /** Signal that stopped the informers, until the next start. */
  #stoppedBy: AbortSignal | undefined;

  constructor(rest: RESTClient, options: SharedInformersOptions) {
    this.#rest = rest;
    this.#options = options;
  }

  of(target: InformerTarget, options: InformerOptions): Informer<unknown> {
    checkInformerOptions(target, options);
    const namespaces = followedNamespaces(target, options);
    const key = informerKey(target, options, namespaces);
    const known = this.#informers.get(key);
    if (known !== undefined) return known;
    const informer = this.#make(target, options, namespaces);
    this.#informers.set(key, informer);
    if (this.#running) informer.start();
    return informer;
  }

  start({ signal }: StartOptions = {}): void {
    signal?.throwIfAborted();
    this.#link(signal);
    this.#running = true;
    this.#stoppedBy = undefined;
    for (const informer of this.#informers.values()) informer.start();
  }

  async waitForSync({ signal, timeoutMs, handlers = false }: WaitForSyncOptions = {}): Promise<void> {
    this.#stoppedBy?.throwIfAborted();
    if (!this.#running) throw new Error('waitForSync: the informers are not running: call start() first');
    const { clock } = this.#options.environment ?? systemEnvironment;
    const scope = new Scope(signal ?? new AbortController().signal, clock);
    if (timeoutMs !== undefined) scope.deadline(timeoutMs, () => this.#notSynced(timeoutMs));
    let informers: readonly AnyInformer[];
    try {
      do {
        informers = [...this.#informers.values()];
        await scope.wait(Promise.all(informers.map(({ synced }) => synced)));
        if (handlers) await scope.wait(Promise.all(informers.map((informer) => informer.handled())));
        // Informers may have been created meanwhile.
      } while (this.#informers.size > informers.length);
    } finally {
      scope.end();
    }
  }

  async stop(): Promise<void> {
    await this.#stop(undefined);
  }

  stats(): ReadonlyMap<string, InformerStats> {
    return new Map([...this.#informers.values()].map((informer) => [informer.name, informer.stats()]));
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  #link(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#links.has(signal)) return;
    const abort = (): void => {
      this.#stoppedBy = signal;
      void this.#stop(signal.reason);
    };
    this.#links.set(signal, onAbort(signal, abort));
  }

  /** Without a reason, each informer creates its own. */
  async #stop(reason: unknown): Promise<void> {
    this.#running = false;
    for (const unlink of this.#links.values()) unlink();
    this.#links.clear();
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop(reason)));
  }

  #make(
    target: InformerTarget,
    options: InformerOptions,
    namespaces: readonly string[] | undefined,
  ): AnyInformer {
    const { resource, form, codecs } = target;
    const { keepManagedFields = false } = options;
    const cache = { keepManagedFields, strings: this.#strings };
    const given = { ...selectionOf(options), cache };
    const sourceOf = (namespace: string | undefined): ListWatch<unknown> =>
      cacheListWatch(this.#rest, { resource, namespace, form, ...(codecs && { codecs }) }, given);
    return new SharedInformer<unknown, unknown>({
      ...this.#options,
      name: this.#nameOf(informerName(target, options, namespaces)),
      options,
      sources: (namespaces ?? [undefined]).map((namespace) => ({ namespace, source: sourceOf(namespace) })),
      lister: target.lister === 'Namespaced' ? namespacedLister : clusterLister,
      reduce: form === undefined ? undefined : metadataOnly,
      forward: this.#listeners,
    });
  }

  /**
   * Informers that differ in options that are not part of the name, such as their transform, are numbered.
   */
  #nameOf(name: string): string {
    const taken = new Set([...this.#informers.values()].map((informer) => informer.name));
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} #${number}`;
    return free;
  }

  #notSynced(timeoutMs: number): TimeoutError {
    const waiting = [...this.#informers.values()]
      .map(({ waitsFor }) => waitsFor)
      .filter((why) => why !== undefined);
    return new TimeoutError(`informers are not synced within ${timeoutMs} ms: ${waiting.join('; ')}`);
  }
}

/** Servers without support for the representation return whole objects. */
function metadataOnly(object: Stored<unknown>): Stored<unknown> {
  return partialOf(object);
}
