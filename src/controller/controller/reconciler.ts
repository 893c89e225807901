/** Workers of a controller: they take keys from the queue, and run the function. */

import { randomUUID } from 'node:crypto';
import { apiVersionOf } from '@kgen/runtime';
import { type EventLoopTurn, eventLoopTurn, type WorkQueue } from '@kgen/runtime/queue';
import { allowListeners } from '../client/linked-signal.ts';
import { errorOf } from '../errors.ts';
import type { Logger } from '../log.ts';
import { outcomeOf, RecordLog } from '../records/record-log.ts';
import type { ReplayedOutcome, ReplayedReconcile } from '../records/replayed.ts';
import type { CauseLog, WakeChange, Wakes } from '../runs/causes.ts';
import { idOf, keyText, type ReconcileKey } from '../runs/key.ts';
import type { RunPass } from '../sharding/ownership.ts';
import { ParkedKeys } from '../sharding/parked-keys.ts';
import { traced } from '../tracing/run-span.ts';
import { Continuation } from './continuation.ts';
import type { ControllerHost, ManualRun, RunningReconcile } from './host.ts';
import { LoopReports } from './loop-reports.ts';
import { type ReconcileContext, reconcileContext } from './reconcile-context.ts';
import { Run, type RunEnd } from './run.ts';
import { type EndedRun, RunListeners } from './run-listener.ts';
import type { Setup } from './setup.ts';
import { nextCheckMs, StaleGate, type UnseenCreation } from './stale-gate.ts';
import { WorkCall } from './work-call.ts';

/** Parts of a reconciler. */
export interface ReconcilerParts<C> {
  readonly name: string;
  readonly setup: Setup<C>;
  readonly queue: WorkQueue<ReconcileKey>;
  readonly causes: CauseLog;
  readonly host: ControllerHost;
  readonly log: Logger;
}

/** The workers of one controller. */
export class Reconciler<C> {
  readonly #parts: ReconcilerParts<C>;
  readonly #calls: WorkCall<C>;
  readonly #continuation: Continuation;
  /** Not a `Set`: each table that it has outgrown keeps its runs alive until the next full collection. */
  readonly #runs: Run[] = [];
  readonly #gate = new StaleGate();
  readonly #loops: LoopReports;
  readonly #records: RecordLog;
  readonly #listeners: RunListeners;
  readonly #parked: ParkedKeys;
  /** Signal of the present membership or term. */
  #followed: AbortSignal | undefined;
  readonly #turn: EventLoopTurn;
  #isWorking = false;

  constructor(parts: ReconcilerParts<C>) {
    this.#parts = parts;
    const { host, name, setup } = parts;
    const records = new RecordLog(name, host.secrets);
    this.#records = records;
    this.#loops = new LoopReports({ records, reconciliations: host.reconciliations, secrets: host.secrets });
    this.#listeners = new RunListeners([
      { ends: (run) => void records.add({ ...run, outcome: run.end.outcome }, Date.now()) },
      ...(host.listeners ?? []),
      this.#gate,
      this.#loops,
    ]);
    this.#turn = eventLoopTurn(host.environment.clock);
    this.#calls = new WorkCall(setup, host.requests);
    this.#continuation = new Continuation({
      ...parts,
      failures: setup.failures,
      conflicts: setup.conflicts,
      clock: host.environment.clock,
      reconciliations: host.reconciliations,
      exists: (key) => this.#calls.objectOf(key) !== undefined,
    });
    this.#parked = new ParkedKeys({
      ownership: host.ownership,
      queue: parts.queue,
      dropped: (key) => this.#dropped(key),
    });
  }

  get running(): readonly RunningReconcile[] {
    return [...this.#runs];
  }

  /** Records of the last runs. */
  get records(): RecordLog {
    return this.#records;
  }

  /** Number of keys whose writes are counted to find loops. */
  get countedKeys(): number {
    return this.#loops.keys;
  }

  /** Whether workers take keys from the queue. */
  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Records a change that causes a run of a key, for the detection of loops. */
  changed(key: ReconcileKey, change: WakeChange): void {
    this.#loops.changed(key, change);
  }

  /** Works until `stopping` aborts. Resolves when all runs have ended; never rejects. */
  async work(stopping: AbortSignal): Promise<void> {
    const { host, name, queue, setup } = this.#parts;
    host.reconciliations.started(name, setup.concurrency);
    if (host.replay !== undefined) {
      host.replay.started(name, (start) => this.#replay(start));
      return aborted(stopping);
    }
    const stop = (): void => void queue.shutDown();
    const abort = (): void => {
      for (const run of this.#runs) run.stop(host.signal.reason);
    };
    stopping.addEventListener('abort', stop, { once: true });
    host.signal.addEventListener('abort', abort, { once: true });
    if (stopping.aborted) stop();
    this.#isWorking = true;
    await Promise.all(Array.from({ length: setup.concurrency }, (_, index) => this.#worker(index + 1)));
    this.#isWorking = false;
    stopping.removeEventListener('abort', stop);
    host.signal.removeEventListener('abort', abort);
  }

  /** Removes the keys that are ready from the queue, with their causes. Never rejects. */
  async discard(): Promise<void> {
    for (const key of await this.#ready()) this.#parts.causes.take(idOf(key));
  }

  /** Runs each key that is ready once, one after the other, without a worker. Never rejects. */
  async perform(): Promise<readonly ManualRun[]> {
    const runs: ManualRun[] = [];
    for (const key of await this.#ready()) {
      if (this.#turn.isOver) await this.#turn.next();
      const run = await this.#reconcile(key, undefined, 1);
      if (run === undefined) continue;
      const { outcome } = run.end;
      runs.push({
        controller: this.#parts.name,
        key,
        cause: run.cause,
        requeueAfterMs: outcome.type === 'requeueAfter' ? outcome.afterMs : undefined,
        error: 'error' in outcome && outcome.type !== 'gone' ? outcome.error : undefined,
      });
    }
    return runs;
  }

  /** Removes the keys that are in the queue now. */
  async #ready(): Promise<readonly ReconcileKey[]> {
    const { queue } = this.#parts;
    const keys: ReconcileKey[] = [];
    for (let key = queue.tryGet(); key !== undefined; key = queue.tryGet()) {
      keys.push(key);
      queue.done(key);
      if (this.#turn.isOver) await this.#turn.next();
    }
    return keys;
  }

  async #worker(worker: number): Promise<void> {
    const { queue, log } = this.#parts;
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        // Other workers may have received keys in this turn, too.
        if (this.#turn.isOver) await this.#turn.next();
        if (!queue.isShutDown) await this.#process(key, worker);
      } catch (error) {
        // A defect of this package: the key is retried.
        log.error({ err: errorOf(error) }, `the controller failed for ${keyText(key)}`);
        queue.add(key, { rateLimited: true });
      } finally {
        queue.done(key);
      }
    }
  }

  /** Runs a key, unless another replica owns it, or its owner is uncertain: then it waits. */
  async #process(key: ReconcileKey, worker: number): Promise<void> {
    const pass = this.#parts.host.ownership?.enter(key);
    if (pass === 'elsewhere') return this.#dropped(key);
    if (pass === 'uncertain') return this.#parked.add(key);
    try {
      await this.#reconcile(key, pass, worker);
    } finally {
      pass?.leave();
    }
  }

  /** Forgets a key of another replica, which has the object in its cache and reconciles it. */
  #dropped(key: ReconcileKey): void {
    this.#parts.causes.take(idOf(key));
    this.#continuation.forget(key);
  }

  /**
   * One run of a key, from its causes to the decision when the key runs again; listeners observe it. Returns
   * `undefined` without a run if the key waits.
   */
  async #reconcile(
    key: ReconcileKey,
    pass: RunPass | undefined,
    worker: number,
  ): Promise<EndedRun | undefined> {
    if (this.#waits(key)) return undefined;
    const { causes, host, name, setup } = this.#parts;
    const attempt = this.#continuation.failures(key) + 1;
    const isLastAttempt = attempt >= setup.maxAttempts;
    const wakes = causes.take(idOf(key));
    const cause = wakes?.wakes.map((wake) => wake.cause) ?? [];
    const details = { key, reconcileID: randomUUID(), attempt, isLastAttempt, cause };
    const run = this.#run(key, pass);
    const context = this.#context(run, details);
    const { log } = context;
    const { notes, startedAt } = run;
    const begun = { controller: name, ...details, worker, wakes, notes, startedAt, log };
    for (const observer of this.#listeners.begins(begun)) run.observe(observer);
    if (pass !== undefined) this.#follow(pass.signal);
    const end = await this.#perform(run, context, wakes);
    // Many runs may end in one turn.
    if (this.#turn.isOver) await this.#turn.next();
    const ended = { ...begun, end, endedAt: host.environment.clock.now() };
    this.#listeners.ends(ended);
    this.#continuation.ended(ended);
    return ended;
  }

  /** Aborts the runs at the end of a membership or term: with one listener for it, as `SignalFollowers`. */
  #follow(signal: AbortSignal): void {
    if (signal === this.#followed) return;
    this.#followed = signal;
    allowListeners(signal);
    const lost = (): void => {
      for (const run of [...this.#runs]) run.abort(signal.reason);
    };
    signal.addEventListener('abort', lost, { once: true });
  }

  /** Repeats a recorded run. */
  async #replay(details: ReplayedReconcile): Promise<ReplayedOutcome> {
    const run = this.#run(details.key, undefined);
    const { outcome } = await this.#perform(run, this.#context(run, details), undefined);
    return {
      ...outcomeOf(outcome, this.#parts.host.secrets),
      ...('error' in outcome && { thrown: outcome.error }),
    };
  }

  /** A key waits for its own creations, without blocking others. */
  #waits(key: ReconcileKey): boolean {
    const { host, name } = this.#parts;
    const now = host.environment.clock.now();
    const unseen = this.#gate.pending(key, (creation) => this.#hasSeen(creation), now);
    if (unseen === undefined) return false;
    host.reconciliations.skippedStale(name, unseen.group, unseen.resource);
    this.#continuation.again(key, 'unseen', nextCheckMs(unseen, now));
    return true;
  }

  #hasSeen({ group, resource, namespace, resourceVersion }: UnseenCreation): boolean {
    const informers = this.#parts.setup.sources
      .map(({ informer }) => informer)
      .filter((informer) => informer.resource.group === group && informer.resource.resource === resource);
    return informers.every(
      (informer) => resourceVersion !== undefined && informer.seen(resourceVersion, namespace),
    );
  }

  #run(key: ReconcileKey, pass: RunPass | undefined): Run {
    const { host, name, setup } = this.#parts;
    const run = new Run({
      controller: name,
      key,
      timeoutMs: setup.timeoutMs,
      environment: host.environment,
      skippedWrite: ({ group, resource, verb }) =>
        host.reconciliations.skippedWrite(name, group, resource, verb),
      secrets: host.secrets,
      pass,
    });
    if (host.signal.aborted) run.stop(host.signal.reason);
    return run;
  }

  #context(run: Run, details: ReplayedReconcile): ReconcileContext<C> {
    const { host, log, setup, name } = this.#parts;
    const { key } = run;
    const resource = this.#calls.informerOf(key)?.resource;
    const apiVersion = resource && apiVersionOf(resource);
    const { namespace, name: object } = key;
    const cached = this.#calls.objectOf(key);
    if (resource !== undefined)
      run.read({ resource, namespace, name: object, objects: cached ? [cached] : [] });
    const metadata = cached?.metadata ?? { name: object, ...(namespace !== '' && { namespace }) };
    const regarding = { apiVersion, kind: resource?.kind ?? name, metadata };
    return reconcileContext({ details, run, host, client: setup.client, log, regarding });
  }

  async #perform(run: Run, context: ReconcileContext<C>, wakes: Wakes | undefined): Promise<RunEnd> {
    const { host, name } = this.#parts;
    const { key, reconcileID, attempt } = context;
    const { secrets, aroundReconcile = direct } = host;
    this.#runs.push(run);
    host.reconciliations.active(name, 1);
    try {
      return await traced(
        { controller: name, key, reconcileID, attempt, wakes, secrets },
        async (observer) => {
          if (observer !== undefined) run.observe(observer);
          return this.#calls.endOf(
            key,
            await run.perform(() => aroundReconcile(() => this.#calls.call(context), name)),
          );
        },
      );
    } finally {
      this.#runs.splice(this.#runs.indexOf(run), 1);
      host.reconciliations.active(name, -1);
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Calls a reconcile function without anything around it. */
function direct(reconcile: () => unknown): unknown {
  return reconcile();
}
