import { DecodeError } from '../../api/errors.ts';
import { isNotFound } from '../../api/failure-reasons.ts';
import type { Stored } from '../../api/types.ts';
import type { PartPool } from '../../codec/projection/part-pool.ts';
import type { Projection } from '../../codec/projection/projection.ts';
import type { RuntimeEnvironment } from '../../common/clock.ts';
import { TimeSlice } from '../../common/time-slice.ts';
import type { ObjectEvent } from '../../watch/machine/machine-types.ts';
import type { ListWatch, UnreadableItem } from '../../watch/source.ts';
import { keyOf, namespaceOf } from '../key.ts';
import { Reflector, type ReflectorSink } from '../reflector/reflector.ts';
import type { RelistReason } from '../reflector/reflector-state.ts';
import type { Change, OwnDeletion, Rebuild, Store, StorePart } from '../store/store.ts';
import { isNotNewer } from '../versions.ts';
import { type Reporter, WarningThrottle } from '../warning-throttle.ts';
import type { PartCounters } from './informer-stats.ts';
import { whyNotSynced } from './informer-waits.ts';
import { type ObjectShard, ShardRounds } from './object-shard.ts';
import type { Preparation } from './prepare.ts';
import { objectName, RejectedObjects } from './rejected-objects.ts';
import type { Follower, SharedSource } from './shared-source.ts';
import { UnchangedUpdates } from './unchanged.ts';

/** Source of an informer's objects. */
export interface FollowedSource<T> {
  /**
   * Namespace of all objects of the source. If `undefined`: objects of any namespace, or cluster-scoped ones.
   */
  readonly namespace?: string | undefined;
  readonly source: ListWatch<T>;
  /** Present if informers with other selections follow this source, too. */
  readonly shared?: SharedSource<T> | undefined;
}

/** Services of an informer for its parts. */
export interface PartHost<T> {
  readonly store: Store<Stored<T>>;
  readonly prepare: Preparation<T>;
  /** Fields of the objects; `undefined` for whole objects. */
  readonly projection: Projection | undefined;
  /** Shares equal parts of the objects; `undefined` if objects may be changed. */
  readonly partPool: PartPool | undefined;
  /** Whether changes of other fields are published. */
  readonly onEveryChange: boolean;
  /** Whether `prepare` may change an object that is not shared. */
  readonly isTransformed: boolean;
  /** Returns whether the informer selects an object; `undefined` if only the server can decide. */
  selects(object: Stored<T>): boolean | undefined;
  /** Objects that are stored. Default: all. */
  readonly shard: ObjectShard | undefined;
  readonly reporter: Reporter;
  readonly environment: RuntimeEnvironment;
  readonly streaming: boolean | undefined;
  /** `initial` means that the part has not been complete before. */
  publish(changes: readonly Change<Stored<T>>[], initial: boolean): void;
  /** Called when the part has become complete. */
  complete(): void;
}

interface RejectedObject {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/**
 * State that an informer receives from one source. A relist is collected separately from the present state,
 * and replaces it at once. Collected objects are prepared in time slices.
 */
export class InformerPart<T> implements ReflectorSink<Stored<T>> {
  readonly #namespace: string | undefined;
  readonly #target: ListWatch<T>['target'];
  readonly #host: PartHost<T>;
  readonly #store: StorePart<Stored<T>>;
  readonly #reflector: Pick<Reflector<T>, 'counters' | 'run'>;
  readonly #shared: SharedSource<T> | undefined;
  readonly #rejected = new RejectedObjects();
  readonly #warningThrottle = new WarningThrottle();
  /** One slice for everything that is collected, because many small batches together are much work. */
  readonly #slice = new TimeSlice();
  #rebuild: Rebuild<Stored<T>> | undefined;
  readonly #rounds = new ShardRounds();
  #running = false;
  /** Whether the part has become complete since the last start. */
  #synced = false;
  /** Whether the part has been complete before: later additions are new. */
  #known = false;
  readonly #unchanged = new UnchangedUpdates<Stored<T>>();

  constructor({ namespace, source, shared }: FollowedSource<T>, host: PartHost<T>) {
    this.#namespace = namespace;
    this.#target = source.target;
    this.#host = host;
    this.#store = host.store.part(namespace);
    const { streaming, environment, projection } = host;
    this.#shared = shared;
    this.#reflector =
      shared === undefined || projection === undefined
        ? new Reflector(source, this, { streaming, environment })
        : following(shared, { sink: this, projection });
  }

  get synced(): boolean {
    return this.#synced;
  }

  /** Returns the reason for which the part is not complete. */
  get waitsFor(): string {
    const { request, lastError: error } = this.#reflector.counters;
    return whyNotSynced({ request, error, target: this.#target, now: this.#host.environment.clock.now() });
  }

  get counters(): PartCounters {
    const own = { unreadable: this.#rejected.size, unchanged: this.#unchanged.count };
    return { namespace: this.#namespace, ...own, counters: this.#reflector.counters };
  }

  get unconfirmedWrites(): number {
    return this.#store.unconfirmedWrites;
  }

  /** Follows the source until `signal` aborts. Rejects if the client is closed. */
  async run(signal: AbortSignal): Promise<void> {
    this.#synced = false;
    this.#rebuild = undefined;
    this.#running = true;
    const { shard } = this.#host;
    const round = (ended: AbortSignal): Promise<void> => this.#reflector.run(ended);
    return shard === undefined ? round(signal) : this.#rounds.run(shard, signal, round);
  }

  /** Discards the collected objects after the end of a run. */
  abandon(): void {
    this.#running = false;
    this.#rebuild = undefined;
    this.#rounds.complete();
  }

  /** Returns whether the objects of a namespace belong to the part. */
  covers(namespace: string): boolean {
    return this.#namespace === undefined || this.#namespace === namespace;
  }

  /** Returns whether the cache contains all changes up to a version of the resource. */
  seen(resourceVersion: string): boolean {
    const { version } = this.#store;
    return version !== undefined && (version === resourceVersion || isNotNewer(resourceVersion, version));
  }

  /** Stores a copy of the object that an own write has returned. */
  write(object: Stored<T>): void {
    if (!this.#running || !this.covers(namespaceOf(object)) || !this.#store.awaits(object)) return;
    if (!this.#selects(object) || !this.#includes(object)) return;
    const prepared = this.#prepared(object, true);
    if (prepared !== undefined) this.#publish(this.#store.write(prepared));
  }

  /** Removes an object that an own write has removed. */
  delete(deletion: OwnDeletion): void {
    if (this.#running && this.covers(deletion.namespace)) this.#publish(this.#store.delete(deletion));
  }

  begin(): void {
    this.#rebuild = this.#store.rebuild();
    this.#rejected.begin();
  }

  async gather(events: readonly ObjectEvent<Stored<T>>[]): Promise<void> {
    const rebuild = this.#rebuild;
    for (const event of events) {
      if (rebuild === undefined || rebuild !== this.#rebuild) return;
      this.#gather(rebuild, event);
      if (this.#slice.over) await this.#slice.next();
    }
  }

  keep(items: readonly UnreadableItem[]): void {
    for (const { error, namespace, name } of items) {
      if (name !== undefined) this.#rebuild?.keep(namespace ?? this.#namespace ?? '', name);
      const { message } = error;
      // The version is unknown, but the error message is the same for the same state.
      if (!this.#rejected.note(objectName({ namespace, name }) || message, message)) continue;
      this.#host.reporter.error(error, { during: 'decode', object: { namespace, name } });
    }
  }

  async replace(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const rebuild = this.#rebuild;
    if (rebuild === undefined) return;
    // A comparison of the objects of a large state takes several turns.
    const steps = rebuild.finish(resourceVersion, (change) => this.#omits(change));
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return this.#replaced(step.value);
      if (this.#slice.over) await this.#slice.next();
      signal.throwIfAborted();
    }
  }

  changes(events: readonly ObjectEvent<Stored<T>>[], resourceVersion: string): void {
    this.#publish(events.flatMap((event) => this.#apply(event)));
    this.#publish(this.#store.progress(resourceVersion, events.length));
  }

  progress(resourceVersion: string): void {
    this.#publish(this.#store.progress(resourceVersion, 0));
  }

  failure(error: unknown, attempt: number): void {
    const lasting = this.#warningThrottle.isNew(error, attempt);
    this.#host.reporter.error(error, { during: 'request', attempt }, lasting);
    if (isNotFound(error)) this.#rounds.complete(); // A kind that is not installed has no objects.
  }

  relist(reason: RelistReason): void {
    if (reason === 'ahead') this.#store.forgetWrites();
    this.#host.reporter.relist(reason);
  }

  #replaced(changes: readonly Change<Stored<T>>[]): void {
    this.#rebuild = undefined;
    this.#rejected.complete();
    this.#unchanged.clear();
    if (changes.length > 0) this.#host.publish(changes, !this.#known);
    this.#known = true;
    this.#rounds.complete();
    if (this.#synced) return;
    this.#synced = true;
    this.#host.complete();
  }

  #publish(changes: readonly Change<Stored<T>>[]): void {
    const { projection } = this.#host;
    const published = projection === undefined ? changes : changes.filter((change) => !this.#omits(change));
    this.#unchanged.clear();
    if (published.length > 0) this.#host.publish(published, !this.#known);
  }

  /** Returns whether a change is not published: an update of fields that are not selected. */
  #omits(change: Change<Stored<T>>): boolean {
    const { projection, onEveryChange } = this.#host;
    return projection !== undefined && !onEveryChange && this.#unchanged.omits(change);
  }

  #includes(object: Stored<T>): boolean {
    return this.#host.shard?.includes(object) ?? true;
  }

  /** If only the server can decide, returns whether it has selected the object before. */
  #selects(object: Stored<T>): boolean {
    const { name, uid } = object.metadata;
    const known = this.#host.store.reader.get(namespaceOf(object), name);
    return this.#host.selects(object) ?? known?.metadata.uid === uid;
  }

  #gather(rebuild: Rebuild<Stored<T>>, { type, object }: ObjectEvent<Stored<T>>): void {
    if (this.#isForeign(type, object)) return;
    const { name } = object.metadata;
    if (!this.#includes(object)) {
      if (type !== 'ADDED') rebuild.remove(object);
      return;
    }
    if (type === 'DELETED') {
      rebuild.remove(object, this.#last(object));
      return;
    }
    const prepared = this.#prepared(object);
    if (prepared === undefined) rebuild.keep(namespaceOf(object), name);
    else rebuild.put(prepared);
  }

  #apply(event: ObjectEvent<Stored<T>>): readonly Change<Stored<T>>[] {
    const { object } = event;
    if (this.#isForeign(event.type, object)) return [];
    // An object that leaves the shard is deleted, and others never were in the cache.
    const isIncluded = this.#includes(object);
    if (!isIncluded && !this.#host.store.reader.get(namespaceOf(object), object.metadata.name)) return [];
    const type = isIncluded ? event.type : 'DELETED';
    if (this.#store.hides({ type, object })) {
      if (type === 'DELETED') this.#rejected.forget(() => keyOf(object));
      return [];
    }
    if (type !== 'DELETED') {
      const prepared = this.#prepared(object);
      return prepared === undefined ? [] : this.#store.apply({ type, object: prepared });
    }
    // If the last state cannot be prepared, the deletion is delivered with the cached one.
    const last = this.#last(object) ?? this.#host.store.reader.get(namespaceOf(object), object.metadata.name);
    return last === undefined ? [] : this.#store.apply({ type, object: last });
  }

  /** Returns the last state of a deleted object, and removes it from the rejected objects. */
  #last(object: Stored<T>): Stored<T> | undefined {
    const prepared = this.#prepared(object);
    this.#rejected.forget(() => keyOf(object));
    return prepared;
  }

  /** Whether a change of a received object would be visible to informers with other selections. */
  get #isHeldByOthers(): boolean {
    return this.#host.isTransformed && this.#shared?.isShared === true;
  }

  /** Returns `undefined` if the transform failed: a rejected object stays as it was cached. */
  #prepared(object: Stored<T>, shared: boolean = this.#isHeldByOthers): Stored<T> | undefined {
    // Read before the transform, which may change the object.
    const { name, resourceVersion } = object.metadata;
    const namespace = namespaceOf(object);
    try {
      const prepared = this.#host.prepare(object, shared, (own) => this.#shareParts(own));
      this.#rejected.forget(() => objectName({ namespace, name }));
      return prepared;
    } catch (error) {
      this.#reject('transform', error, { namespace, name, resourceVersion });
      return undefined;
    }
  }

  #shareParts(object: Stored<T>): void {
    const { partPool, store } = this.#host;
    if (partPool === undefined) return;
    this.#unchanged.share(object, store.reader.get(namespaceOf(object), object.metadata.name), partPool);
  }

  /**
   * Returns whether the object is of another namespace than requested, and so belongs to another part. Only a
   * faulty server sends such objects.
   */
  #isForeign(type: ObjectEvent<Stored<T>>['type'], object: Stored<T>): boolean {
    const namespace = namespaceOf(object);
    if (this.#namespace === undefined || namespace === this.#namespace) return false;
    if (type === 'DELETED') {
      this.#rejected.forget(() => keyOf(object));
      return true;
    }
    const { name, resourceVersion } = object.metadata;
    const what = `${keyOf(object)} was sent for a request for namespace ${this.#namespace}`;
    const error = new DecodeError(`${what}: it is ignored; the server or a proxy is faulty`);
    this.#reject('decode', error, { namespace, name, resourceVersion });
    return true;
  }

  /** Reports a rejected object, once for each version of it. */
  #reject(
    during: 'decode' | 'transform',
    error: unknown,
    { resourceVersion, ...object }: RejectedObject,
  ): void {
    if (!this.#rejected.note(objectName(object), resourceVersion)) return;
    this.#host.reporter.error(error, { during, object });
  }
}

function following<T>(
  shared: SharedSource<T>,
  follower: Follower<T>,
): Pick<Reflector<T>, 'counters' | 'run'> {
  return {
    get counters() {
      return shared.counters;
    },
    run: (signal) => shared.run(follower, signal),
  };
}
