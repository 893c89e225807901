import { messageOf } from '../callbacks.ts';
import type { Stored } from '../types.ts';
import { type Environment, systemEnvironment } from '../watch/clock.ts';
import type { ObjectEvent } from '../watch/machine.ts';
import type { ListWatch } from '../watch/source.ts';
import { Gate } from './gate.ts';
import { HandlerSet } from './handler-set.ts';
import { type Index, Indexer, type IndexFunction } from './indexer.ts';
import type {
  HandleOptions,
  Informer,
  InformerErrorContext,
  InformerEvents,
  InformerHandlers,
  InformerOptions,
  InformerStats,
  Registration,
} from './informer.ts';
import { namespaceOf } from './key.ts';
import { Listeners } from './listeners.ts';
import { preparation } from './prepare.ts';
import { Reflector, type ReflectorSink } from './reflector.ts';
import { describeStats, permanent } from './report.ts';
import { type Change, createStore, type StoreReader } from './store.ts';

/** What an informer is made from. */
export interface InformerSetup<T, L> {
  /** Names the informer in messages: `pods in shop`. */
  readonly name: string;
  /** One source for each namespace that is followed, or one for all. */
  readonly sources: readonly { readonly namespace?: string; readonly source: ListWatch<T> }[];
  lister(store: StoreReader<Stored<T>>, indexer: Indexer<Stored<T>>): L;
  readonly options: InformerOptions<T>;
  /** Also told of everything. */
  readonly forward?: Listeners<InformerEvents>;
  readonly streaming?: boolean | undefined;
  readonly environment?: Environment | undefined;
}

/** Failures in a row after which it is said that a server cannot be reached: it may be for longer. */
const WORRYING = 5;

/** One followed source. */
interface Part<T> {
  readonly namespace: string | undefined;
  readonly reflector: Reflector<T>;
  /** Complete since the last start. */
  synced: boolean;
  /** Has been complete before: what is added from now on is new. */
  known: boolean;
}

/** An informer and the switch to start and stop it. */
export class SharedInformer<T, L> implements Informer<T, L> {
  readonly name: string;
  readonly lister: L;
  readonly #environment: Environment;
  readonly #store = createStore<Stored<T>>();
  readonly #indexer: Indexer<Stored<T>>;
  readonly #handlers: HandlerSet<T>;
  readonly #parts: readonly Part<T>[];
  readonly #prepare: (object: Stored<T>) => Stored<T>;
  readonly #listeners = new Listeners<InformerEvents>();
  readonly #forward: Listeners<InformerEvents> | undefined;
  readonly #gate = new Gate();
  #controller: AbortController | undefined;
  #runs: Promise<unknown> = Promise.resolve();

  constructor(setup: InformerSetup<T, L>) {
    this.name = setup.name;
    this.#environment = setup.environment ?? systemEnvironment;
    this.#forward = setup.forward;
    this.#prepare = preparation(setup.options);
    this.#indexer = new Indexer((error) => this.#report(error, { during: 'index' }));
    this.lister = setup.lister(this.#store.reader, this.#indexer);
    this.#handlers = new HandlerSet<T>({
      name: this.name,
      clock: this.#environment.clock,
      objects: () => this.#store.reader.values(),
      report: (error) => this.#report(error, { during: 'handler' }),
    });
    this.#parts = setup.sources.map(({ namespace, source }) =>
      this.#part(namespace, source, setup.streaming),
    );
  }

  get isSynced(): boolean {
    return this.#controller !== undefined && this.#parts.every(({ synced }) => synced);
  }

  get synced(): Promise<void> {
    return this.#gate.opened;
  }

  handle(handlers: InformerHandlers<T>, options: HandleOptions = {}): Registration {
    return this.#handlers.add(handlers, options);
  }

  addIndex(name: string, valuesOf: IndexFunction<Stored<T>>): Index<Stored<T>> {
    return this.#indexer.add(name, valuesOf, this.#store.reader.values());
  }

  on<E extends keyof InformerEvents>(event: E, listener: (...args: InformerEvents[E]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  stats(): InformerStats {
    const parts = this.#parts.map(({ namespace, reflector }) => ({
      namespace,
      counters: reflector.counters,
    }));
    return describeStats(parts, {
      objects: this.#store.reader.size,
      queued: this.#handlers.queued,
      now: this.#environment.clock.now(),
    });
  }

  /** Why the copy is not complete, for messages; `undefined` when it is. */
  get waitsFor(): string | undefined {
    if (this.isSynced) return undefined;
    if (this.#controller === undefined) return `${this.name}: not started`;
    const errors = this.#parts
      .filter(({ synced }) => !synced)
      .map(({ reflector }) => reflector.counters.lastError);
    const error = errors.find((candidate) => candidate !== undefined);
    return `${this.name}: ${error === undefined ? 'waits for the server to list it' : messageOf(error)}`;
  }

  /** Follows the sources until `stop`. Once started it stays as it is. */
  start(): void {
    if (this.#controller !== undefined) return;
    const controller = new AbortController();
    this.#controller = controller;
    this.#gate.close();
    for (const part of this.#parts) part.synced = false;
    this.#handlers.resume();
    const runs = this.#parts.map(({ reflector }) =>
      reflector.run(controller.signal).catch((error: unknown) => this.#broke(controller, error)),
    );
    this.#runs = Promise.all([this.#runs, ...runs]);
  }

  /**
   * Resolves when no request is left. The copy stays, and may be read; no handler is called any more. Who waits for
   * the copy is given `reason`.
   */
  async stop(reason: unknown = new Error(`informer for ${this.name} was stopped`)): Promise<void> {
    this.#end(reason);
    await this.#runs;
  }

  #end(reason: unknown): void {
    this.#controller?.abort(reason);
    this.#controller = undefined;
    this.#handlers.pause();
    this.#gate.giveUp(reason);
  }

  /** A run that cannot go on, as the client is closed, ends the others: half an informer would be a wrong one. */
  #broke(controller: AbortController, error: unknown): void {
    if (this.#controller !== controller) return;
    this.#report(error, { during: 'request', attempt: 1 });
    this.#end(new Error(`informer for ${this.name} has ended: ${messageOf(error)}`, { cause: error }));
  }

  #part(namespace: string | undefined, source: ListWatch<T>, streaming: boolean | undefined): Part<T> {
    const sink: ReflectorSink<Stored<T>> = {
      replace: (items) => this.#replace(part, items),
      changes: (events) => this.#change(part, events),
      failure: (error, attempt) => this.#report(error, { during: 'request', attempt }),
      relist: (reason) => this.#emit('relist', { informer: this.name, reason }),
    };
    const reflector = new Reflector(source, sink, { streaming, environment: this.#environment });
    const part: Part<T> = { namespace, reflector, synced: false, known: false };
    return part;
  }

  #replace(part: Part<T>, items: readonly Stored<T>[]): void {
    const prepared: Stored<T>[] = [];
    for (const item of items) {
      const object = this.#prepared(item) ?? this.#stored(item);
      if (object !== undefined) prepared.push(object);
    }
    const changes = this.#store.writer.replace(prepared, part.namespace);
    for (const change of changes) this.#publish(change, !part.known);
    part.known = true;
    if (part.synced) return;
    part.synced = true;
    if (!this.isSynced) return;
    this.#gate.open();
    this.#handlers.complete();
  }

  #change(part: Part<T>, events: readonly ObjectEvent<Stored<T>>[]): void {
    for (const { type, object } of events) {
      const prepared = this.#prepared(object) ?? (type === 'DELETED' ? this.#stored(object) : undefined);
      if (prepared === undefined) continue;
      for (const change of this.#store.writer.apply({ type, object: prepared }))
        this.#publish(change, !part.known);
    }
  }

  #publish(change: Change<Stored<T>>, initial: boolean): void {
    this.#indexer.apply(change);
    this.#handlers.push(change.type === 'add' ? { ...change, initial } : change);
  }

  /** Nothing when the transform failed. */
  #prepared(object: Stored<T>): Stored<T> | undefined {
    try {
      return this.#prepare(object);
    } catch (error) {
      this.#report(error, { during: 'transform' });
      return undefined;
    }
  }

  /** An object that cannot be taken in stays as it was known: it is not gone. */
  #stored(object: Stored<T>): Stored<T> | undefined {
    return this.#store.reader.get(namespaceOf(object), object.metadata.name);
  }

  #emit<E extends keyof InformerEvents>(event: E, ...args: InformerEvents[E]): boolean {
    const heard = this.#listeners.emit(event, ...args);
    return this.#forward?.emit(event, ...args) === true || heard;
  }

  #report(error: unknown, context: Omit<InformerErrorContext, 'informer'>): void {
    const heard = this.#emit('error', error, { informer: this.name, ...context });
    const lasting = context.during !== 'request' || context.attempt === (permanent(error) ? 1 : WORRYING);
    if (heard || !lasting) return;
    // Nobody listens, and it does not go away by itself, or has not done so for some time.
    process.emitWarning(
      `informer for ${this.name}: ${context.during}: ${messageOf(error)}`,
      'InformerWarning',
    );
  }
}
