/** Workers of a controller: they take keys from the queue, run the function, and decide what follows. */

import { randomUUID } from 'node:crypto';
import { ApiError, type Informer, isNotFound, type KubernetesObject, type Stored } from '@kgen/runtime';
import type { WorkQueue } from '@kgen/runtime/queue';
import { errorOf, ReconcileTimeoutError } from '../errors.ts';
import { childLogger, type Logger } from '../log.ts';
import type { ControllerHost, RunningReconcile } from '../manager/host.ts';
import type { CauseLog } from './causes.ts';
import { additionOf, objectPath, removalOf } from './finalizer.ts';
import { idOf, keyText, type ReconcileKey } from './key.ts';
import type { ReconcileContext } from './options.ts';
import type { Outcome, ReconcileResult } from './outcome.ts';
import { Run, type RunEnd } from './run.ts';
import type { Setup } from './setup.ts';
import { StaleGate, type UnseenCreation } from './stale-gate.ts';

/** Interval in which a key that waits for its own creation is checked, in milliseconds. */
const gateCheckMs = 100;

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
  readonly #runs = new Set<Run>();
  readonly #gate = new StaleGate();

  constructor(parts: ReconcilerParts<C>) {
    this.#parts = parts;
  }

  get running(): readonly RunningReconcile[] {
    return [...this.#runs];
  }

  /** Works until `stopping` aborts. Resolves when all runs have ended; never rejects. */
  async work(stopping: AbortSignal): Promise<void> {
    const { host, name, queue, setup } = this.#parts;
    host.reconciliations.started(name, setup.concurrency);
    const stop = (): void => void queue.shutDown();
    const abort = (): void => {
      for (const run of this.#runs) run.abort(host.signal.reason);
    };
    stopping.addEventListener('abort', stop, { once: true });
    host.signal.addEventListener('abort', abort, { once: true });
    if (stopping.aborted) stop();
    await Promise.all(Array.from({ length: setup.concurrency }, () => this.#worker()));
    stopping.removeEventListener('abort', stop);
    host.signal.removeEventListener('abort', abort);
  }

  async #worker(): Promise<void> {
    const { queue, log } = this.#parts;
    for (let key = await queue.get(); key !== undefined; key = await queue.get()) {
      try {
        await this.#process(key);
      } catch (error) {
        // A defect of this package: the key is retried.
        log.error({ err: errorOf(error) }, `the controller failed for ${keyText(key)}`);
        queue.add(key, { rateLimited: true });
      } finally {
        queue.done(key);
      }
    }
  }

  async #process(key: ReconcileKey): Promise<void> {
    if (this.#waits(key)) return;
    const { host, name, queue, setup, causes } = this.#parts;
    const { clock } = host.environment;
    const attempt = queue.failures(key) + 1;
    const run = new Run({
      controller: name,
      key,
      timeoutMs: setup.timeoutMs,
      environment: host.environment,
      checkLeadership: () => host.checkLeadership(),
      skippedWrite: (verb) => host.reconciliations.skippedWrite(name, verb),
    });
    if (host.signal.aborted) run.abort(host.signal.reason);
    const context = this.#context(run, { attempt, cause: causes.take(idOf(key)) });
    this.#runs.add(run);
    host.reconciliations.active(name, 1);
    const end = await run.perform(() => this.#call(key, context));
    this.#runs.delete(run);
    host.reconciliations.active(name, -1);
    this.#gate.record(idOf(key), end.writes, clock.now());
    this.#continue(key, end, context, clock.now() - run.startedAt);
  }

  /** A key waits for its own creations, without blocking others. */
  #waits(key: ReconcileKey): boolean {
    const { host, name, queue, causes } = this.#parts;
    const id = idOf(key);
    const unseen = this.#gate.pending(
      id,
      (creation) => this.#hasSeen(creation),
      host.environment.clock.now(),
    );
    if (unseen === undefined) return false;
    host.reconciliations.skippedStale(name, unseen.group, unseen.resource);
    causes.add(id, { type: 'unseen' });
    queue.add(key, { afterMs: gateCheckMs });
    return true;
  }

  #hasSeen({ group, resource, namespace, resourceVersion }: UnseenCreation): boolean {
    const informers = this.#parts.setup.sources
      .map(({ informer }) => informer)
      .filter((informer) => informer.resource.group === group && informer.resource.resource === resource);
    if (resourceVersion === undefined) return false;
    return informers.every((informer) => informer.seen(resourceVersion, namespace));
  }

  #context(run: Run, details: Pick<ReconcileContext<C>, 'attempt' | 'cause'>): ReconcileContext<C> {
    const { host, log, setup, name } = this.#parts;
    const { key, signal } = run;
    const reconcileID = randomUUID();
    const fields = { ...key, reconcileID };
    const resource = this.#informerOf(key)?.resource;
    const apiVersion = resource?.group ? `${resource.group}/${resource.version}` : resource?.version;
    const object = this.#objectOf(key);
    const metadata = object?.metadata ?? {
      name: key.name,
      ...(key.namespace !== '' && { namespace: key.namespace }),
    };
    return {
      key,
      client: setup.client,
      log: childLogger(log, fields),
      reconcileID,
      signal,
      stopping: host.stopping,
      ...details,
      isLastAttempt: details.attempt >= setup.maxAttempts,
      record: host.eventsOf({ apiVersion, kind: resource?.kind ?? name, metadata }),
    };
  }

  #call(key: ReconcileKey, context: ReconcileContext<C>): ReconcileResult | Promise<ReconcileResult> {
    const { work } = this.#parts.setup;
    if (work.type === 'key') return work.reconcile(key, context);
    const object = this.#objectOf(key);
    // Deleted: its dependents are collected by the server, and `finalize` has run before.
    if (object === undefined) return undefined;
    if (work.finalize === undefined) return work.reconcile(object, context);
    if (object.metadata.deletionTimestamp !== undefined) return this.#finalize(object, context);
    return this.#reconcileWithFinalizer(object, context);
  }

  async #reconcileWithFinalizer(
    object: Stored<KubernetesObject>,
    context: ReconcileContext<C>,
  ): Promise<ReconcileResult> {
    const { work } = this.#parts.setup;
    if (work.type === 'key') return undefined;
    const patch = additionOf(object, work.finalizer);
    if (patch === undefined) return work.reconcile(object, context);
    await this.#patch(object, patch, context.signal);
    // The cache contains the response.
    const current = this.#objectOf(context.key) ?? object;
    return work.reconcile(current, context);
  }

  async #finalize(object: Stored<KubernetesObject>, context: ReconcileContext<C>): Promise<ReconcileResult> {
    const { work } = this.#parts.setup;
    if (work.type === 'key' || removalOf(object, work.finalizer) === undefined) return undefined;
    const result = await work.finalize?.(object, context);
    if (result !== undefined && result !== null) return result;
    const current = this.#objectOf(context.key) ?? object;
    const patch = removalOf(current, work.finalizer);
    if (patch !== undefined) await this.#removeFinalizer(current, patch, context.signal);
    return undefined;
  }

  async #removeFinalizer(
    object: Stored<KubernetesObject>,
    patch: readonly object[],
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.#patch(object, patch, signal);
    } catch (error) {
      // Somebody else removed the last finalizer.
      if (!isNotFound(error)) throw error;
    }
  }

  async #patch(
    object: Stored<KubernetesObject>,
    patch: readonly object[],
    signal: AbortSignal,
  ): Promise<void> {
    const { host, setup, name } = this.#parts;
    const informer = [...setup.reconciled.values()][0];
    if (informer === undefined) throw new Error(`controller ${name} has no informer`);
    await host.requests.patch(objectPath(informer.resource, object), patch, signal);
  }

  #informerOf({ cluster }: ReconcileKey): Informer<KubernetesObject> | undefined {
    return this.#parts.setup.reconciled.get(cluster);
  }

  #objectOf(key: ReconcileKey): Stored<KubernetesObject> | undefined {
    return this.#informerOf(key)?.find(key);
  }

  #continue(key: ReconcileKey, end: RunEnd, context: ReconcileContext<C>, durationMs: number): void {
    const { host, name, queue } = this.#parts;
    const { outcome } = end;
    host.reconciliations.finished(name, labels[outcome.type], durationMs);
    if (end.isTimedOut) host.reconciliations.timedOut(name);
    if (outcome.type === 'success') queue.forget(key);
    else if (outcome.type === 'requeueAfter') {
      queue.forget(key);
      this.#again(key, 'requeue', { afterMs: outcome.afterMs });
    } else if (outcome.type === 'conflict') this.#conflict(key, outcome.error, context);
    else this.#failed(key, outcome, context);
  }

  #conflict(key: ReconcileKey, error: unknown, context: ReconcileContext<C>): void {
    const { host, name } = this.#parts;
    host.reconciliations.conflicted(name);
    context.log.debug({ err: errorOf(error) }, 'the object changed meanwhile');
    this.#again(key, 'conflict', { rateLimited: true });
  }

  #failed(
    key: ReconcileKey,
    outcome: Extract<Outcome, { readonly type: 'retry' | 'terminal' }>,
    context: ReconcileContext<C>,
  ): void {
    const { host, name, queue } = this.#parts;
    const isTerminal = outcome.type === 'terminal' || context.isLastAttempt;
    const err = errorOf(outcome.error);
    host.reconciliations.failed(name, isTerminal, err);
    if (isPanic(err)) host.reconciliations.panicked(name);
    const { attempt, cause } = context;
    if (isTerminal) {
      context.log.error({ err, attempt, cause }, `reconcile failed and is not retried: ${err.message}`);
      queue.forget(key);
      return;
    }
    context.log.error({ err, attempt, cause }, `reconcile failed: ${err.message}`);
    const afterMs = outcome.type === 'retry' ? outcome.afterMs : undefined;
    // `failures` counts attempts, also those with a delay of the server.
    this.#again(key, 'retry', { rateLimited: true, ...(afterMs !== undefined && { afterMs }) });
  }

  #again(
    key: ReconcileKey,
    type: 'requeue' | 'retry' | 'conflict',
    options: { readonly afterMs?: number; readonly rateLimited?: boolean },
  ): void {
    const { causes, queue } = this.#parts;
    causes.add(idOf(key), { type });
    queue.add(key, options);
  }
}

const labels = {
  success: 'success',
  requeueAfter: 'requeue_after',
  conflict: 'requeue',
  retry: 'error',
  terminal: 'error',
} as const;

/** A defect of the reconcile function, as opposed to a failed request or a declared failure. */
function isPanic(error: Error): boolean {
  if (error instanceof ApiError || error instanceof ReconcileTimeoutError) return false;
  return (
    ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error.name) ||
    error.cause !== undefined
  );
}
