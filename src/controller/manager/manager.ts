import { type ClientConnection, type ClusterConfig, RESTClient, type RESTClientOptions } from '@kgen/runtime';
import { LeaderElector } from '@kgen/runtime/election';
import { type ObjectShard, systemEnvironment } from '@kgen/runtime/informers';
import { NoopWrites } from '../apply/noop-writes.ts';
import { allowListeners } from '../client/linked-signal.ts';
import { managedClient } from '../client/managed-client.ts';
import { checkGuard } from '../client/write-guard.ts';
import type { Controller } from '../controller/controller.ts';
import { errorOf, ManagerStartError } from '../errors.ts';
import { EventRecorder } from '../events/recorder.ts';
import { childLogger, consoleLogger, type Logger } from '../log.ts';
import { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { ShardRelation } from '../sharding/sharded-objects.ts';
import { ShardRing } from '../sharding/shard-ring.ts';
import { ManagedCaches } from './caches.ts';
import { type Endpoints, startEndpoints } from './endpoints.ts';
import { watchEventLoop } from './event-loop.ts';
import type { ControllerHost } from './host.ts';
import type { ManagerOptions, Runnable, RunnableContext } from './options.ts';
import { type Part, stopParts } from './parts.ts';
import { type Access, accessesOf, checkAccesses } from './preflight.ts';
import { onProcessSignals } from './process-signals.ts';

/** A controller of any types. */
export type AnyController = Pick<
  Controller,
  'name' | 'needsLeadership' | 'informers' | 'running' | 'problems' | 'bind' | 'synced' | 'run' | 'unbind'
>;

/** Options of `Manager.client`. */
export interface ManagedClientOptions {
  /**
   * Whether writes are refused while this process does not lead. Default: true with `leaderElection`,
   * otherwise nothing is refused.
   */
  readonly fenced?: boolean | undefined;
}

/**
 * Runs controllers: starts caches and endpoints, elects a leader, and stops everything in order.
 *
 * Start: endpoints, webhooks, caches until they are complete, others, the election, controllers. Stop: no new
 * runs; running ones may finish within `gracePeriodMs`; then caches, webhooks and endpoints; the lease is
 * renewed meanwhile and released last, so that no other process leads before.
 * @example
 * ```ts
 * const leaderElection = { name: 'myapp', namespace: 'default' };
 * const manager = new Manager(await loadConfig(), { leaderElection });
 * const clientset = manager.client(Clientset);
 * const informers = new InformerFactory(clientset);
 * manager.add(controllerOf(clientset, informers));
 * await manager.run();
 * ```
 */
export class Manager {
  /** Metrics, whose registry accepts those of the program. */
  readonly metrics: ManagerMetrics;
  readonly #options: ManagerOptions;
  readonly #name: string;
  readonly #log: Logger;
  readonly #rest: RESTClient;
  readonly #fenced: RESTClient;
  readonly #open: RESTClient;
  readonly #elector: LeaderElector | undefined;
  readonly #ring: ShardRing | undefined;
  readonly #caches: ManagedCaches;
  readonly #recorder: EventRecorder;
  readonly #controllers: AnyController[] = [];
  readonly #runnables: Runnable[] = [];
  readonly #stopping = new AbortController();
  readonly #deadline = new AbortController();
  #isRunning = false;
  #failure: { readonly error: unknown } | undefined;

  /**
   * @throws {ConfigError} if the configuration is invalid
   * @throws {TypeError | RangeError} if options are invalid
   */
  constructor(config: ClusterConfig, options: ManagerOptions = {}) {
    const { environment = systemEnvironment, leaderElection } = options;
    this.#options = options;
    this.#name = options.name ?? leaderElection?.name ?? options.sharding?.name ?? 'kgen-controller';
    this.#log = childLogger(options.log ?? consoleLogger(), {});
    this.metrics = new ManagerMetrics({ registry: options.metrics?.registry });
    this.#rest = new RESTClient(config, {
      fieldManager: this.#name,
      ...options.client,
      beforeSend: checkGuard,
    });
    this.#elector = leaderElection && new LeaderElector(config, leaderElection);
    if (options.sharding !== undefined && leaderElection !== undefined) {
      throw new TypeError('pass either sharding or leaderElection: a ring has no leader');
    }
    this.#ring =
      options.sharding &&
      new ShardRing({ rest: this.#rest, options: options.sharding, log: this.#log, environment });
    this.#caches = new ManagedCaches((rest) => rest === this.#fenced || rest === this.#open);
    const common = { rest: this.#rest, caches: this.#caches, noops: new NoopWrites() };
    this.#open = managedClient({ ...common, fence: undefined });
    const fence = this.#elector?.fence ?? this.#ring?.fence;
    this.#fenced = fence === undefined ? this.#open : managedClient({ ...common, fence });
    this.#recorder = new EventRecorder({
      rest: this.#rest,
      reportingController: this.#name,
      log: this.#log,
      environment,
    });
    allowListeners(this.#stopping.signal);
    allowListeners(this.#deadline.signal);
  }

  /** REST client of `client`: its writes are refused without leadership and recorded in the caches. */
  get rest(): RESTClient {
    return this.#fenced;
  }

  /** Whether this process leads; true without an election. */
  get isLeader(): boolean {
    return this.#elector?.isLeader ?? true;
  }

  /**
   * Creates a client set, or another client, over the connections of the manager. Informers of it show its
   * own writes at once. Applies and status updates that would change nothing are not sent.
   */
  client<C>(
    Client: new (connection: ClientConnection, options?: RESTClientOptions) => C,
    { fenced = true }: ManagedClientOptions = {},
  ): C {
    return new Client(fenced ? this.#fenced : this.#open);
  }

  /**
   * Returns the option `shard` of informers with `sharding`, which then store the objects of this replica
   * only; `undefined` without it. `self`: informers of reconciled objects. `owned`: informers of objects whose
   * managing controller is a reconciled object of the same namespace. Default: `self`.
   */
  shard(relation: ShardRelation = 'self'): ObjectShard | undefined {
    return this.#ring?.objects(relation);
  }

  /**
   * Adds a controller, or another part of the program.
   * @throws {Error} if the manager runs already, or the name of the controller is taken
   */
  add(part: AnyController | Runnable): this {
    if (this.#isRunning) throw new Error(`manager ${this.#name} runs already: add parts before run()`);
    if (!isController(part)) {
      this.#runnables.push(part);
      return this;
    }
    if (this.#controllers.some(({ name }) => name === part.name)) {
      throw new Error(
        `manager ${this.#name} has a controller ${part.name} already: names are part of metrics`,
      );
    }
    part.bind(this.#host(part));
    this.#controllers.push(part);
    for (const informer of part.informers) this.#caches.add(informer);
    return this;
  }

  /**
   * Runs until `signal` aborts or, unless disabled, the process receives SIGTERM or SIGINT. Then stops in
   * order, and closes the connections. A manager runs once.
   * @throws {ManagerStartError} if permissions are missing, or caches are not complete in time
   * @throws {LeadershipLostError} if leadership was lost
   * @throws the error of a `Runnable`, or of an endpoint
   */
  async run({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#isRunning) throw new Error(`manager ${this.#name} runs already, or has run`);
    this.#isRunning = true;
    const stop = (): void => this.#stop();
    const releases = this.#watchStops(signal, stop);
    const parts: Part[] = [];
    try {
      await this.#start(parts);
      await this.#stopped();
    } catch (error) {
      this.#fail(error);
    } finally {
      const { clock } = this.#options.environment ?? systemEnvironment;
      const gracePeriodMs = this.#failure === undefined ? (this.#options.gracePeriodMs ?? 30_000) : 0;
      await stopParts(parts, { clock, gracePeriodMs, deadline: this.#deadline, log: this.#log });
      for (const release of releases) release();
      await this.#close();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #watchStops(signal: AbortSignal | undefined, stop: () => void): readonly (() => void)[] {
    const { environment = systemEnvironment, handleSignals = true } = this.#options;
    const releases = [watchEventLoop(environment.clock, (blockedMs) => this.#reportBlocked(blockedMs))];
    if (handleSignals) {
      releases.push(
        onProcessSignals((name) => {
          this.#log.info({ signal: name }, 'stopping');
          stop();
        }),
      );
    }
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    releases.push(() => signal?.removeEventListener('abort', stop));
    return releases;
  }

  /** Starts everything in order, and pushes what has to be stopped. Ends early if the manager stops. */
  async #start(parts: Part[]): Promise<void> {
    const endpoints = await startEndpoints({
      options: this.#options,
      rest: this.#rest,
      registry: this.metrics.registry,
      log: this.#log,
      informers: () => this.#caches.informers,
      running: () => this.#controllers.flatMap(({ running }) => running),
      problems: () => this.#controllers.flatMap(({ problems }) => problems),
      isStarted: () => this.#isStarted,
    });
    parts.push({ name: 'endpoints', stop: () => endpoints.close() });
    this.#endpoints = endpoints;
    await this.#startRunnables('webhooks', parts);
    if (this.#isStopping) return;
    await this.#startCaches(parts);
    if (this.#isStopping) return;
    await this.#startRunnables('others', parts);
    this.#startControllers(false, parts);
    this.#isStarted = true;
    if (this.#elector !== undefined) return this.#elect(this.#elector, parts);
    if (this.#ring !== undefined) this.#join(this.#ring, parts);
    return this.#lead(parts);
  }

  #endpoints: Endpoints | undefined;
  #isStarted = false;

  /** Addresses of the endpoints that `run` has started. */
  get ports(): { readonly metrics: number | undefined; readonly health: number | undefined } {
    return { metrics: this.#endpoints?.metricsPort, health: this.#endpoints?.healthPort };
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #startRunnables(phase: Runnable['phase'], parts: Part[]): Promise<void> {
    const context: RunnableContext = { stopping: this.#stopping.signal, signal: this.#deadline.signal };
    for (const runnable of this.#runnables) {
      if ((runnable.phase ?? 'others') !== phase || this.#isStopping) continue;
      await runnable.start?.(context);
      const ended = Promise.resolve(runnable.run?.(context)).catch((error: unknown) => this.#fail(error));
      parts.push({ name: runnable.name, ended, stop: async () => runnable.stop?.() });
    }
  }

  async #startCaches(parts: Part[]): Promise<void> {
    const { checkPermissions = true } = this.#options;
    if (checkPermissions) await checkAccesses(this.#rest, this.#accesses(), this.#stopping.signal);
    for (const set of this.#caches.sets) set.start();
    parts.push({
      name: 'caches',
      stop: async () => {
        for (const controller of this.#controllers) controller.unbind();
        await Promise.all(this.#caches.sets.map((set) => set.stop()));
      },
    });
    const synced = this.#controllers.map((controller) => controller.synced(this.#stopping.signal));
    await Promise.all(synced).catch((error: unknown) => {
      throw new ManagerStartError(errorOf(error).message, { cause: error });
    });
  }

  #accesses(): readonly Access[] {
    const accesses = [...accessesOf(this.#caches.informers), ...(this.#ring?.accesses ?? [])];
    const { leaderElection } = this.#options;
    if (leaderElection === undefined) return accesses;
    const namespace = leaderElection.namespace ?? this.#rest.namespace;
    const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace };
    return [
      ...accesses,
      { ...lease, verb: 'create' },
      ...['get', 'update'].map((verb) => ({ ...lease, verb, name: leaderElection.name })),
    ];
  }

  #startControllers(needsLeadership: boolean, parts: Part[]): void {
    for (const controller of this.#controllers) {
      if (controller.needsLeadership !== needsLeadership) continue;
      this.#log.info({ controller: controller.name }, 'the controller starts');
      const ended = controller.run(this.#stopping.signal).catch((error: unknown) => this.#fail(error));
      parts.push({ name: `controller ${controller.name}`, ended, stop: async () => undefined });
    }
  }

  /** The election ends last: it is the first part to be stopped last. */
  #elect(elector: LeaderElector, parts: Part[]): void {
    const end = new AbortController();
    const metrics = this.metrics.election(this.#options.leaderElection?.name ?? '');
    elector.on('leading', () => metrics.leading(true));
    elector.on('stopped', () => metrics.leading(false));
    elector.on('error', (error) => this.#log.warn({ err: errorOf(error) }, 'the lease was not renewed'));
    const ended = elector.run({ signal: end.signal }).catch((error: unknown) => this.#lost(error));
    parts.unshift({ name: 'election', ended, stop: async () => end.abort() });
    elector.leading.then(
      () => this.#lead(parts),
      () => undefined,
    );
  }

  /** Keys without runs are handed over when the stop begins, and the others after their runs. */
  #join(ring: ShardRing, parts: Part[]): void {
    const leave = (): void => ring.leave();
    this.#stopping.signal.addEventListener('abort', leave, { once: true });
    parts.unshift({ name: 'sharding', ended: ring.run(), stop: async () => ring.end() });
  }

  /** A process that stops before it leads never starts the controllers. */
  #lead(parts: Part[]): Promise<void> | undefined {
    if (this.#isStopping) return undefined;
    this.#startControllers(true, parts);
    return this.#startRunnables('leader', parts).catch((error: unknown) => this.#fail(error));
  }

  #lost(error: unknown): void {
    this.#fail(error);
    this.#deadline.abort(error);
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined) {
      this.#failure = { error };
      this.#log.error({ err: errorOf(error) }, `the manager stops: ${errorOf(error).message}`);
    }
    this.#stop();
  }

  #stop(): void {
    this.#stopping.abort(new Error(`manager ${this.#name} stops`));
  }

  #stopped(): Promise<void> {
    const { signal } = this.#stopping;
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async #close(): Promise<void> {
    await this.#recorder.stop();
    this.metrics.close();
    await this.#rest.close();
  }

  #reportBlocked(blockedMs: number): void {
    const runs = this.#controllers.flatMap(({ running }) => running);
    this.#log.error(
      { blockedMs, running: runs.slice(0, 10).map(({ controller, key }) => ({ controller, ...key })) },
      `the event loop was blocked for ${Math.round(blockedMs)} ms: one of the running reconcile functions computes without a pause`,
    );
  }

  #host(controller: AnyController): ControllerHost {
    const isFenced = controller.needsLeadership && this.#fenced !== this.#open;
    const rest = isFenced ? this.#fenced : this.#open;
    return {
      log: this.#log,
      environment: this.#options.environment ?? systemEnvironment,
      requests: {
        patch: (path, body, signal, other = rest) =>
          other.patch(path, { body, contentType: 'application/json-patch+json', signal }),
      },
      shards: controller.needsLeadership ? this.#ring : undefined,
      reconciliations: this.metrics.reconciliations,
      observeQueue: (name) => this.metrics.queue(name),
      stopping: this.#stopping.signal,
      signal: this.#deadline.signal,
      checkLeadership: () => {
        if (isFenced) this.#elector?.fence.check();
      },
      eventsOf: (regarding) => ({
        event: (event) => this.#recorder.event({ ...event, regarding }),
      }),
    };
  }
}

function isController(part: AnyController | Runnable): part is AnyController {
  return 'bind' in part;
}
