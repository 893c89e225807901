import type { AnySelection } from '../../api/selected.ts';
import type { Stored } from '../../api/types.ts';
import type { PartPool } from '../../codec/projection/part-pool.ts';
import type { Projection } from '../../codec/projection/projection.ts';
import { messageOf } from '../../common/callbacks.ts';
import { type RuntimeEnvironment, systemEnvironment } from '../../common/clock.ts';
import { isFields } from '../../common/fields.ts';
import { stringOf } from '../../common/readable.ts';
import type { VersionedResourceName } from '../../dynamic/target.ts';
import { Deferred } from '../handlers/deferred.ts';
import { HandlerSet } from '../handlers/handler-set.ts';
import { informerEvents, Listeners } from '../handlers/listeners.ts';
import type { ListerRead, ReadObserver } from '../lister/lister.ts';
import { estimateBytes } from '../store/estimate-bytes.ts';
import type { IndexFunction, InformerIndex } from '../store/indexer.ts';
import { createStore, type IndexedReader, type OwnDeletion, type Store } from '../store/store.ts';
import { Reporter } from '../warning-throttle.ts';
import type {
  HandleOptions,
  HandlerRegistration,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerHandlers,
  InformerOptions,
} from './informer.ts';
import { type FollowedSource, InformerPart, type PartHost } from './informer-part.ts';
import { describeStats, type InformerStats } from './informer-stats.ts';
import { objectSelector } from './informer-target.ts';
import { preparation } from './prepare.ts';
import type { SharedInformers } from './shared-informers.ts';

/** Parts of an informer. */
export interface InformerSetup<T, L> {
  /** Name of the informer, for messages: `pods in namespace shop`. */
  readonly name: string;
  readonly resource: VersionedResourceName;
  /** The set that starts and stops the informer. */
  readonly informers: SharedInformers;
  /** One source for each followed namespace, or one for all. */
  readonly sources: readonly FollowedSource<T>[];
  lister(store: IndexedReader<Stored<T>>, observer: ReadObserver<T>): L;
  readonly options: InformerOptions<T>;
  /** Removes members of each object that were not requested. */
  readonly reduce?: ((object: Stored<T>) => Stored<T>) | undefined;
  /** Whether the objects consist of their metadata. Default: false. */
  readonly isMetadataOnly?: boolean | undefined;
  /** Fields of the objects. Default: all fields. */
  readonly projection?: Projection | undefined;
  /** Shares equal parts of the objects. Default: they are not shared. */
  readonly partPool?: PartPool | undefined;
  /** Whether handlers are called for changes of other fields. Default: false. */
  readonly onEveryChange?: boolean | undefined;
  /** Additional listeners for all events. */
  readonly forward?: Listeners<InformerEvents>;
  readonly streaming?: boolean | undefined;
  readonly environment?: RuntimeEnvironment | undefined;
}

/** Informer with methods to start and stop it. */
export class SharedInformer<T, L> implements Informer<T, L> {
  readonly name: string;
  readonly resource: VersionedResourceName;
  readonly informers: SharedInformers;
  readonly namespaces: readonly string[] | undefined;
  /** Whether the objects consist of their metadata. */
  readonly isMetadataOnly: boolean;
  readonly selection: AnySelection | undefined;
  readonly isWhole: boolean;
  readonly lister: L;
  readonly #environment: RuntimeEnvironment;
  readonly #store: Store<Stored<T>>;
  readonly #handlers: HandlerSet<T>;
  readonly #registrations = new Set<HandlerRegistration>();
  readonly #parts: readonly InformerPart<T>[];
  readonly #listeners = new Listeners<InformerEvents>(informerEvents);
  readonly #cacheSynced = new Deferred();
  readonly #readers = new ReadObservers<T>();
  /** Number of pending waits for handlers. */
  #handling = 0;
  #controller: AbortController | undefined;
  #runs: Promise<unknown> = Promise.resolve();

  constructor(setup: InformerSetup<T, L>) {
    const { name, options, environment = systemEnvironment } = setup;
    const reporter = new Reporter(name, this.#listeners, setup.forward);
    this.name = name;
    this.isMetadataOnly = setup.isMetadataOnly ?? false;
    this.selection = setup.projection?.selection;
    this.isWhole = setup.reduce === undefined && options.transform === undefined;
    this.informers = setup.informers;
    const namespaces = setup.sources.flatMap(({ namespace }) => namespace ?? []);
    this.namespaces = namespaces.length === 0 ? undefined : namespaces;
    this.resource = Object.freeze({ ...setup.resource });
    this.#environment = environment;
    this.#store = createStore<Stored<T>>(
      (error) => reporter.error(error, { during: 'index' }),
      environment.clock,
    );
    this.lister = setup.lister(this.#store, this.#readers);
    this.#handlers = new HandlerSet<T>({
      name,
      clock: environment.clock,
      reader: this.#store.reader,
      report: (error, object) => reporter.error(error, { during: 'handler', object: placeOf(object) }),
      handled: (durationMs) => {
        this.#listeners.emit('handled', { informer: name, durationMs });
        setup.forward?.emit('handled', { informer: name, durationMs });
      },
    });
    const host: PartHost<T> = {
      store: this.#store,
      prepare: preparation(options, setup.reduce),
      projection: setup.projection,
      partPool: setup.partPool,
      onEveryChange: setup.onEveryChange ?? false,
      isTransformed: options.transform !== undefined,
      selects: objectSelector(options),
      shard: options.shard,
      reporter,
      environment,
      streaming: setup.streaming,
      publish: (changes, initial) => this.#handlers.push(changes, initial),
      complete: () => this.#complete(),
    };
    this.#parts = setup.sources.map((source) => new InformerPart(source, host));
  }

  find({ namespace = '', name }: Parameters<Informer<T>['find']>[0]): Stored<T> | undefined {
    return this.#store.reader.get(namespace, name);
  }

  get isSynced(): boolean {
    return this.#controller !== undefined && this.#parts.every(({ synced }) => synced);
  }

  get synced(): Promise<void> {
    return this.#cacheSynced.promise;
  }

  /** Resolves when all handlers have been called for all initial objects. */
  async handled(): Promise<void> {
    const waits = [...this.#registrations].map((registration) =>
      registration.synced.catch((reason: unknown) => {
        // A registration that was removed meanwhile is ignored.
        if (this.#registrations.has(registration)) throw reason;
      }),
    );
    this.#handling += 1;
    try {
      await Promise.all(waits);
    } finally {
      this.#handling -= 1;
    }
  }

  handle(handlers: InformerHandlers<T>, options: HandleOptions = {}): HandlerRegistration {
    const registration = this.#handlers.add(handlers, options);
    const own: HandlerRegistration = {
      get synced() {
        return registration.synced;
      },
      remove: () => {
        this.#registrations.delete(own);
        registration.remove();
      },
    };
    this.#registrations.add(own);
    return own;
  }

  addIndex(name: string, valuesOf: IndexFunction<Stored<T>>): InformerIndex<Stored<T>> {
    return this.#store.addIndex(name, valuesOf);
  }

  seen(resourceVersion: string, namespace?: string): boolean {
    const parts = this.#parts.filter((part) => namespace === undefined || part.covers(namespace));
    return parts.every((part) => part.seen(resourceVersion));
  }

  /** Stores a copy of the object that an own write has returned, if the informer selects it. */
  write(object: Stored<T>): void {
    for (const part of this.#parts) part.write(object);
  }

  /** Removes an object that an own write has removed. */
  delete(deletion: OwnDeletion): void {
    for (const part of this.#parts) part.delete(deletion);
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  observeReads(observer: (read: ListerRead<T>) => void): () => void {
    return this.#readers.add(observer);
  }

  stats(): InformerStats {
    const now = this.#environment.clock.now();
    const { queued, oldestQueuedAt = now } = this.#handlers;
    const parts = this.#parts.map(({ counters }) => counters);
    const unconfirmedWrites = this.#parts.reduce((sum, part) => sum + part.unconfirmedWrites, 0);
    return describeStats(parts, {
      synced: this.isSynced,
      objects: this.#store.reader.size,
      unconfirmedWrites,
      queued,
      lagMs: now - oldestQueuedAt,
      now,
    });
  }

  estimateBytes(): number {
    const { reader } = this.#store;
    return estimateBytes(reader.snapshot(), reader.size);
  }

  /**
   * Pending part of the synchronization, for messages: the cache, else the handlers; `undefined` if synced.
   */
  get waitsFor(): string | undefined {
    if (this.#controller === undefined) return `${this.name}: not started`;
    const parts = this.#parts.filter(({ synced }) => !synced);
    if (parts.length > 0) return `${this.name}: ${parts.map(({ waitsFor }) => waitsFor).join(', ')}`;
    if (this.#handling === 0) return undefined;
    return `${this.name}: handlers are busy, queued calls: ${this.#handlers.queued}`;
  }

  /** Follows the sources until `stop`. Has no effect if started. */
  start(): void {
    if (this.#controller !== undefined) return;
    const controller = new AbortController();
    this.#controller = controller;
    this.#cacheSynced.reset();
    this.#handlers.resume();
    const runs = this.#parts.map((part) =>
      part.run(controller.signal).catch((error: unknown) => this.#broke(controller, part, error)),
    );
    this.#runs = Promise.all([this.#runs, ...runs]);
  }

  /**
   * Resolves when no request remains. The cache stays readable; no further handler calls begin. Rejects waits
   * for the cache with `reason`.
   */
  async stop(reason: unknown = new Error(`informer for ${this.name} was stopped`)): Promise<void> {
    this.#end(reason);
    await this.#runs;
  }

  #end(reason: unknown): void {
    this.#controller?.abort(reason);
    this.#controller = undefined;
    for (const part of this.#parts) part.abandon();
    this.#handlers.pause();
    // Also for later waits.
    this.#cacheSynced.reset();
    this.#cacheSynced.reject(reason);
  }

  /**
   * A run that cannot continue, because the client is closed, ends the others: a partial cache would be
   * wrong.
   */
  #broke(controller: AbortController, part: InformerPart<T>, error: unknown): void {
    if (this.#controller !== controller) return;
    part.failure(error, 1);
    this.#end(new Error(`informer for ${this.name} has ended: ${messageOf(error)}`, { cause: error }));
  }

  #complete(): void {
    if (!this.isSynced) return;
    this.#cacheSynced.resolve();
    this.#handlers.complete();
  }
}

/** Observers of the reads of a lister. Without any, a read costs one comparison more. */
class ReadObservers<T> implements ReadObserver<T> {
  readonly #observers = new Set<{ readonly call: (read: ListerRead<T>) => void }>();
  onRead: ((read: ListerRead<T>) => void) | undefined;

  add(call: (read: ListerRead<T>) => void): () => void {
    const own = { call };
    this.#observers.add(own);
    this.onRead = this.#observeRead;
    return () => {
      this.#observers.delete(own);
      if (this.#observers.size === 0) this.onRead = undefined;
    };
  }

  readonly #observeRead = (read: ListerRead<T>): void => {
    for (const { call } of this.#observers) call(read);
  };
}

/** Handlers may have changed the object in violation of the rules: its metadata may be missing. */
function placeOf(object: object | undefined): NonNullable<InformerErrorContext['object']> {
  const metadata: unknown = object && Reflect.get(object, 'metadata');
  if (!isFields(metadata)) return {};
  return { namespace: stringOf(metadata['namespace'] ?? ''), name: stringOf(metadata['name'] ?? '') };
}
