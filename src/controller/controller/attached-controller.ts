/** A controller as its manager runs it: its handlers, queue and workers. */

import type { KubernetesObject, Stored } from '@kgen/runtime';
import { eventLoopTurn, WorkQueue } from '@kgen/runtime/queue';
import { errorOf } from '../errors.ts';
import { childLogger, type Logger } from '../log.ts';
import type { QueueMetrics } from '../metrics/queue-metrics.ts';
import type { RecordedQueue } from '../recorder/entries.ts';
import { queueState } from '../recorder/queue-state.ts';
import type { KeyState } from '../records/explanation.ts';
import { causesOf, type RecordLog } from '../records/record-log.ts';
import { type Cause, CauseLog, type Wake, type WakeChange } from '../runs/causes.ts';
import { idOf, keyText, type ReconcileKey } from '../runs/key.ts';
import { inTurns } from '../runs/turns.ts';
import type { ObjectChange } from '../sources/predicates.ts';
import { SourceSync } from '../sources/source-sync.ts';
import { type Enqueued, enqueuedBy, handlersOf, lowPriority, type Source } from '../sources/sources.ts';
import type { ControllerHost, ManualRun, RunningReconcile } from './host.ts';
import { Reconciler } from './reconciler.ts';
import type { Setup } from './setup.ts';

/** A controller of one manager. Its handlers are added to the informers at once. */
export class AttachedController {
  readonly name: string;
  readonly needsLeadership: boolean;
  readonly #setup: Setup<unknown>;
  readonly #host: ControllerHost;
  readonly #log: Logger;
  readonly #causes = new CauseLog();
  readonly #queue: WorkQueue<ReconcileKey>;
  readonly #metrics: QueueMetrics;
  readonly #reconciler: Reconciler<unknown>;
  readonly #sync: SourceSync;

  constructor(
    { name, needsLeadership }: Pick<AttachedController, 'name' | 'needsLeadership'>,
    setup: Setup<unknown>,
    host: ControllerHost,
  ) {
    this.name = name;
    this.needsLeadership = needsLeadership;
    this.#setup = setup;
    this.#host = host;
    const log = childLogger(host.log, { controller: name });
    this.#log = log;
    const { environment, reconciliations } = host;
    const observer = host.observeQueue(name);
    this.#metrics = observer;
    const queue = new WorkQueue<ReconcileKey>({
      name,
      idOf,
      rateLimiter: setup.failures,
      environment,
      observer,
    });
    observer.poll(() => queue.stats());
    this.#queue = queue;
    this.#reconciler = new Reconciler({ name, setup, queue, causes: this.#causes, host, log });
    const failed = (during: string): void => reconciliations.informerFailed(name, during);
    this.#sync = new SourceSync({ log, clock: environment.clock, failed });
    for (const source of setup.sources) this.#sync.add(source, this.#handle(source));
    host.ownership?.observe({ gained: (isGained) => this.#gained(isGained) });
  }

  /** Runs in progress. */
  get running(): readonly RunningReconcile[] {
    return this.#reconciler.running;
  }

  /** Records of the last runs. */
  get records(): RecordLog {
    return this.#reconciler.records;
  }

  /** Number of keys whose writes are counted to find loops. */
  get countedKeys(): number {
    return this.#reconciler.countedKeys;
  }

  /** Number of failed attempts of a key since its last success. */
  failures(key: ReconcileKey): number {
    return this.#setup.failures.failures(idOf(key));
  }

  /** Returns the keys that run and wait now. */
  queue(): RecordedQueue {
    const { running, isWorking } = this.#reconciler;
    return queueState({
      controller: this.name,
      workers: isWorking ? this.#setup.concurrency : 0,
      running,
      causes: this.#causes,
      now: this.#host.environment.clock.now(),
    });
  }

  /** Puts a key in the queue, as if its object had changed. */
  enqueue(key: ReconcileKey): void {
    this.#add(key, { type: 'request' }, 0);
  }

  /** Returns the present state of a key. */
  stateOf(key: ReconcileKey): KeyState {
    const standing = this.#host.ownership?.standing(key);
    if (standing === 'elsewhere') return { type: 'other replica' };
    const id = idOf(key);
    const now = this.#host.environment.clock.now();
    const run = this.running.find((each) => idOf(each.key) === id);
    if (run !== undefined) return { type: 'running', forMs: now - run.startedAt };
    const pending = this.#causes.peek(id);
    const causes = causesOf(pending, this.#host.secrets);
    if (!this.#reconciler.isWorking) return { type: 'not started', causes };
    if (pending === undefined) return { type: 'idle' };
    const forMs = now - pending.since;
    if (forMs < 0) return { type: 'delayed', dueInMs: -forMs, causes };
    return { type: standing === 'uncertain' ? 'uncertain' : 'queued', forMs, causes };
  }

  /**
   * Resolves when the handlers have received the initial objects of all installed kinds, or when `stopping`
   * aborts.
   * @throws {Error} after `syncTimeoutMs`, with the informers that are not complete
   */
  async synced(stopping: AbortSignal): Promise<void> {
    await this.#sync.complete(this.#setup.syncTimeoutMs, stopping);
  }

  /** Runs until `stopping` aborts. Resolves when no run is left, and never rejects. */
  async run(stopping: AbortSignal): Promise<void> {
    if (!stopping.aborted) await this.#reconciler.work(stopping);
  }

  /** Removes the keys from the queue, for manual runs. Never rejects. */
  discard(): Promise<void> {
    return this.#reconciler.discard();
  }

  /** Runs each key in the queue once, for manual runs. Never rejects. */
  perform(): Promise<readonly ManualRun[]> {
    return this.#reconciler.perform();
  }

  /** Removes the handlers, and closes the queue. */
  detach(): void {
    this.#sync.remove();
    this.#metrics.close();
    void this.#queue.shutDown();
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
      this.#reconciler.changed(key, wake.change);
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
    const { clock } = this.#host.environment;
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
    this.#host.reconciliations.panicked(this.name);
    this.#log.error(
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
    if (this.#host.ownership?.standing(key) === 'elsewhere') return;
    this.#causes.add(idOf(key), this.#host.environment.clock.now(), cause, wake);
    this.#queue.add(key, { priority });
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
