/** Elections in a worker thread, seen from the main thread. */
import { Worker } from 'node:worker_threads';
import { hasOwnCertificate } from '../../../config/origin.ts';
import type { ClusterConfig } from '../../../config/types.ts';
import { usedTls } from '../../../config/used-tls.ts';
import { defaultUserAgent } from '../../../rest/request/user-agent.ts';
import type { ElectionEnd, ElectionReport } from '../election-driver.ts';
import type { ElectionSettings } from '../election-options.ts';
import type { LeaseValidity } from '../lease-validity.ts';
import { revivedError } from './portable-error.ts';
import {
  beatMs,
  type WorkerEnd,
  type WorkerReport,
  type WorkerStart,
  workerMark,
} from './worker-protocol.ts';

/** Parts of an election in a worker thread. */
export interface ElectionThreadOptions {
  readonly config: ClusterConfig;
  readonly settings: ElectionSettings;
  readonly validity: LeaseValidity;
  /** File of the worker, or its program. */
  readonly worker: URL | string;
  /** Called for each event. Must not throw. */
  readonly report: (report: ElectionReport) => void;
  /** Called at least once per second, to detect the end of leadership. Must not throw. */
  readonly beat: () => void;
}

/** Time for the thread to end after the release, in milliseconds. */
const endGraceMs = 5000;
/** Limits of the heap of the thread in MB: it holds one lease and one connection. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

/**
 * Returns why an election with a configuration cannot run in another thread; `undefined` if it can.
 */
export function threadObstacle(config: ClusterConfig): string | undefined {
  const { auth } = config;
  if (auth?.oidc !== undefined) return 'a configuration without oidc, whose tokens cannot be refreshed twice';
  if (auth?.exec?.interactiveMode === 'Always') return 'a credential plugin that does not prompt';
  try {
    structuredClone(config);
    return undefined;
  } catch {
    return 'a configuration that is plain data';
  }
}

/** An election in a worker thread, which starts at once. */
export class ElectionThread {
  readonly #options: ElectionThreadOptions;
  readonly #worker: Worker;
  readonly #beatTimer: NodeJS.Timeout;
  #endTimer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(options: ElectionThreadOptions) {
    this.#options = options;
    const { worker, settings, validity } = options;
    this.#worker = new Worker(worker, {
      eval: typeof worker === 'string',
      workerData: startOf(options),
      name: 'kgen-election',
      resourceLimits,
      execArgv: [],
    });
    this.#worker.on('message', (message: WorkerReport) => this.#receive(message));
    this.#worker.on('messageerror', (error) => this.#fail(error));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', (code) => this.#fail(new Error(`the thread exited with code ${code}`)));
    this.#beatTimer = setInterval(() => {
      validity.beat();
      options.beat();
    }, beatMs(settings)).unref();
  }

  /** Ends the election; `ended` is reported afterwards. During a release, `false` ends it at once. */
  end(release: boolean): void {
    if (this.#endTimer !== undefined && !release) {
      this.#finish({ type: 'ended', end: 'stopped' });
      return;
    }
    const message: WorkerEnd = { release };
    this.#worker.postMessage(message);
    const { renewDeadlineMs } = this.#options.settings;
    const late = (): void => this.#fail(new Error('the thread did not end in time'));
    this.#endTimer ??= setTimeout(late, renewDeadlineMs + endGraceMs);
  }

  #receive(message: WorkerReport): void {
    const { report } = this.#options;
    if (message.type === 'ended') this.#finish(message);
    else if (message.type === 'failed') report({ type: 'failed', error: revivedError(message.error) });
    else report(message);
  }

  #fail(error: unknown): void {
    if (this.#isEnded) return;
    this.#options.validity.end('threadFailed');
    this.#options.report({ type: 'failed', error });
    this.#finish({ type: 'ended', end: 'threadFailed', cause: error });
  }

  /** Reports the end once the thread has exited. */
  #finish(report: ElectionEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#beatTimer);
    clearTimeout(this.#endTimer);
    const ended = (): void => this.#options.report(report);
    this.#worker.terminate().then(ended, ended);
  }
}

/** Returns the data of the worker: credentials that were read together lose this relation in a copy. */
function startOf({ config, settings, validity }: ElectionThreadOptions): WorkerStart {
  const tls = usedTls(config);
  return {
    mark: workerMark,
    config: { ...config, tls },
    together: !hasOwnCertificate({ ...config, tls }),
    userAgent: defaultUserAgent(),
    settings,
    memory: validity.memory,
  };
}
