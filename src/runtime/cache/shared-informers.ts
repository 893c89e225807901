/** One informer per resource and options, for all who ask. */

import { listWatch } from '../client/list-watch.ts';
import { TimeoutError } from '../errors.ts';
import type { ResourceFacts } from '../resource.ts';
import type { RESTClient } from '../rest/client.ts';
import { onAbort } from '../rest/on-abort.ts';
import { type Environment, systemEnvironment } from '../watch/clock.ts';
import { Scope } from '../watch/scope.ts';
import type { Informer, InformerEvents, InformerOptions } from './informer.ts';
import { informerKey } from './informer-key.ts';
import { Listeners } from './listeners.ts';
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
}

/** Informers that are started, synced and stopped together. */
export interface SharedInformers {
  /** The informer for this resource with these options; the types are the caller's. */
  of(resource: ResourceFacts, options: InformerOptions): Informer<unknown>;
  /** Starts the informers there are, and from now on each one as it is asked for. */
  start(options?: StartOptions): void;
  /**
   * Resolves when every informer that was asked for has the whole state.
   * @throws {TimeoutError} after `timeoutMs`; its message names the informers that are not synced, and why
   */
  waitForSync(options?: WaitForSyncOptions): Promise<void>;
  /** Ends all requests; resolves when no handler will be called any more. `start` begins again. */
  stop(): Promise<void>;
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
  readonly #listeners = new Listeners<InformerEvents>();
  #running = false;
  readonly #unlinks = new Set<() => void>();
  /** What stopped the informers, until the next start. */
  #stoppedBy: AbortSignal | undefined;

  constructor(rest: RESTClient, options: SharedInformersOptions) {
    this.#rest = rest;
    this.#options = options;
  }

  of(resource: ResourceFacts, options: InformerOptions): Informer<unknown> {
    const key = informerKey(resource, options);
    const known = this.#informers.get(key);
    if (known !== undefined) return known;
    const informer = this.#make(resource, options);
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

  async waitForSync({ signal, timeoutMs }: WaitForSyncOptions = {}): Promise<void> {
    this.#stoppedBy?.throwIfAborted();
    if (!this.#running) throw new Error('waitForSync: the informers are not running: call start() first');
    const { clock } = this.#options.environment ?? systemEnvironment;
    const scope = new Scope(signal ?? new AbortController().signal, clock);
    if (timeoutMs !== undefined) scope.deadline(timeoutMs, () => this.#notSynced(timeoutMs));
    try {
      await scope.wait(Promise.all([...this.#informers.values()].map(({ synced }) => synced)));
    } finally {
      scope.end();
    }
  }

  async stop(): Promise<void> {
    await this.#stop(undefined);
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  #link(signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    const abort = (): void => {
      this.#stoppedBy = signal;
      void this.#stop(signal.reason);
    };
    this.#unlinks.add(onAbort(signal, abort));
  }

  /** Without a reason each informer has its own. */
  async #stop(reason: unknown): Promise<void> {
    this.#running = false;
    for (const unlink of this.#unlinks) unlink();
    this.#unlinks.clear();
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop(reason)));
  }

  #make(resource: ResourceFacts, options: InformerOptions): AnyInformer {
    const namespaces = followed(resource, options);
    const { labelSelector, fieldSelector } = options;
    const name =
      namespaces === undefined ? resource.plural : `${resource.plural} in ${namespaces.join(', ')}`;
    const informer: AnyInformer = new SharedInformer({
      ...this.#options,
      name,
      options,
      sources: (namespaces ?? [undefined]).map((namespace) => ({
        ...(namespace !== undefined && { namespace }),
        source: listWatch<unknown>(this.#rest, { resource, namespace }, { labelSelector, fieldSelector }),
      })),
      lister: resource.scope === 'Namespaced' ? namespacedLister : clusterLister,
      forward: this.#listeners,
    });
    return informer;
  }

  #notSynced(timeoutMs: number): TimeoutError {
    const waiting = [...this.#informers.values()]
      .map(({ waitsFor }) => waitsFor)
      .filter((why) => why !== undefined);
    return new TimeoutError(`informers are not synced within ${timeoutMs} ms: ${waiting.join('; ')}`);
  }
}

/** The namespaces to follow; `undefined` for all. */
function followed(resource: ResourceFacts, options: InformerOptions): readonly string[] | undefined {
  const { namespace, namespaces = namespace === undefined ? undefined : [namespace] } = options;
  if (namespaces === undefined) return undefined;
  const problem = namespacesProblem(resource, options, namespaces);
  if (problem !== undefined) throw new TypeError(`informer for ${resource.plural}: ${problem}`);
  return [...new Set(namespaces)].sort();
}

function namespacesProblem(
  resource: ResourceFacts,
  options: InformerOptions,
  namespaces: readonly string[],
): string | undefined {
  if (resource.scope === 'Cluster')
    return 'objects of this kind live in no namespace: leave the namespace out';
  if (options.namespace !== undefined && options.namespaces !== undefined) {
    return 'give either namespace or namespaces';
  }
  if (namespaces.length === 0) return 'namespaces is empty: name at least one, or leave it out to follow all';
  return namespaces.includes('') ? 'a namespace is empty: leave it out to follow all' : undefined;
}
