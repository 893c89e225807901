import type { Informer, KubernetesObject, Stored } from '@kgen/runtime';
import { systemEnvironment } from '@kgen/runtime/informers';
import { eventLoopTurn, exponentialRateLimiter, type RateLimiter, WorkQueue } from '@kgen/runtime/queue';
import { errorOf } from '../errors.ts';
import { childLogger, type Logger } from '../log.ts';
import type { QueueMetrics } from '../metrics/queue-metrics.ts';
import { type Explanation, explanationOf, type KeyState } from '../records/explanation.ts';
import type { ReconcileRecord } from '../records/record.ts';
import { causesOf } from '../records/record-log.ts';
import { type Cause, CauseLog, type Wake, type WakeChange } from '../runs/causes.ts';
import { checkedKey, idOf, keyText, type ReconcileKey } from '../runs/key.ts';
import { inTurns } from '../runs/turns.ts';
import { noSecrets } from '../secrecy/secret-values.ts';
import type { KeyOwnership } from '../sharding/ownership.ts';
import type { ObjectChange } from '../sources/predicates.ts';
import { SourceSync } from '../sources/source-sync.ts';
import { type Enqueued, enqueuedBy, handlersOf, lowPriority, type Source } from '../sources/sources.ts';
import type { ControllerHost, ManualRun, RunningReconcile } from './host.ts';
import type { ControllerOptions } from './options.ts';
import { Reconciler } from './reconciler.ts';
import { type Setup, setupOf } from './setup.ts';

/**
 * Reconciles objects: calls a function for each object that has changed, one call per object at a time, and
 * again after failures. Changes during a call cause another one. A `Manager` runs it.
 *
 * Guarantees:
 * - All handlers have received the initial objects before the first run. Kinds that are not installed do not
 *   delay it; the controller follows them once they are.
 * - Each change leads to a run that begins after it. Changes before a run are combined.
 * - A run that fails is retried with backoff, or after the server's `Retry-After`; a conflict is retried
 *   without a message; `TerminalError` is not retried before the next change.
 * - A function that throws anything, never settles or returns anything else than its result type is reported
 *   and does not affect other objects.
 * @example
 * ```ts
 * import { Controller } from '@kgen/controller';
 * import { deployments } from '@kgen/kubernetes/apps/v1';
 * import { InformerFactory } from '@kgen/runtime';
 * import { myApps } from './generated/my.domain/v1/index.js';
 *
 * const informers = new InformerFactory(clientset);
 * const controller = new Controller({
 *   name: 'myapp',
 *   for: informers.of(myApps),
 *   owns: [informers.of(deployments)],
 *   reconcile: (app, { log }) => log.info({ version: app.spec.version }, 'reconciled'),
 * });
 * console.log(controller.name);
 * ```
 */
export class Controller<
  T extends KubernetesObject = KubernetesObject,
  C = undefined,
  const W extends readonly unknown[] = readonly unknown[],
> {
  readonly name: string;
  /** Whether it runs only while its manager is the leader. */
  readonly needsLeadership: boolean;
  readonly #setup: Setup<unknown>;
  readonly #causes = new CauseLog();
  readonly #failures: RateLimiter;
  readonly #conflicts: RateLimiter;
  #queue: WorkQueue<ReconcileKey> | undefined;
  #metrics: QueueMetrics | undefined;
  #reconciler: Reconciler<unknown> | undefined;
  #sync: SourceSync | undefined;
  #log: Logger | undefined;
  #host: ControllerHost | undefined;
  #ownership: KeyOwnership | undefined;

  /**
   * @throws {TypeError} if the options contradict each other, or functions are missing
   * @throws {RangeError} if a number is out of range
   */
  constructor(options: ControllerOptions<T, C, W>) {
    this.#setup = setupOf(options);
    this.name = options.name;
    this.needsLeadership = options.leaderElection ?? true;
    const { backoffBaseMs: baseMs, backoffMaxMs: maxMs } = options;
    this.#failures = exponentialRateLimiter({ baseMs, maxMs });
    this.#conflicts = exponentialRateLimiter({ baseMs, maxMs });
  }

  /** Informers that the controller reads. */
  get informers(): readonly Informer<KubernetesObject>[] {
    return [...new Set(this.#setup.sources.map(({ informer }) => informer))];
  }

  /** Runs in progress. */
  get running(): readonly RunningReconcile[] {
    return this.#reconciler?.running ?? [];
  }

  /**
   * Puts a key in the queue, as if its object had changed. With sharding, a key of another replica is not
   * queued.
   * @throws {Error} if the controller does not belong to a manager
   * @throws {TypeError} if the key has no name
   */
  enqueue(key: ReconcileKey): void {
    if (this.#queue === undefined) throw new Error(`controller ${this.name}: add it to a manager first`);
    this.#add(checkedKey(key), { type: 'request' }, 0);
  }

  /**
   * Returns why a key was reconciled, or waits: its last reconciles with their causes, reads and writes, and
   * its present state. For any key, also one without an object. Never throws for a valid key.
   * @throws {TypeError} if the key has no name
   * @example
   * ```ts
   * import { Controller } from '@kgen/controller';
   * import { InformerFactory } from '@kgen/runtime';
   * import { myApps } from './generated/my.domain/v1/index.js';
   *
   * const myApp = new InformerFactory(clientset).of(myApps);
   * const controller = new Controller({ name: 'myapp', for: myApp, reconcile: () => undefined });
   * const { text, state } = controller.explain({ namespace: 'shop', name: 'web' });
   * console.log(state.type); // 'not started'
   * console.log(text);
   * ```
   */
  explain(key: ReconcileKey): Explanation {
    const checked = checkedKey(key);
    const { total = 0, records = [] } = this.#reconciler?.records.of(checked) ?? {};
    return explanationOf({
      controller: this.name,
      key: checked,
      state: this.#stateOf(checked),
      cachedVersion: this.#setup.reconciled.get(checked.cluster)?.find(checked)?.metadata.resourceVersion,
      failures: this.#failures.failures(idOf(checked)),
      total,
      reconciles: records,
    });
  }

  /**
   * Returns records of the last reconciles, newest first, at most `limit`. The last 5 of up to 1,000 keys are
   * kept, in at most 4 MiB. Default: 100.
   */
  reconciles(limit = 100): readonly ReconcileRecord[] {
    return this.#reconciler?.records.newest(limit) ?? [];
  }

  /**
   * Adds the handlers to the informers; called by the manager before it starts them. Changes are queued from
   * then on.
   * @throws {Error} if the controller was added to a manager before
   */
  bind(host: ControllerHost): void {
    if (this.#reconciler !== undefined) {
      throw new Error(`controller ${this.name} belongs to a manager already: create another controller`);
    }
    this.#host = host;
    this.#log = childLogger(host.log, { controller: this.name });
    const { environment } = host;
    const observer = host.observeQueue(this.name);
    const queue = new WorkQueue<ReconcileKey>({
      name: this.name,
      idOf,
      rateLimiter: this.#failures,
      environment,
      observer,
    });
    observer.poll(() => queue.stats());
    this.#queue = queue;
    this.#metrics = observer;
    this.#reconciler = new Reconciler({
      name: this.name,
      setup: this.#setup,
      queue,
      failures: this.#failures,
      conflicts: this.#conflicts,
      causes: this.#causes,
      host,
      log: this.#log,
    });
    this.#sync = new SourceSync({
      log: this.#log,
      clock: environment.clock,
      failed: (during) => host.reconciliations.informerFailed(this.name, during),
    });
    for (const source of this.#setup.sources) this.#sync.add(source, this.#handle(source));
    this.#ownership = host.ownership;
    host.ownership?.observe({ gained: (isGained) => this.#gained(isGained) });
  }

  /**
   * Resolves when the handlers have received the initial objects of all installed kinds, or when `stopping`
   * aborts; called by the manager.
   * @throws {Error} after `syncTimeoutMs`, with the informers that are not complete
   */
  async synced(stopping: AbortSignal): Promise<void> {
    await this.#sync?.complete(this.#setup.syncTimeoutMs, stopping);
  }

  /** Runs until `stopping` aborts; called by the manager. Resolves when no run is left, and never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    if (!stopping.aborted) await this.#reconciler?.work(stopping);
  }

  /** Removes the keys from the queue; called by a manager whose runs are manual. Never rejects. */
  async discard(): Promise<void> {
    await this.#reconciler?.discard();
  }

  /** Runs each key in the queue once; called by a manager whose runs are manual. Never rejects. */
  async perform(): Promise<readonly ManualRun[]> {
    return (await this.#reconciler?.perform()) ?? [];
  }

  /** Removes the handlers; called by the manager. */
  unbind(): void {
    this.#sync?.remove();
    this.#metrics?.close();
    void this.#queue?.shutDown();
  }

  #stateOf(key: ReconcileKey): KeyState {
    const standing = this.#ownership?.standing(key);
    if (standing === 'elsewhere') return { type: 'other replica' };
    const id = idOf(key);
    const now = this.#now();
    const run = this.running.find((each) => idOf(each.key) === id);
    if (run !== undefined) return { type: 'running', forMs: now - run.startedAt };
    const pending = this.#causes.peek(id);
    const causes = causesOf(pending, this.#host?.secrets ?? noSecrets);
    if (this.#reconciler?.isWorking !== true) return { type: 'not started', causes };
    if (pending === undefined) return { type: 'idle' };
    const forMs = now - pending.since;
    if (forMs < 0) return { type: 'delayed', dueInMs: -forMs, causes };
    return { type: standing === 'uncertain' ? 'uncertain' : 'queued', forMs, causes };
  }

  #now(): number {
    return this.#host?.environment.clock.now() ?? 0;
  }

  #handle(source: Source): () => ReturnType<typeof source.informer.handle> {
    const { resyncMs } = this.#setup;
    const handlers = handlersOf((change) => this.#changed(source, change));
    const isFor = source.isReconciled;
    return () => source.informer.handle(handlers, isFor && resyncMs !== undefined ? { resyncMs } : {});
  }

  #changed(source: Source, change: ObjectChange<KubernetesObject>): Promise<void> | undefined {
    const wake = wakeOf(source, change);
    return this.#eachKey(source, change, ({ key, cause, priority }) => {
      this.#reconciler?.changed(key, wake.change);
      this.#add(key, cause, priority, wake);
    });
  }

  /** Calls a function for each key of a change, in several turns of the event loop if there are many. */
  #eachKey(
    source: Source,
    change: ObjectChange<KubernetesObject>,
    act: (enqueued: Enqueued) => void,
  ): Promise<void> | undefined {
    const report = (error: unknown, place: string): void => this.#threw(source, change, error, place);
    const { clock } = this.#host?.environment ?? systemEnvironment;
    const each = (enqueued: Enqueued | undefined): void => enqueued && act(enqueued);
    return inTurns(enqueuedBy(source, change, report), each, eventLoopTurn(clock));
  }

  #threw(
    { informer }: Source,
    { object }: ObjectChange<KubernetesObject>,
    error: unknown,
    place: string,
  ): void {
    const err = errorOf(error);
    this.#host?.reconciliations.panicked(this.name);
    this.#log?.error(
      { err, informer: informer.name, object: nameOf(object) },
      `${place} of controller ${this.name} failed for ${informer.name} ${nameOf(object)}: ${err.message}`,
    );
  }

  /**
   * Queues the gained keys of cached objects, by another delivery of all objects. Keys of `reconcileKey` need
   * not be those of reconciled objects.
   */
  #gained(isGained: (key: ReconcileKey) => boolean): void {
    const { sources, work } = this.#setup;
    for (const source of sources) {
      if (!source.isReconciled && work.type === 'object') continue;
      const registration = source.informer.handle({ add: (object) => this.#found(source, object, isGained) });
      const remove = (): void => registration.remove();
      registration.synced.then(remove, remove);
    }
  }

  #found(
    source: Source,
    object: Stored<KubernetesObject>,
    isGained: (key: ReconcileKey) => boolean,
  ): Promise<void> | undefined {
    const change: ObjectChange<KubernetesObject> = { type: 'add', object, isInitial: true };
    // A predicate selects changes: every reconciled object of a gained key is queued.
    const accepting = source.isReconciled ? { ...source, predicate: () => true } : source;
    return this.#eachKey(accepting, change, ({ key }) => {
      if (isGained(key)) this.#add(key, { type: 'shard' }, lowPriority);
    });
  }

  /** Keys of other replicas are not queued: they are queued once they are gained. */
  #add(key: ReconcileKey, cause: Cause, priority: number, wake?: ChangeWake): void {
    if (this.#ownership?.standing(key) === 'elsewhere') return;
    this.#causes.add(idOf(key), this.#now(), cause, wake);
    this.#queue?.add(key, { priority });
  }
}

type ChangeWake = Required<Pick<Wake, 'isInitial'>> & { readonly change: WakeChange };

function wakeOf({ informer }: Source, change: ObjectChange<KubernetesObject>): ChangeWake {
  const { group, resource } = informer.resource;
  const { namespace = '', name } = change.object.metadata;
  const before = change.type === 'update' ? change.old : change.type === 'delete' ? change.object : undefined;
  const after = change.type === 'delete' ? undefined : change.object;
  const isInitial = change.type === 'add' && change.isInitial;
  return { isInitial, change: { object: { group, resource, namespace, name }, before, after } };
}

function nameOf({ metadata }: Stored<KubernetesObject>): string {
  return keyText({ namespace: metadata.namespace ?? '', name: metadata.name });
}
