/** Checks of the health endpoints of a manager, and the problems that they contain. */

import { type Informer, isNotFound, type KubernetesObject } from '@kgen/runtime';
import type { LeaderElector } from '@kgen/runtime/election';
import type { Clock, RuntimeEnvironment } from '@kgen/runtime/informers';
import type { RunningReconcile } from '../controller/host.ts';
import { EventLoopBlockedError } from '../errors.ts';
import { HealthChecks } from '../health/health-checks.ts';
import { errorName, Problems } from '../health/problems.ts';
import type { Logger } from '../log.ts';
import type { Reconciliations } from '../metrics/controller-metrics.ts';
import type { ProcessMetrics } from '../metrics/process-metrics.ts';

/** Servers send a bookmark each minute: an informer that receives nothing for this long is not working. */
const quietMs = 300_000;
/** Time for which requests may fail until a cache is too far behind, in milliseconds. */
const failingMs = 120_000;
/** Age of a run that is reported: it has no time limit, or a long one, in milliseconds. */
const longRunMs = 3_600_000;
/** Delay of the event loop that is reported, in milliseconds. */
const blockedMs = 2000;

/** Parts of a manager that its checks read. */
export interface HealthSetup {
  readonly log: Logger;
  readonly environment: RuntimeEnvironment;
  readonly metrics: ProcessMetrics;
  readonly running: () => readonly RunningReconcile[];
  /** Returns the reason for which the manager is not ready. */
  readonly unready: () => string | undefined;
}

/** Health of a manager. */
export class ManagerHealth {
  /** Fails never by itself: a restart repairs nothing that the manager can detect. */
  readonly healthz: HealthChecks;
  readonly readyz: HealthChecks;
  readonly #setup: HealthSetup;
  readonly #clock: Clock;
  readonly #problems: Problems;
  readonly #informers = new Map<Informer<KubernetesObject>, InformerFailure>();

  constructor(setup: HealthSetup) {
    const { log, environment } = setup;
    this.#setup = setup;
    this.#clock = environment.clock;
    this.#problems = new Problems(this.#clock);
    this.healthz = new HealthChecks({ log, environment });
    this.readyz = new HealthChecks({ log, environment });
    this.readyz.add('manager', () => {
      const reason = setup.unready();
      if (reason !== undefined) throw new Error(reason);
    });
    this.readyz.add('informers', () => this.#checkInformers());
    for (const checks of [this.healthz, this.readyz]) checks.addNotices(() => this.#notices());
  }

  /** Records a problem until `isOver` returns true, at most for 10 minutes after its last occurrence. */
  problem(part: string, error: unknown, isOver?: () => boolean): void {
    this.#problems.add(part, errorName(error), isOver);
  }

  /** Records the failures of an informer. Returns a function that ends this. */
  follow(informer: Informer<KubernetesObject>): () => void {
    const failure: InformerFailure = { since: undefined, at: undefined, isAbsent: false };
    this.#informers.set(informer, failure);
    return informer.on('error', (error, { during }) => {
      this.#setup.metrics.informerFailed(informer.name, errorName(error));
      if (during !== 'request') return this.problem(`informer ${informer.name}`, error);
      const now = this.#clock.now();
      if (!this.#isFailing(informer, failure)) failure.since = now;
      failure.at = now;
      failure.isAbsent = isNotFound(error);
      this.problem(`informer ${informer.name}`, error, () => !this.#isFailing(informer, failure));
    });
  }

  /** Records a renewal of the lease that failed. */
  electionFailed(elector: Pick<LeaderElector, 'stats'>, error: unknown): void {
    const { renewals } = elector.stats();
    this.problem('leader election', error, () => elector.stats().renewals > renewals);
  }

  /** Records the delay of the event loop. */
  lagged(lagMs: number): void {
    const { log, metrics, running } = this.#setup;
    metrics.lagged(lagMs);
    if (lagMs < blockedMs) return;
    metrics.blocked();
    const err = new EventLoopBlockedError(
      `the event loop was blocked for ${Math.round(lagMs)} ms: a reconcile function computes without a pause, or the process was paused`,
    );
    this.problem('event loop', err);
    const runs = running().slice(0, 10);
    log.error({ err, running: runs.map(({ controller, key }) => ({ controller, ...key })) }, err.message);
  }

  /** Returns metrics of runs that also record their problems. */
  observe(inner: Reconciliations): Reconciliations {
    const failed = (controller: string, error: string): void =>
      this.#problems.add(`controller ${controller}`, error);
    return {
      ...inner,
      failed: (controller, isTerminal, error) => {
        failed(controller, errorName(error));
        inner.failed(controller, isTerminal, error);
      },
      timedOut: (controller) => {
        failed(controller, 'ReconcileTimeoutError');
        inner.timedOut(controller);
      },
      looped: (controller) => {
        failed(controller, 'HotLoop');
        inner.looped(controller);
      },
    };
  }

  /** Keys are not repeated: the response has no access control. */
  #notices(): readonly string[] {
    const since = this.#clock.now() - longRunMs;
    const long = this.#setup.running().filter(({ startedAt }) => startedAt < since);
    const controllers = new Set(long.map(({ controller }) => controller));
    return [
      ...this.#problems.list(),
      ...[...controllers].map((name) => `controller ${name}: a run has not ended for an hour`),
    ].map((problem) => `[!]${problem}`);
  }

  /** A kind that is not installed has no objects, and is followed once it is. */
  #checkInformers(): void {
    const reasons = [...this.#informers].flatMap(([informer, failure]) => {
      const reason = this.#unready(informer, failure);
      return reason === undefined ? [] : [`${informer.name} ${reason}`];
    });
    if (reasons.length > 0) throw new Error(`caches are not ready: ${reasons.join('; ')}`);
  }

  #unready(informer: Informer<KubernetesObject>, failure: InformerFailure): string | undefined {
    const isFailing = this.#isFailing(informer, failure);
    if (isFailing && failure.isAbsent) return undefined;
    if (!informer.isSynced) return 'is not complete';
    if (isFailing && this.#clock.now() - (failure.since ?? 0) > failingMs)
      return `has failed for more than ${failingMs / 60_000} minutes`;
    const isQuiet = (informer.stats().quietMs ?? 0) > quietMs;
    return isQuiet ? `has received nothing for ${quietMs / 60_000} minutes` : undefined;
  }

  /** Returns whether the last request has failed, and no data has arrived since. */
  #isFailing(informer: Informer<KubernetesObject>, { at }: InformerFailure): boolean {
    if (at === undefined) return false;
    const { quietMs: quiet } = informer.stats();
    return quiet === undefined || this.#clock.now() - quiet <= at;
  }
}

/** Failed requests of an informer. */
interface InformerFailure {
  /** Time of the first one since the last data. */
  since: number | undefined;
  /** Time of the last one. */
  at: number | undefined;
  /** Whether the kind was not installed. */
  isAbsent: boolean;
}
