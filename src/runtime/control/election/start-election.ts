/** Start of an election in this thread or in a worker thread. */
import { fileURLToPath } from 'node:url';
import { isMainThread, workerData } from 'node:worker_threads';
import { disown } from '../../common/callbacks.ts';
import { systemEnvironment } from '../../common/clock.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { RESTClient } from '../../rest/client.ts';
import { isRESTClient } from '../../rest/connection.ts';
import { ElectionDriver, type ElectionReport } from './election-driver.ts';
import type { ElectionSettings, LeaderElectorOptions } from './election-options.ts';
import { leaseClient } from './lease-client.ts';
import { type ElectionClocks, type LeaseValidity, systemClocks } from './lease-validity.ts';
import { warningName } from './listeners.ts';
import { ElectionThread, threadObstacle } from './thread/election-thread.ts';
import { workerProgram } from './thread/worker-program.ts';
import { isWorkerStart } from './thread/worker-protocol.ts';

/** Parts of an election. */
export interface ElectionStart {
  readonly connection: ClusterConfig | RESTClient;
  readonly options: LeaderElectorOptions;
  readonly settings: ElectionSettings;
  readonly validity: LeaseValidity;
  /** Called for each event. Must not throw. */
  readonly report: (report: ElectionReport) => void;
  /** Called regularly while a worker thread runs the election. Must not throw. */
  readonly beat: () => void;
}

/** An election that runs. */
export interface RunningElection {
  readonly isThread: boolean;
  /** Ends the election; `ended` is reported afterwards. During a release, `false` ends it at once. */
  end(release: boolean): void;
}

/** Thread of an election: a worker with a configuration, or this thread for a reason. */
type ThreadChoice =
  | { readonly config: ClusterConfig; readonly worker: URL | string }
  | { readonly obstacle: string | undefined };

/**
 * Checks that `thread: true` is possible.
 * @throws {TypeError} otherwise
 */
export function checkThread(
  connection: ClusterConfig | RESTClient,
  { thread, environment, wallClock }: LeaderElectorOptions,
): void {
  if (thread !== true) return;
  const obstacle = obstacleOf(connection, { environment, wallClock });
  if (obstacle !== undefined) throw new TypeError(`thread: true requires ${obstacle}`);
}

function obstacleOf(
  connection: ClusterConfig | RESTClient,
  { environment, wallClock }: Pick<LeaderElectorOptions, 'environment' | 'wallClock'>,
): string | undefined {
  if (isRESTClient(connection)) return 'a configuration instead of a client';
  if (environment !== undefined || wallClock !== undefined) return 'the clocks of the system';
  return threadObstacle(connection);
}

/** Returns the clocks of an election. */
export function clocksOf({ environment, wallClock }: LeaderElectorOptions): ElectionClocks {
  const now = environment === undefined ? systemClocks.now : () => environment.clock.now();
  return { now, wall: wallClock ?? (environment === undefined ? systemClocks.wall : now) };
}

/**
 * Checks that `workerFile` can be a worker: an executable, or a program that leads itself, would start again
 * in each thread.
 * @throws {TypeError} otherwise
 */
export function checkWorkerFile({ workerFile }: LeaderElectorOptions): void {
  if (!isMainThread && isWorkerStart(workerData)) {
    throw new TypeError(`leader election: workerFile is the program itself; ${workerAdvice}`);
  }
  if (workerFile?.protocol !== 'file:' || fileURLToPath(workerFile) !== process.execPath) return;
  throw new TypeError(
    `leader election: workerFile is the executable of this process, ${process.execPath}; ${workerAdvice}`,
  );
}

const workerAdvice =
  'omit it, since bundles and executables contain the worker, or pass a module that only calls runElectionWorker()';

/** Starts an election. */
export function startElection(start: ElectionStart): RunningElection {
  const choice = choose(start);
  if ('config' in choice) {
    const thread = new ElectionThread({ ...start, ...choice });
    return { isThread: true, end: (release) => thread.end(release) };
  }
  // Not a failure: the lease is renewed.
  if (choice.obstacle !== undefined) process.emitWarning(choice.obstacle, warningName);
  return startHere(start);
}

function choose({ connection, options }: ElectionStart): ThreadChoice {
  const { thread, workerFile } = options;
  if (thread === false || isRESTClient(connection) || obstacleOf(connection, options) !== undefined) {
    return { obstacle: undefined };
  }
  const worker = workerFile ?? workerProgram();
  return worker === undefined ? { obstacle: missingWorker } : { config: connection, worker };
}

const missingWorker =
  'leader election: the lease is renewed on the main thread, where a blocked event loop loses it, as this build ' +
  'of @kgen/runtime does not contain the program of the worker thread; run scripts/election-worker.mjs, pass ' +
  'the URL of a module that calls runElectionWorker() as workerFile, or set thread: false';

function startHere({ connection, options, settings, validity, report }: ElectionStart): RunningElection {
  const own = isRESTClient(connection) ? undefined : new RESTClient(connection, { encoding: 'json' });
  const rest = isRESTClient(connection) ? connection : own;
  if (rest === undefined) throw new TypeError('an election needs a client or a configuration');
  const driver = new ElectionDriver({
    leases: leaseClient(rest, settings),
    target: settings,
    timing: settings,
    validity,
    clocks: clocksOf(options),
    environment: options.environment ?? systemEnvironment,
    report: (event) => {
      if (event.type === 'ended' && own !== undefined) disown(own.close());
      report(event);
    },
  });
  driver.start();
  return { isThread: false, end: (release) => driver.end('stopped', release) };
}
