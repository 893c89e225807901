/** Set of informers that share sources, strings and parts of their objects. */
import { TimeoutError } from '../../api/errors.ts';
import { groupName } from '../../api/group-version.ts';
import type { ObjectMeta } from '../../api/meta.ts';
import type { Stored, StoredObject } from '../../api/types.ts';
import { cacheListWatch } from '../../client/reading/cache-list-watch.ts';
import type { ResourceIdentity } from '../../client/requests/paths.ts';
import { PartPool } from '../../codec/projection/part-pool.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { StringPool } from '../../codec/string-pool.ts';
import { systemEnvironment } from '../../common/clock.ts';
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
import type { Informer, InformerEvents } from './informer.ts';
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
import type {
  RecordedWrite,
  SharedInformers,
  SharedInformersOptions,
  StartOptions,
  WaitForSyncOptions,
  WrittenObject,
} from './shared-informers.ts';
import { SharedSource } from './shared-source.ts';

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
    if (signal?.aborted === true) {
      this.#abort(signal);
      return;
    }
    this.#stoppedBy = undefined;
    this.#link(signal);
    this.#running = true;
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
    this.#links.set(
      signal,
      onAbort(signal, () => this.#abort(signal)),
    );
  }

  #abort(signal: AbortSignal): void {
    this.#stoppedBy = signal;
    void this.#stop(signal.reason);
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
