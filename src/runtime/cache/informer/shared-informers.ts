/**
 * Informers that are shared by callers with the same resource and options.
 *
 * Cost of an informer while it follows: for each followed namespace, or once for all namespaces, one open
 * request, with a connection of its own, and one timer, which detects an idle stream. Lists use the
 * connections of other requests. A registration costs a timer with `resyncMs` only. All
 * informers of a set share recurring strings of their objects.
 */

import { TimeoutError } from '../../api/errors.ts';
import { groupName } from '../../api/group-version.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import type { Stored, StoredObject } from '../../api/types.ts';
import { cacheListWatch } from '../../client/reading/cache-list-watch.ts';
import type { ResourceIdentity } from '../../client/requests/paths.ts';
import { PartPool } from '../../codec/projection/part-pool.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { StringPool } from '../../codec/string-pool.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { isFields, member } from '../../common/fields.ts';
import { isPartial, partialOf } from '../../dynamic/metadata/metadata.ts';
import type { VersionedResourceName } from '../../dynamic/target.ts';
import { onAbort } from '../../rest/abort/on-abort.ts';
import type { RESTClient } from '../../rest/client.ts';
import { selectionOf } from '../../selectors/selection.ts';
import { Scope } from '../../watch/scope.ts';
import type { ListWatch } from '../../watch/source.ts';
import { informerEvents, Listeners } from '../handlers/listeners.ts';
import { namespaceOf } from '../key.ts';
import { clusterLister, namespacedLister } from '../lister/lister.ts';
import type { Informer, InformerEvents, InformerOptions, SelectOptions } from './informer.ts';
import type { FollowedSource } from './informer-part.ts';
import type { InformerStats } from './informer-stats.ts';
import {
  type AnyInformerOptions,
  checkInformerOptions,
  followedNamespaces,
  type InformerTarget,
  informerKey,
  informerName,
  sourceKey,
} from './informer-target.ts';
import { shardedSource } from './object-shard.ts';
import { SharedInformer } from './shared-informer.ts';
import { SharedSource } from './shared-source.ts';

/** Options of `InformerFactory.start`. */
export interface StartOptions {
  /** Stops the informers: `waitForSync` then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `InformerFactory.waitForSync`. */
export interface WaitForSyncOptions {
  /** Ends the wait, which then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the wait, in milliseconds; then it rejects with `TimeoutError`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Whether to wait until the handlers have been called for all initial objects, too. Default: false. */
  readonly handlers?: boolean | undefined;
}

/** Object that a request has written. */
export interface WrittenObject {
  /** API group of the object; `''` or `core` for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name of the resource of the object: `deployments`. */
  readonly resource: string;
  /** Namespace of a deleted object. Default: a cluster-scoped object. Objects contain their own namespace. */
  readonly namespace?: string | undefined;
  /** Name of a deleted object. Objects contain their own name. */
  readonly name?: string | undefined;
}

/**
 * Result of a write: the whole object that the server returned, with its resourceVersion, or the removal of
 * the object. The uid of a removal is in the response (`details.uid` of a Status); its resourceVersion is the
 * last known one of the object. A removal with neither is not recorded.
 */
export type RecordedWrite =
  | { readonly object: unknown }
  | {
      readonly deleted: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
    };

/** Informers that are started, synced and stopped together. */
export interface SharedInformers {
  /** Client that the informers use. */
  readonly rest: RESTClient;
  /** Returns the informer for this target with these options; the caller provides the types. */
  of(target: InformerTarget, options: InformerOptions & Partial<SelectOptions>): Informer<unknown>;
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
  /**
   * Makes the result of a successful write of this process visible at once in every running informer of the
   * resource that selects the object, before the server sends the change. Never waits, and never throws.
   *
   * - The informers receive copies.
   * - A result is ignored if the informer has received it already, or something newer.
   * - If only the server can decide whether an informer selects the object (field selectors other than
   *   `metadata.name` and `metadata.namespace`, shards), the object is updated if it is cached. If its labels
   *   no longer match, the server's event removes it.
   * - An object whose deletion is complete, because it has a deletionTimestamp but neither a finalizer nor a
   *   grace period, counts as removed.
   * - Not for dry runs, nor for responses of subresources of another kind, such as `scale`.
   */
  recordWrite(target: WrittenObject, result: RecordedWrite): void;
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
  readonly rest: RESTClient;
  readonly #options: SharedInformersOptions;
  readonly #informers = new Map<string, AnyInformer>();
  /** Sources of informers with selections, by their requests. */
  readonly #sources = new Map<string, FollowedSource<unknown>>();
  readonly #strings = new StringPool();
  readonly #parts = new PartPool(this.#strings);
  readonly #listeners = new Listeners<InformerEvents>(informerEvents);
  #running = false;
  /** Signals that stop the informers, with functions that remove their listeners. */
  readonly #links = new Map<AbortSignal, () => void>();
  /** Signal that stopped the informers, until the next start. */
  #stoppedBy: AbortSignal | undefined;

  constructor(rest: RESTClient, options: SharedInformersOptions) {
    this.rest = rest;
    this.#options = options;
  }

  of(target: InformerTarget, options: AnyInformerOptions): Informer<unknown> {
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

  recordWrite(target: WrittenObject, result: RecordedWrite): void {
    const { version, resource } = target;
    const group = groupName(target.group);
    for (const informer of this.#informers.values()) {
      const own = informer.resource;
      if (own.resource !== resource || own.version !== version || own.group !== group) continue;
      recordIn(informer, target, result);
    }
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
    options: AnyInformerOptions,
    namespaces: readonly string[] | undefined,
  ): AnyInformer {
    const { form } = target;
    const projection = options.select && Projection.of(options.select);
    return new SharedInformer<unknown, unknown>({
      ...this.#options,
      name: this.#nameOf(informerName(target, options, namespaces)),
      resource: nameOf(target.resource),
      informers: this,
      options,
      projection,
      // A transform may keep and change its results.
      partPool: projection !== undefined && options.transform === undefined ? this.#parts : undefined,
      onEveryChange: options.onEveryChange,
      sources: (namespaces ?? [undefined]).map((namespace) => this.#followed(target, options, namespace)),
      lister: target.lister === 'Namespaced' ? namespacedLister : clusterLister,
      reduce: this.#reduction(form !== undefined, projection, options.transform !== undefined),
      isMetadataOnly: form !== undefined,
      forward: this.#listeners,
    });
  }

  #followed(
    target: InformerTarget,
    options: AnyInformerOptions,
    namespace: string | undefined,
  ): FollowedSource<unknown> {
    const { shard } = options;
    if (shard !== undefined) {
      const sourceOf = (shardSelector: string | undefined): ListWatch<unknown> =>
        this.#sourceOf(
          target,
          { ...options, ...(shardSelector !== undefined && { shardSelector }) },
          namespace,
        );
      return { namespace, source: shardedSource(shard, sourceOf) };
    }
    if (options.select === undefined)
      return { namespace, source: this.#sourceOf(target, options, namespace) };
    const key = JSON.stringify([sourceKey(target, options), namespace]);
    const known = this.#sources.get(key) ?? this.#sharedSource(target, options, namespace);
    this.#sources.set(key, known);
    return known;
  }

  #sharedSource(
    target: InformerTarget,
    options: AnyInformerOptions,
    namespace: string | undefined,
  ): FollowedSource<unknown> {
    const source = this.#sourceOf(target, options, namespace, () => shared.projection);
    const shared: SharedSource<unknown> = new SharedSource(source, this.#options);
    return { namespace, source, shared };
  }

  #sourceOf(
    { resource, form, codecs }: InformerTarget,
    options: AnyInformerOptions,
    namespace: string | undefined,
    projection?: () => Projection | undefined,
  ): ListWatch<unknown> {
    const { keepManagedFields = false } = options;
    const cache = { keepManagedFields, strings: this.#strings, projection };
    const place = { resource, namespace, form, ...(codecs && { codecs }) };
    return cacheListWatch(this.rest, place, { ...selectionOf(options), cache });
  }

  #reduction(
    isMetadataOnly: boolean,
    projection: Projection | undefined,
    isTransformed: boolean,
  ): ((object: Stored<unknown>) => Stored<unknown>) | undefined {
    if (projection === undefined) return isMetadataOnly ? metadataOnly : undefined;
    return (object) => {
      const picked = projection.pick(isMetadataOnly ? metadataOnly(object) : object);
      // Later, the strings would be those of the transform.
      if (isTransformed) this.#strings.share(picked);
      return picked;
    };
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

function nameOf({ group, version, plural, kind, scope }: ResourceIdentity): VersionedResourceName {
  const name = { group, version, resource: plural };
  return { ...name, ...(kind !== undefined && { kind }), ...(scope !== undefined && { scope }) };
}

function recordIn(
  informer: AnyInformer,
  { namespace = '', name }: WrittenObject,
  result: RecordedWrite,
): void {
  if ('deleted' in result) {
    if (name !== undefined) informer.delete({ ...result.deleted, namespace, name });
    return;
  }
  const { object } = result;
  if (!isStored(object)) return;
  const { metadata } = object;
  // The metadata of an object is not the object.
  if (isPartial(object) && !informer.isMetadataOnly) return;
  if (isRemoved(object)) {
    const { uid, resourceVersion } = metadata;
    informer.delete({ namespace: namespaceOf(object), name: metadata.name, uid, resourceVersion });
  } else informer.write(object);
}

/** Responses are not validated. */
function isStored(object: unknown): object is StoredObject {
  if (!isFields(object) || !isFields(object['metadata'])) return false;
  const { name, uid, resourceVersion } = object['metadata'];
  return [name, uid, resourceVersion].every((value) => typeof value === 'string' && value !== '');
}

/**
 * The update that removes the last finalizer removes the object, and so does a deletion without a grace
 * period. Namespaces have finalizers in their spec, which the metadata alone does not show.
 */
function isRemoved(object: StoredObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds }: ObjectMeta = object.metadata;
  if (!deletionTimestamp || finalizers?.length || deletionGracePeriodSeconds || isPartial(object))
    return false;
  const spec = member({ ...object }, 'spec');
  return !isFields(spec) || !Array.isArray(spec['finalizers']) || spec['finalizers'].length === 0;
}
