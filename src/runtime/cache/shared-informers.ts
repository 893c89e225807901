/**
 * One informer per resource and options, for all who ask.
 *
 * What an informer costs while it follows: for each followed namespace, or once where it follows all, one open request
 * (a connection of its own with HTTP/1.1, a stream of a shared one with HTTP/2) and one timer, which finds a stream that
 * has gone silent. Lists use the connections of all other requests. A registration costs a timer with `resyncMs` only. All
 * informers of a set share the texts that recur in their objects.
 */
import { cacheListWatch } from '../client/cache-list-watch.ts';
import { StringPool } from '../codec/string-pool.ts';
import { partialOf } from '../dynamic/metadata.ts';
import { TimeoutError } from '../errors.ts';
import type { RESTClient } from '../rest/client.ts';
import { onAbort } from '../rest/on-abort.ts';
import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from '../watch/clock.ts';
import { Scope } from '../watch/scope.ts';
import type { ListWatch } from '../watch/source.ts';
import type { Informer, InformerEvents, InformerOptions } from './informer.ts';
import { informerKey } from './informer-key.ts';
import type { InformerStats } from './informer-stats.ts';
import {
  checkInformerOptions,
  followedNamespaces,
  type InformerTarget,
  informerName,
} from './informer-target.ts';
import { informerEvents, Listeners } from './listeners.ts';
import { clusterLister, namespacedLister } from './lister.ts';
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
  /** Milliseconds until the wait rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Waits as well until the handlers have been called for everything that was there at first. Default false. */
  readonly handlers?: boolean | undefined;
}

/** Informers that are started, synced and stopped together. */
export interface SharedInformers {
  /** The informer for this target with these options; the types are the caller's. */
  of(target: InformerTarget, options: InformerOptions): Informer<unknown>;
  /** Starts the informers there are, and from now on each one as it is asked for. */
  start(options?: StartOptions): void;
  /**
   * Resolves when every informer that was asked for, before or meanwhile, has the whole state.
   * @throws {TimeoutError} after `timeoutMs`; its message names the informers that are not synced, and why
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /** Ends all requests; resolves when no handler will be called any more. `start` begins again. */
  stop(): Promise<void>;
  /** Counters and gauges of all informers by their names, of which no two are equal. */
  stats(): ReadonlyMap<string, InformerStats>;
  /** Hears what every informer reports. The function that it gives removes the listener. */
  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void;
}

/** Options of all informers that are made together. */
export interface SharedInformersOptions {
  /** Lets servers stream the state where they can, instead of listing it. Default true. */
  readonly streaming?: boolean | undefined;
  /** Time and chance; for tests. */
  readonly environment?: Environment | undefined;
}

type AnyInformer = SharedInformer<unknown, unknown>;

export class InformerSet implements SharedInformers {
  readonly #rest: RESTClient;
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, AnyInformer>();
  readonly #strings = new StringPool();
  readonly #listeners = new Listeners<InformerEvents>(informerEvents);
  #running = false;
  /** Signals that stop the informers, each with what makes it forget that. */
  readonly #links = new Map<AbortSignal, () => void>();
  /** What stopped the informers, until the next start. */
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
        // Others may have been asked for meanwhile.
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

  /** Without a reason each informer has its own. */
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
    const { labelSelector, fieldSelector, keepManagedFields = false } = options;
    const cache = { keepManagedFields, strings: this.#strings };
    const given = { labelSelector, fieldSelector, cache };
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

  /** Informers that differ in what names do not tell, such as their transform, are numbered. */
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

/** Servers that do not know the form give whole objects. */
function metadataOnly(object: Stored<unknown>): Stored<unknown> {
  return partialOf(object);
}
