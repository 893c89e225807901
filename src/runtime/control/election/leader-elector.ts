import { disown } from '../../common/callbacks.ts';
import type { ClusterConfig } from '../../config/types.ts';
import type { RESTClient } from '../../rest/client.ts';
import { type ClientConnection, sourceOf } from '../../rest/connection.ts';
import type { ElectionEnd, ElectionReport } from './election-driver.ts';
import { type ElectionSettings, electionSettings, type LeaderElectorOptions } from './election-options.ts';
import { ElectionFence, type LeadershipFence, LeadershipLostError } from './fence.ts';
import { LeaseValidity } from './lease-validity.ts';
import { ElectionListeners, type LeaderElectorEvents } from './listeners.ts';
import {
  checkThread,
  checkWorkerFile,
  clocksOf,
  type RunningElection,
  startElection,
} from './start-election.ts';

/** Counters of a `LeaderElector`. */
export interface LeaderElectorStats {
  /** Whether this process leads now. */
  readonly isLeader: boolean;
  /** Number of changes of the holder until the current, or last, leadership of this process. */
  readonly transitions: number;
  /** Number of successful acquisitions and renewals. */
  readonly renewals: number;
  /** Number of renewals that first failed, and continued with a read of the lease. */
  readonly slowPaths: number;
  /** Number of failed requests since the creation of the elector. */
  readonly failures: number;
  /** Duration of the last successful acquisition or renewal, in milliseconds. */
  readonly lastRenewMs: number | undefined;
  /** Whether the current, or last, run renews the lease in a worker thread. */
  readonly isThread: boolean;
}

/** Options of `LeaderElector.run`. */
export interface LeaderElectorRunOptions {
  /** Ends the election, with a release of the lease. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the election at once, also during the release. Others take over when the lease expires. */
  readonly releaseSignal?: AbortSignal | undefined;
}

/**
 * Elects one leader among the processes that use the same Lease, with the timing of client-go: another
 * process takes over at most 24 s after a leader crashed, and 4.5 s after it released the lease.
 *
 * @example
 * ```ts
 * import { loadConfig } from '@kgen/runtime';
 * import { LeaderElector } from '@kgen/runtime/election';
 *
 * const elector = new LeaderElector(await loadConfig(), { name: 'my-operator', namespace: 'default' });
 * const stop = new AbortController();
 * process.once('SIGTERM', () => stop.abort());
 * const ended = elector.run({ signal: stop.signal });
 * await elector.leading;
 * elector.fence.check(); // before each write
 * await ended;
 * ```
 */
export interface LeaderElector {
  /** Identity of this process in the Lease: the value of `holderIdentity` while it leads. */
  readonly identity: string;
  /** Whether this process leads now. */
  readonly isLeader: boolean;
  /** Identity of the last observed leader; `undefined` before the first one. */
  readonly leader: string | undefined;
  /** Throws `LeadershipLostError` before a write if this process does not lead: `fence.check()`. */
  readonly fence: LeadershipFence;
  /**
   * Resolves when this process begins to lead, in the current or next run. Rejects with `LeadershipLostError`
   * if the run ends before. A rejection that is not handled is ignored.
   */
  readonly leading: Promise<void>;
  /**
   * Acquires the lease, and renews it until `signal` aborts. Then the fence closes, the lease is released
   * (unless `releaseOnStop` is false), and the promise resolves. A program whose last writes need leadership
   * aborts the signal after them. The release ends after `renewDeadlineMs` at the latest.
   * @throws {LeadershipLostError} if leadership was lost; `reason` is the cause
   * @throws {Error} if the elector runs already
   */
  run(options?: LeaderElectorRunOptions): Promise<void>;
  /**
   * Adds a listener. Returns a function that removes it. Failures of a listener become process warnings.
   * @throws {TypeError} if the event is unknown, or the listener is not a function
   */
  on<Event extends keyof LeaderElectorEvents>(
    event: Event,
    listener: (...args: LeaderElectorEvents[Event]) => void,
  ): () => void;
  /** Returns counters of the election, for metrics. */
  stats(): LeaderElectorStats;
}

class Elector implements LeaderElector {
  readonly identity: string;
  readonly fence: ElectionFence;
  readonly #connection: ClusterConfig | RESTClient;
  readonly #options: LeaderElectorOptions;
  readonly #settings: ElectionSettings;
  readonly #listeners = new ElectionListeners();
  #leader: string | undefined;
  #leading = new Deferred();
  #isRunning = false;
  #counters = { transitions: 0, renewals: 0, slowPaths: 0, failures: 0 };
  #lastRenewMs: number | undefined;
  #isThread = false;

  constructor(connection: ClientConnection, options: LeaderElectorOptions) {
    const source = sourceOf(connection);
    this.#connection = source;
    this.#options = options;
    this.#settings = electionSettings(options, source.namespace || 'default');
    checkThread(source, options);
    checkWorkerFile(options);
    this.identity = this.#settings.identity;
    this.fence = new ElectionFence(this.#lease);
  }

  get isLeader(): boolean {
    return this.fence.remainingMs() > 0;
  }

  get leader(): string | undefined {
    return this.#leader;
  }

  get leading(): Promise<void> {
    return this.#leading.promise;
  }

  on<Event extends keyof LeaderElectorEvents>(
    event: Event,
    listener: (...args: LeaderElectorEvents[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener);
  }

  stats(): LeaderElectorStats {
    const lastRenewMs = this.#lastRenewMs;
    return { isLeader: this.isLeader, ...this.#counters, lastRenewMs, isThread: this.#isThread };
  }

  async run(options: LeaderElectorRunOptions = {}): Promise<void> {
    if (this.#isRunning) throw new Error(`run: the election of lease ${this.#lease} is running already`);
    this.#isRunning = true;
    if (this.#leading.isSettled) this.#leading = new Deferred();
    try {
      const { end, cause } = await this.#untilEnded(options);
      const error = new LeadershipLostError(this.#lease, end, { cause });
      this.#leading.reject(error);
      if (end !== 'stopped') throw error;
    } finally {
      this.#isRunning = false;
      this.#listeners.emit('stopped');
    }
  }

  get #lease(): string {
    return `${this.#settings.namespace}/${this.#settings.name}`;
  }

  async #untilEnded({ signal, releaseSignal }: LeaderElectorRunOptions): Promise<ElectionEnd> {
    if (signal?.aborted) return { type: 'ended', end: 'stopped' };
    const validity = new LeaseValidity(clocksOf(this.#options), this.#settings.renewDeadlineMs);
    this.fence.begin(validity);
    let stop: (() => void) | undefined;
    let cut: (() => void) | undefined;
    try {
      return await new Promise((resolve) => {
        const running = this.#start(validity, resolve);
        stop = () => {
          validity.end('stopped');
          this.fence.update();
          running.end(this.#settings.releaseOnStop && releaseSignal?.aborted !== true);
        };
        cut = () => running.end(false);
        releaseSignal?.addEventListener('abort', cut, { once: true });
        // A listener may have aborted it during the start.
        if (signal?.aborted) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    } finally {
      if (stop !== undefined) signal?.removeEventListener('abort', stop);
      if (cut !== undefined) releaseSignal?.removeEventListener('abort', cut);
      this.fence.update();
    }
  }

  #start(validity: LeaseValidity, ended: (end: ElectionEnd) => void): RunningElection {
    const election = startElection({
      connection: this.#connection,
      options: this.#options,
      settings: this.#settings,
      validity,
      report: (report) => {
        if (report.type === 'ended') ended(report);
        else this.#receive(report);
      },
      beat: () => this.#checkFence(),
    });
    this.#isThread = election.isThread;
    return election;
  }

  /** Aborts the signal of the fence if leadership has ended, or has expired. */
  #checkFence(): void {
    this.fence.remainingMs();
  }

  #receive(report: Exclude<ElectionReport, ElectionEnd>): void {
    switch (report.type) {
      case 'leading':
        this.#counters.transitions = report.transitions;
        this.#leading.resolve();
        this.#listeners.emit('leading');
        break;
      case 'renewed':
        this.#counters.renewals += 1;
        this.#lastRenewMs = report.durationMs;
        this.#listeners.succeeded();
        this.#listeners.emit('renewed', { clockJumpMs: report.clockJumpMs });
        break;
      case 'slowPath':
        this.#counters.slowPaths += 1;
        break;
      case 'newLeader':
        this.#leader = report.holder;
        this.#listeners.emit('newLeader', report.holder);
        break;
      case 'failed':
        this.#counters.failures += 1;
        this.#listeners.failed(report.error);
        break;
      case 'closed':
        this.fence.update();
    }
  }
}

/** A promise that the elector settles. */
class Deferred {
  readonly promise: Promise<void>;
  isSettled = false;
  #settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    disown(this.promise);
  }

  resolve(): void {
    this.isSettled = true;
    this.#settle?.resolve();
  }

  reject(error: unknown): void {
    this.isSettled = true;
    this.#settle?.reject(error);
  }
}

/**
 * Creates an elector. It sends no request before `run`.
 * @throws {TypeError} for an option of a wrong type, an empty name, `thread: true` if it is not possible, and
 * the executable or the program itself as `workerFile`
 * @throws {RangeError} unless `leaseDurationMs` > `renewDeadlineMs` > 1.2 × `retryPeriodMs`, each at least 1
 */
export const LeaderElector: new (
  connection: ClientConnection,
  options: LeaderElectorOptions,
) => LeaderElector = Elector;
