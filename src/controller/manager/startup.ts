/** Start of a manager: endpoints, webhooks, caches, other parts and the election, in this order. */
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import type { AttachedController } from '../controller/attached-controller.ts';
import type { AnyController } from '../controller/controller.ts';
import type { ManualRun, ManualRuns } from '../controller/host.ts';
import { errorOf, ManagerStartError } from '../errors.ts';
import { noteYoungGeneration } from '../health/young-generation.ts';
import type { Logger } from '../log.ts';
import type { ManagerFamilies } from '../metrics/manager-metrics.ts';
import type { FlightRecorder } from '../recorder/flight-recorder.ts';
import type { ReviewLog } from '../records/review-log.ts';
import { noteReads } from './caches.ts';
import type { ManagerConnections } from './connections.ts';
import { type Endpoints, startEndpoints } from './endpoints.ts';
import { joinRing, runElection } from './leadership.ts';
import type { Lifecycle, Part, Phase } from './lifecycle.ts';
import type { ManagerHealth } from './manager-health.ts';
import type { ManagerOptions, ManagerRunOptions, Runnable, RunnableContext } from './options.ts';
import { checkAccesses } from './preflight.ts';

/** Parts of a manager that its start connects. */
export interface StartupParts {
  readonly options: ManagerOptions;
  readonly clock: RuntimeEnvironment['clock'];
  readonly log: Logger;
  readonly connections: ManagerConnections;
  readonly health: ManagerHealth;
  readonly lifecycle: Lifecycle;
  readonly metrics: ManagerFamilies;
  readonly controllers: readonly AnyController[];
  readonly attached: readonly AttachedController[];
  readonly runnables: readonly Runnable[];
  readonly reviews: ReviewLog;
  readonly recorder: FlightRecorder | undefined;
}

/** Starts the parts of a manager, and adds each to its lifecycle. */
export class Startup {
  readonly #parts: StartupParts;
  readonly #lifecycle: Lifecycle;
  #endpoints: Endpoints | undefined;
  #isComplete = false;

  constructor(parts: StartupParts) {
    this.#parts = parts;
    this.#lifecycle = parts.lifecycle;
  }

  /** Endpoints, once they are started. */
  get endpoints(): Endpoints | undefined {
    return this.#endpoints;
  }

  /** Whether everything but the parts that need leadership is started. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Starts everything in order. Ends early if the manager stops. */
  async start(manual: ManagerRunOptions['manual']): Promise<void> {
    if (manual !== undefined) {
      // As values, which need no port: changes of the test are reviewed.
      if (this.#parts.options.serveWebhooks !== undefined) await this.#startRunnables('webhooks');
      await this.#startCaches();
      await Promise.race([manual(manualRunsOf(this.#parts.attached)), this.#lifecycle.stopped]);
      return this.#lifecycle.stop();
    }
    noteYoungGeneration(this.#parts.log, process);
    const steps: readonly (() => Promise<void> | void)[] = [
      () => this.#startEndpoints(),
      () => this.#startRunnables('webhooks'),
      () => this.#checkPermissions(),
      () => this.#startCaches(),
      () => this.#startGroup('others', false),
      () => this.#elect(),
    ];
    for (const step of steps) {
      if (this.#lifecycle.isStopping) return;
      await step();
    }
  }

  async #startEndpoints(): Promise<void> {
    const endpoints = await startEndpoints({
      options: this.#parts.options,
      rest: this.#parts.connections.rest,
      metrics: this.#parts.metrics,
      checks: this.#parts.health,
      controllers: () => this.#parts.controllers,
      reviews: this.#parts.reviews,
      recorder: this.#parts.recorder,
      log: this.#parts.log,
    });
    this.#endpoints = endpoints;
    this.#lifecycle.add('endpoints', { name: 'endpoints', stop: () => endpoints.close() });
  }

  /** Starts the runnables of a phase, and waits for `start` of each, or for the stop of the manager. */
  async #startRunnables(phase: Phase): Promise<void> {
    const lifecycle = this.#lifecycle;
    const runnables = this.#parts.runnables.filter((runnable) => (runnable.phase ?? 'others') === phase);
    const started = runnables.map((runnable) => {
      const start = startRunnable(runnable, lifecycle.contextOf(phase), (error) => lifecycle.fail(error));
      lifecycle.add(phase, start.part);
      lifecycle.add('draining', start.draining);
      return start.started;
    });
    await Promise.race([Promise.all(started), lifecycle.stopped]);
  }

  async #checkPermissions(): Promise<void> {
    if (this.#parts.options.checkPermissions === false) return;
    await checkAccesses(this.#parts.connections.accessesOf(this.#parts.controllers), {
      clock: this.#parts.clock,
      log: this.#parts.log,
      stopping: this.#lifecycle.stopping,
    });
  }

  async #startCaches(): Promise<void> {
    const { caches } = this.#parts.connections;
    const releases = caches.informers.flatMap((informer) => {
      const { group, version, resource } = informer.resource;
      const labels = { name: informer.name, group, version, resource };
      const metrics = this.#parts.metrics.informers.of(labels, informer);
      const release = informer.on('handled', ({ durationMs }) => metrics.processed(durationMs));
      return [this.#parts.health.follow(informer), release, noteReads(informer), () => metrics.close()];
    });
    this.#lifecycle.add('caches', {
      name: 'caches',
      stop: async () => {
        await Promise.all(caches.sets.map((set) => set.stop()));
        for (const release of releases) release();
      },
    });
    for (const set of caches.sets) set.start();
    const synced = this.#parts.attached.map((controller) => controller.synced(this.#lifecycle.stopping));
    await Promise.all(synced).catch((error: unknown) => {
      throw new ManagerStartError(errorOf(error).message, { cause: error });
    });
  }

  async #startGroup(phase: 'others' | 'leader', needsLeadership: boolean): Promise<void> {
    const { stopping } = this.#lifecycle;
    for (const controller of this.#parts.attached) {
      const { name } = controller;
      if (controller.needsLeadership !== needsLeadership) continue;
      this.#parts.log.info({ controller: name }, `controller ${name} starts`);
      const ended = controller.run(stopping).catch((error: unknown) => this.#lifecycle.fail(error));
      this.#lifecycle.add(phase, { name: `controller ${name}`, ended, stop: () => undefined });
    }
    await this.#startRunnables(phase);
  }

  /** Starts the election; without one this process leads. */
  async #elect(): Promise<void> {
    this.#isComplete = true;
    const { elector, ring } = this.#parts.connections;
    if (elector === undefined) {
      if (ring !== undefined) joinRing(ring, this.#lifecycle);
      return this.#startGroup('leader', true);
    }
    runElection(elector, this.#lifecycle);
    elector.on('error', (error) => this.#parts.health.electionFailed(elector, error));
    elector.leading.then(
      () => this.#lead(),
      () => undefined,
    );
  }

  /** A process that stops before it leads never starts the controllers. */
  #lead(): void {
    if (this.#lifecycle.isStopping) return;
    this.#startGroup('leader', true).catch((error: unknown) => this.#lifecycle.fail(error));
  }
}

/** Returns functions that run the controllers, which have no workers. */
function manualRunsOf(controllers: readonly AttachedController[]): ManualRuns {
  return {
    discard: async () => {
      for (const controller of controllers) await controller.discard();
    },
    perform: async () => {
      const runs: (readonly ManualRun[])[] = [];
      for (const controller of controllers) runs.push(await controller.perform());
      return runs.flat();
    },
  };
}

/** A runnable that was started. */
interface StartedRunnable {
  readonly part: Part;
  /** Its end after the others. */
  readonly draining: Part;
  /** Resolves when `start` of the runnable has ended. Never rejects. */
  readonly started: Promise<void>;
}

/** Starts a runnable, and calls `failed` if `start` or `run` fails. Never throws. */
function startRunnable(
  runnable: Runnable,
  context: RunnableContext,
  failed: (error: unknown) => void,
): StartedRunnable {
  const began = new Promise<void>((resolve) => resolve(runnable.start?.(context)));
  const ran = began.then(() => (context.stopping.aborted ? undefined : runnable.run?.(context)));
  const nothing = (): void => undefined;
  return {
    started: began.catch(nothing),
    part: {
      name: runnable.name,
      ended: ran.catch(failed),
      // A start that failed has started nothing.
      stop: () => began.then(() => runnable.stop?.(), nothing),
    },
    draining: { name: runnable.name, stop: () => began.then(() => runnable.drain?.(), nothing) },
  };
}
