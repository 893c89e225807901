/** Options of a manager, and of what it runs besides controllers. */

import type { RESTClient, RESTClientOptions } from '@kgen/runtime';
import type { LeaderElectorOptions } from '@kgen/runtime/election';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import type { Registry } from 'prom-client';
import type { ManualRuns } from '../controller/host.ts';
import type { ServerCertificate } from '../health/certificate-files.ts';
import type { HealthCheck } from '../health/health-checks.ts';
import type { Logger } from '../log.ts';
import type { ReplaySource } from '../records/replayed.ts';
import type { EndedReview, ReviewRecord } from '../records/review-record.ts';
import type { ShardingOptions } from '../sharding/ring-options.ts';

/** Address of an HTTP endpoint. */
export interface EndpointOptions {
  /** Port; 0 chooses a free one, which the log contains. */
  readonly port: number;
  /** Address to listen on, such as `127.0.0.1`. Default: all addresses. */
  readonly host?: string | undefined;
}

/** Endpoint of the metrics. */
export interface MetricsOptions extends EndpointOptions {
  /**
   * Files of the certificate, which are read again when they change, or `self-signed` for a certificate that
   * the process issues and renews in memory, for callers that do not verify it. Default: plain HTTP.
   */
  readonly tls?: ServerCertificate | undefined;
  /**
   * Requires a bearer token whose user may `get` the path `/metrics`, by TokenReview and SubjectAccessReview;
   * for `/debug/reconciles`, `/debug/reviews` and `/debug/recording`, that path. Default: false.
   */
  readonly authorize?: boolean | undefined;
  /**
   * Serves `/debug/reconciles`: the last reconciles with their causes, reads and writes, as
   * `Controller.explain` returns them. They contain names and changed fields of objects, but no values of
   * Secrets. `/debug/reviews`: the last 1,000 reviews of webhooks, which contain names, but no values.
   * Parameters: `controller`, or `webhook` (a path), `key=shop/web`, `limit` (100, at most 1,000), `format`
   * (`text` or `json`). Default: served if `authorize` is set, or if `host` is a loopback address; otherwise
   * not.
   */
  readonly reconciles?: boolean | undefined;
  /**
   * Serves `/debug/recording` for `kgen view --manager`: the flight recorder, which records from the first
   * request until a minute after the last one; with the option `recorder`, always. It contains the objects
   * that the controllers watch, and their requests, but no values of Secrets: with
   * `recorder.includeSecrets`, the response is 403. Default: false.
   * @throws {TypeError} without `authorize`, unless `host` is a loopback address
   */
  readonly recording?: boolean | undefined;
  /** Registry to which the metrics are added, such as that of the program. Default: a new one. */
  readonly registry?: Registry | undefined;
}

/** Options of the flight recorder. */
export interface RecorderOptions {
  /** Folder of the files that the manager writes by itself. It must exist. Default: it writes none. */
  readonly directory?: string | undefined;
  /**
   * Maximum memory of the recorded events, requests and reconciles, in bytes; the oldest are dropped. A file
   * also contains the cached objects at its beginning, up to the same number of bytes. Default: 16 MiB.
   * @throws {RangeError} if it is below 1 MiB
   */
  readonly maxBytes?: number | undefined;
  /**
   * Whether values of Secrets and tokens are recorded. Headers, and so credentials of the manager, never are.
   * Default: false.
   */
  readonly includeSecrets?: boolean | undefined;
  /**
   * Whether bodies of requests by `fetch` are recorded, which `replay` then compares. Default: false.
   */
  readonly includeRequestBodies?: boolean | undefined;
  /**
   * Number of failed attempts in a row of one key after which a file is written. Default: 5.
   * @throws {RangeError} if it is below 1
   */
  readonly failures?: number | undefined;
}

/** Options of a `Manager`. */
export interface ManagerOptions {
  /**
   * Name of the program: owner of the fields that it writes, and reporter of its events. Default: the name of
   * the election or of `sharding`, or `kgen-controller`.
   */
  readonly name?: string | undefined;
  /** Elects one leader, which runs the controllers. Default: none; every process runs them. */
  readonly leaderElection?: LeaderElectorOptions | undefined;
  /**
   * Distributes the keys over all replicas, in place of `leaderElection`: each replica reconciles and writes
   * its own keys only. Default: none.
   */
  readonly sharding?: ShardingOptions | undefined;
  /** Serves `/metrics` on this port. Default: not served. */
  readonly metrics?: MetricsOptions | undefined;
  /** Serves `/healthz` and `/readyz` on this port. Default: not served. */
  readonly health?: EndpointOptions | undefined;
  /**
   * Records the last events, reconciles and requests of the controllers in memory. They are written to a file
   * when a key has failed several times, when `run` rejects, when the process receives SIGUSR2 (with
   * `handleSignals`), and by `Manager.record`; at most 10 files per process, and one per minute, besides
   * those of `run` and `Manager.record`. Default: none.
   */
  readonly recorder?: RecorderOptions | undefined;
  /** Set by `replay` of `@kgen/testing`: controllers repeat recorded reconciles. Default: none. */
  readonly replay?: ReplaySource | undefined;
  /** Receiver of the log. Default: the console. */
  readonly log?: Logger | undefined;
  /**
   * Time that running reconcile functions have to finish after a stop, in milliseconds; then their signals
   * abort. 0 aborts them at once, `Infinity` never. The termination grace period of the Pod must be longer by
   * at least 15 s. Without leadership there is none. Default: 30,000.
   */
  readonly gracePeriodMs?: number | undefined;
  /**
   * Whether `run` stops for SIGTERM and SIGINT. A second signal ends the process at once with the exit code
   * 1. Default: true.
   */
  readonly handleSignals?: boolean | undefined;
  /**
   * Whether `run` checks the permissions to list and watch, and those for the Leases of the election or of
   * `sharding`, before it starts, by SelfSubjectAccessReview. Default: true.
   */
  readonly checkPermissions?: boolean | undefined;
  /** Options of the REST clients of the manager. Default: those of `RESTClient`. */
  readonly client?: Omit<RESTClientOptions, 'beforeSend'> | undefined;
  /**
   * Calls the reconcile functions of the controllers with these names, as in an asynchronous context of its
   * own: the result of `reconcile` is the result of the function, which it throws if it fails. Default: calls
   * them directly.
   */
  readonly aroundReconcile?: ((reconcile: () => unknown, controller: string) => unknown) | undefined;
  /** Clock and random numbers, for tests. Default: those of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
  /**
   * Takes the place of the HTTPS server of webhooks in processes without a port, such as simulated ones.
   * Called when they start; returns the function that ends them. Default: HTTPS.
   */
  readonly serveWebhooks?: ((reviews: ServedReviews) => () => void) | undefined;
}

/** Webhooks of a manager, for servers in memory. */
export interface ServedReviews {
  /** Paths of the webhooks. */
  readonly paths: readonly string[];
  /**
   * Responds to a review: an AdmissionReview or ConversionReview in JSON. Never rejects.
   * `signal` aborts shortly before the time limit of the server.
   */
  respond(
    path: string,
    body: Uint8Array,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly status: number; readonly body: string }>;
}

/** Parts of a manager for a `Runnable`. */
export interface RunnableHost {
  /** Name of the manager. */
  readonly name: string;
  readonly log: Logger;
  readonly environment: RuntimeEnvironment;
  /** REST client whose writes need no leadership. */
  readonly rest: RESTClient;
  readonly metrics: {
    readonly registry: Registry;
    /** Called after each read of a certificate. */
    certificateRead(isFailed: boolean): void;
  };
  /** Aborts when the manager stops, for parts of every phase. */
  readonly stopping: AbortSignal;
  readonly serveWebhooks: ManagerOptions['serveWebhooks'];
  /** Adds a check of `/readyz`. */
  addReadinessCheck(name: string, check: HealthCheck): void;
  /** Adds a record to `/debug/reviews`. */
  reviewed(record: ReviewRecord): void;
  /** Adds a review to the flight recorder; absent if the manager does not record. Never throws. */
  readonly recordReview?: ((review: EndedReview) => void) | undefined;
}

/** Options of `Manager.run`. */
export interface ManagerRunOptions {
  /** Stops the manager. Default: only signals of the process do. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Runs the controllers, for tests and tools: called once the caches are complete, in place of the workers
   * and everything else that a manager starts besides the caches. The manager stops when it settles. The
   * existing objects are in the queues then. Default: the controllers run by themselves.
   */
  readonly manual?: ((runs: ManualRuns) => Promise<void>) | undefined;
}

/** Signals of a `Runnable`. */
export interface RunnableContext {
  /**
   * Aborts when the manager stops: nothing new should begin. For parts with the phase `webhooks` it aborts
   * when controllers and caches have stopped.
   */
  readonly stopping: AbortSignal;
  /** Aborts at the deadline of the stop: everything ends now. */
  readonly signal: AbortSignal;
}

/** A part of a program that a manager starts and stops in order, besides its controllers. */
export interface Runnable {
  /** Name in the log. */
  readonly name: string;
  /**
   * - `webhooks`: starts before the caches, because lists may need conversion webhooks, and stops after them.
   * - `others`: starts when the caches are complete.
   * - `leader`: as controllers do, once this process leads.
   *
   * Default: `others`.
   */
  readonly phase?: 'webhooks' | 'others' | 'leader' | undefined;
  /** Called by `Manager.add`, which throws its error. */
  attach?(host: RunnableHost): void;
  /** Called before `run`; the next phase waits for it. If it throws, the manager stops. */
  start?(context: RunnableContext): Promise<void> | void;
  /**
   * Runs until `context.stopping` aborts. If it throws, the manager stops, and `Manager.run` throws the same
   * error; after the stop has begun, errors of aborted operations are ignored. If it returns before, the
   * others continue.
   */
  run?(context: RunnableContext): Promise<void> | void;
  /** Called when its phase stops, besides `context.stopping`; the next phase waits for it and for `run`. */
  stop?(): Promise<void> | void;
  /**
   * Called after all phases have stopped and the lease is released: ends servers that other processes still
   * call for some seconds.
   */
  drain?(): Promise<void> | void;
}
