import type { ClientConnection, ClusterConfig, RESTClient } from '@kgen/runtime';
import { type ObjectShard, type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import type { AttachedController } from '../controller/attached-controller.ts';
import { type AnyController, attach } from '../controller/controller.ts';
import type { ControllerHost } from '../controller/host.ts';
import { errorOf } from '../errors.ts';
import type { HealthCheck } from '../health/health-checks.ts';
import { childLogger, consoleLogger, type Logger, observedLogger } from '../log.ts';
import { ManagerFamilies, type ManagerMetrics } from '../metrics/manager-metrics.ts';
import { type ManagerStats, statsOf } from '../metrics/manager-stats.ts';
import { ReviewLog } from '../records/review-log.ts';
import { maskedLogger } from '../secrecy/masked-log.ts';
import { SecretValues } from '../secrecy/secret-values.ts';
import type { ShardRelation } from '../sharding/sharded-objects.ts';
import { ManagerConnections } from './connections.ts';
import { recorderOf } from './endpoints.ts';
import { watchEventLoop } from './event-loop.ts';
import { FlightFiles } from './flight-files.ts';
import { recordLeases } from './leadership.ts';
import { Lifecycle } from './lifecycle.ts';
import { ManagerHealth } from './manager-health.ts';
import type { ManagerOptions, ManagerRunOptions, Runnable, RunnableHost } from './options.ts';
import { onProcessSignals, onRecordSignal } from './process-signals.ts';
import { Startup } from './startup.ts';
import { watchThrottling } from './throttling.ts';

/** Options of `Manager.client`. */
export interface ManagedClientOptions {
  /**
   * Whether writes are refused while this process does not lead, or does not own the key of a run. Default:
   * true with `leaderElection` or `sharding`, otherwise nothing is refused.
   */
  readonly fenced?: boolean | undefined;
}

/**
 * Runs controllers: starts caches and endpoints, elects a leader, and stops everything in order.
 *
 * Start: endpoints; webhooks; caches until they are complete; others; the election; controllers, once this
 * process leads. Stop: no new runs; running ones may finish and write within `gracePeriodMs`; then caches,
 * webhooks and endpoints. The lease is renewed meanwhile and released last, so that no other process leads
 * before. Servers of webhooks close after it, as API servers still call them for some seconds.
 *
 * `/readyz` passes while each cache is complete and at most 2 minutes behind, or its kind is not installed. A
 * verbose response names the recent errors of controllers and informers; the log contains the details.
 * @example
 * ```ts
 * import { Controller, Manager } from '@kgen/controller';
 * import { loadConfig } from '@kgen/runtime';
 * import { Clientset, InformerFactory } from './generated/index.js';
 *
 * const manager = new Manager(await loadConfig(), { leaderElection: { name: 'myapp' } });
 * const informers = new InformerFactory(manager.client(Clientset));
 * const reconcile = () => undefined;
 * manager.add(new Controller({ name: 'myapp', for: informers.myV1.myApps(), reconcile }));
 * await manager.run();
 * ```
 */
export class Manager {
  /** Metrics, whose registry accepts those of the program. */
  readonly metrics: ManagerMetrics;
  readonly #families: ManagerFamilies;
  readonly #options: ManagerOptions;
  readonly #environment: RuntimeEnvironment;
  readonly #name: string;
  readonly #log: Logger;
  readonly #connections: ManagerConnections;
  readonly #health: ManagerHealth;
  readonly #lifecycle: Lifecycle;
  readonly #controllers: AnyController[] = [];
  readonly #attached: AttachedController[] = [];
  readonly #runnables: Runnable[] = [];
  readonly #flight: FlightFiles | undefined;
  readonly #startup: Startup;
  readonly #reviews = new ReviewLog();
  #isRunning = false;

  /**
   * Creates a manager, which sends no request before `run`.
   * @throws {ConfigError} if the configuration is invalid
   * @throws {TypeError | RangeError} if options are invalid
   */
  constructor(config: ClusterConfig, options: ManagerOptions = {}) {
    const { environment = systemEnvironment, leaderElection, gracePeriodMs = 30_000 } = options;
    if (!(gracePeriodMs >= 0))
      throw new RangeError(`manager: gracePeriodMs must be >= 0, got ${gracePeriodMs}`);
    const name = options.name ?? leaderElection?.name ?? options.sharding?.name ?? 'kgen-controller';
    const secrets = new SecretValues();
    const target = observedLogger(options.log ?? consoleLogger(), (entry) => this.#flight?.logged(entry));
    const log = maskedLogger(childLogger(target, {}), secrets);
    this.#options = { ...options };
    this.#environment = environment;
    this.#name = name;
    this.#log = log;
    this.#connections = new ManagerConnections(config, {
      ...{ options, name, log, secrets },
      reported: (event) => this.#flight?.reported(event),
    });
    const recorder = recorderOf(options);
    this.#flight =
      recorder &&
      new FlightFiles({
        ...{ ...recorder, program: name, log, environment, secrets },
        ...{ user: config.impersonate?.user, queues: () => this.#attached.map((each) => each.queue()) },
      });
    if (this.#flight !== undefined) recordLeases(this.#connections, this.#flight.recorder);
    this.#families = new ManagerFamilies(options.metrics?.registry, () => this.#attached);
    this.metrics = this.#families;
    this.#lifecycle = new Lifecycle({ name, clock: environment.clock, log, gracePeriodMs });
    this.#health = new ManagerHealth({
      log,
      environment,
      metrics: this.#families.process,
      running: () => this.#controllers.flatMap(({ running }) => running),
      unready: () => this.#unready(),
    });
    this.#startup = new Startup({
      options: this.#options,
      clock: environment.clock,
      log,
      connections: this.#connections,
      health: this.#health,
      lifecycle: this.#lifecycle,
      metrics: this.#families,
      controllers: this.#controllers,
      attached: this.#attached,
      runnables: this.#runnables,
      reviews: this.#reviews,
      recorder: this.#flight?.recorder,
    });
    this.#connections.register(this.metrics.registry);
  }

  /** REST client of `client`: its writes are refused without leadership and recorded in the caches. */
  get rest(): RESTClient {
    return this.#connections.fenced;
  }

  /** Whether this process leads; true without an election. */
  get isLeader(): boolean {
    return this.#connections.elector?.isLeader ?? true;
  }

  /** Ports of the HTTP endpoints that `run` has started; `undefined` for one that was not started. */
  get ports(): { readonly metrics: number | undefined; readonly health: number | undefined } {
    const { endpoints } = this.#startup;
    return { metrics: endpoints?.metricsPort, health: endpoints?.healthPort };
  }

  /**
   * Returns the memory and counters of informers, controllers and skipped writes. Each call measures some
   * objects of each informer, which takes about a millisecond.
   * @example
   * ```ts
   * import { Manager } from '@kgen/controller';
   * import { loadConfig } from '@kgen/runtime';
   *
   * const manager = new Manager(await loadConfig(), { name: 'myapp' });
   * for (const { name, objects, bytes } of manager.stats().informers) console.log(name, objects, bytes);
   * console.log(manager.stats().rememberedWrites.bytes);
   * ```
   */
  stats(): ManagerStats {
    return statsOf({
      informers: this.#connections.caches.informers,
      controllers: this.#attached,
      rememberedWrites: this.#connections.noops.memory,
      reconciliations: this.#families.reconciliations,
    });
  }

  /**
   * Creates a client set, or another client, over the connections of the manager. Informers of it show its
   * own writes at once. Applies and status updates that would change nothing are not sent.
   */
  client<C>(
    Client: new (connection: ClientConnection) => C,
    { fenced = true }: ManagedClientOptions = {},
  ): C {
    return new Client(fenced ? this.#connections.fenced : this.#connections.open);
  }

  /**
   * Returns the option `shard` of informers with `sharding`, which then store the objects of this replica
   * only; `undefined` without it. `self`: informers of reconciled objects. `owned`: informers of objects
   * whose managing controller is a reconciled object of the same namespace. Default: `self`.
   */
  shard(relation: ShardRelation = 'self'): ObjectShard | undefined {
    return this.#connections.ring?.objects(relation);
  }

  /**
   * Adds a controller, or another part of the program.
   * @throws {Error} if the manager runs already, or the name of the controller is taken
   * @throws the error of `Runnable.attach`
   */
  add(part: AnyController | Runnable): this {
    if (this.#isRunning) throw new Error(`manager ${this.#name} runs already: add parts before run()`);
    if (!isController(part)) {
      part.attach?.(this.#runnableHost());
      this.#runnables.push(part);
      return this;
    }
    if (this.#controllers.some(({ name }) => name === part.name)) {
      throw new Error(
        `manager ${this.#name} has a controller ${part.name} already: names are part of metrics`,
      );
    }
    // Before the controller's own handlers: changes are recorded before the reconciles that they cause.
    for (const informer of part.informers) this.#flight?.recorder.follow(informer);
    this.#attached.push(attach(part, this.#host(part)));
    this.#controllers.push(part);
    for (const informer of part.informers) this.#connections.caches.add(informer);
    return this;
  }

  /**
   * Adds a check of `/healthz`: the kubelet restarts a process for which it fails. It fails if it throws or
   * rejects, or does not settle within 5 s.
   * @throws {TypeError} if the name is taken, or invalid in a path
   */
  addHealthCheck(name: string, check: HealthCheck): this {
    this.#health.healthz.add(name, check);
    return this;
  }

  /**
   * Adds a check of `/readyz`: the process receives no requests of a Service while it fails. It fails if it
   * throws or rejects, or does not settle within 5 s.
   * @throws {TypeError} if the name is taken, or invalid in a path
   */
  addReadinessCheck(name: string, check: HealthCheck): this {
    this.#health.readyz.add(name, check);
    return this;
  }

  /**
   * Runs until `signal` aborts or, unless disabled, the process receives SIGTERM or SIGINT. Then stops in
   * order, and closes the connections. A manager runs once.
   * @throws {ManagerStartError} if permissions are missing, or caches are not complete in time
   * @throws {LeadershipLostError} if leadership was lost
   * @throws {Error} if it runs already, or has run
   * @throws {TypeError} if `manual` is combined with `leaderElection` or `sharding`
   * @throws the error of a `Runnable`, of an endpoint, or of `manual`
   */
  async run({ signal, manual }: ManagerRunOptions = {}): Promise<void> {
    if (this.#isRunning) throw new Error(`manager ${this.#name} runs already, or has run`);
    if (manual !== undefined && this.#connections.fence !== undefined)
      throw new TypeError('manual runs: create the manager without leaderElection and sharding');
    this.#isRunning = true;
    const releases = this.#watchStops(signal);
    const lifecycle = this.#lifecycle;
    this.#addLastParts();
    const started = this.#startup.start(manual).catch((error: unknown) => lifecycle.fail(error));
    lifecycle.add('others', { name: 'start', ended: started, stop: () => undefined });
    await lifecycle.stopped;
    await lifecycle.end();
    this.#families.close();
    for (const release of releases) release();
    const { failure } = lifecycle;
    if (failure !== undefined) throw errorOf(failure.error);
  }

  /**
   * Writes the last events, reconciles and requests to a file, with mode 0600: complete, or not at all.
   * `replay` of `@kgen/testing` runs it.
   * @throws {Error} if the file cannot be written, or the manager has no `recorder`
   * @example
   * ```ts
   * import { tmpdir } from 'node:os';
   * import { Manager } from '@kgen/controller';
   * import { loadConfig } from '@kgen/runtime';
   *
   * const manager = new Manager(await loadConfig(), { recorder: { directory: tmpdir() } });
   * await manager.record(`${tmpdir()}/now.jsonl`);
   * ```
   */
  async record(file: string): Promise<void> {
    if (this.#flight === undefined)
      throw new Error(`manager ${this.#name} records nothing: pass the option recorder`);
    await this.#flight.recorder.write(file);
  }

  /** Adds the parts that end last. */
  #addLastParts(): void {
    const [lifecycle, flight] = [this.#lifecycle, this.#flight];
    const stop = (): void => {
      for (const controller of this.#attached) controller.detach();
    };
    lifecycle.add('recording', { name: 'queues', stop });
    if (flight !== undefined)
      lifecycle.add('recording', { name: 'recording', stop: () => flight.end(lifecycle.failure) });
    this.#connections.addTo(lifecycle);
  }

  #unready(): string | undefined {
    // Other processes serve while this one stops.
    if (this.#lifecycle.isStopping) return 'the manager stops';
    return this.#startup.isComplete ? undefined : 'the caches are not complete';
  }

  #watchStops(signal: AbortSignal | undefined): readonly (() => void)[] {
    const stop = (): void => this.#lifecycle.stop();
    const stopFor = (name: string): void => {
      this.#log.info({ signal: name }, `manager ${this.#name} stops for ${name}`);
      stop();
    };
    const [isHandled, flight] = [this.#options.handleSignals ?? true, this.#flight];
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    return [
      watchEventLoop(this.#environment.clock, (lagMs) => this.#health.lagged(lagMs)),
      watchThrottling(this.#environment.clock, this.#log),
      ...(isHandled ? [onProcessSignals(stopFor)] : []),
      ...(isHandled && flight !== undefined ? [onRecordSignal(() => void flight.write('signal'))] : []),
      () => signal?.removeEventListener('abort', stop),
    ];
  }

  #runnableHost(): RunnableHost {
    const { registry, process } = this.#families;
    const flight = this.#flight;
    return {
      name: this.#name,
      log: this.#log,
      environment: this.#environment,
      rest: this.#connections.open,
      metrics: { registry, certificateRead: (isFailed) => process.certificateRead(isFailed) },
      stopping: this.#lifecycle.stopping,
      serveWebhooks: this.#options.serveWebhooks,
      addReadinessCheck: (name, check) => void this.addReadinessCheck(name, check),
      reviewed: (record) => this.#reviews.add(record, Date.now()),
      recordReview: flight && ((review) => flight.recorder.reviewed(review)),
    };
  }

  #host(controller: AnyController): ControllerHost {
    return {
      ...this.#connections.partsOf(controller),
      log: this.#log,
      environment: this.#environment,
      reconciliations: this.#health.observe(this.#families.reconciliations),
      observeQueue: (name) => this.#families.queues.of(name),
      stopping: this.#lifecycle.stopping,
      signal: this.#lifecycle.signal,
      listeners: this.#flight && [this.#flight],
      replay: this.#options.replay,
      aroundReconcile: this.#options.aroundReconcile,
    };
  }
}

function isController(part: AnyController | Runnable): part is AnyController {
  return 'reconciles' in part;
}
