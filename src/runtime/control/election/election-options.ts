/** Options of an election, and their validation. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { RuntimeEnvironment } from '../../common/clock.ts';

/** Options of a `LeaderElector`. */
export interface LeaderElectorOptions {
  /** Name of the Lease: equal for all processes of an election. */
  readonly name: string;
  /** Namespace of the Lease. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /** Unique name of this process. Default: host name and a UUID, `hostname_uuid`. */
  readonly identity?: string | undefined;
  /**
   * Time after the last renewal that another process observed after which it takes over, in milliseconds,
   * stored in whole seconds. Default: 15,000.
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * Time after the start of the last successful renewal at which this process stops leading, in milliseconds.
   * Less than `leaseDurationMs`; the difference is the time for requests in progress, and for clocks that run
   * at different speeds. Default: 10,000.
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * Delay between two renewals, in milliseconds; candidates try every 1 to 2.2 times as long.
   * `renewDeadlineMs` exceeds 1.2 times this value. Default: 2000.
   */
  readonly retryPeriodMs?: number | undefined;
  /**
   * Releases the lease at the end of `run`, so that another process leads without waiting for
   * `leaseDurationMs`. Default: true.
   */
  readonly releaseOnStop?: boolean | undefined;
  /**
   * Time for which the main thread may be blocked, in milliseconds. If it is blocked for longer, this process
   * releases the lease. Only in effect with `thread`. Default: 60,000.
   */
  readonly blockedLimitMs?: number | undefined;
  /**
   * Renews the lease in a worker thread, so that a blocked event loop does not lose it. Requires a
   * configuration (not a client) that is plain data, without `environment`. Credentials of an OpenID Connect
   * issuer, whose tokens cannot be refreshed twice, and plugins that prompt are used by the main thread only.
   * Default: true if these conditions hold.
   */
  readonly thread?: boolean | undefined;
  /**
   * Module of the worker thread, which calls `runElectionWorker()` and nothing else: not the program itself,
   * and not an executable. Default: the program that is part of this package, also in bundles.
   */
  readonly workerFile?: URL | undefined;
  /** Clock, timers and random numbers, for tests. Default: those of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
  /**
   * Returns the time of the system clock in milliseconds, for tests. Default: `Date.now`; with `environment`,
   * its clock.
   */
  readonly wallClock?: (() => number) | undefined;
}

/** Options with defaults. */
export interface ElectionSettings {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly blockedLimitMs: number;
  readonly releaseOnStop: boolean;
}

/** A renewal must have time for more than one attempt: the jitter factor of client-go. */
const retriesPerDeadline = 1.2;
/** Longest duration that fits into `leaseDurationSeconds`, an int32. */
const longestMs = (2 ** 31 - 1) * 1000;

/**
 * Validates options and adds defaults.
 * @throws {TypeError} for a value of a wrong type, or an empty name
 * @throws {RangeError} for a duration below 1, or durations that do not fit together
 */
export function electionSettings(options: LeaderElectorOptions, namespace: string): ElectionSettings {
  const settings: ElectionSettings = {
    name: options.name,
    namespace: options.namespace ?? namespace,
    identity: options.identity ?? `${hostname()}_${randomUUID()}`,
    leaseDurationMs: options.leaseDurationMs ?? 15_000,
    renewDeadlineMs: options.renewDeadlineMs ?? 10_000,
    retryPeriodMs: options.retryPeriodMs ?? 2000,
    blockedLimitMs: options.blockedLimitMs ?? 60_000,
    releaseOnStop: options.releaseOnStop ?? true,
  };
  for (const name of ['name', 'namespace', 'identity'] as const) checkString(name, settings[name]);
  for (const name of ['leaseDurationMs', 'renewDeadlineMs', 'retryPeriodMs', 'blockedLimitMs'] as const) {
    checkDuration(name, settings[name]);
  }
  checkOrder(settings);
  return settings;
}

function checkString(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`leader election: ${name} must be a non-empty string, got ${JSON.stringify(value)}`);
  }
}

function checkDuration(name: string, value: unknown): void {
  if (typeof value !== 'number')
    throw new TypeError(`leader election: ${name} must be a number, got ${typeof value}`);
  if (!(value >= 1 && value <= longestMs)) {
    throw new RangeError(`leader election: ${name} must be >= 1 and <= ${longestMs}, got ${value}`);
  }
}

function checkOrder({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: ElectionSettings): void {
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new RangeError(
      `leader election: leaseDurationMs must be > renewDeadlineMs, got ${leaseDurationMs} and ${renewDeadlineMs}`,
    );
  }
  if (renewDeadlineMs <= retriesPerDeadline * retryPeriodMs) {
    throw new RangeError(
      `leader election: renewDeadlineMs must be > ${retriesPerDeadline} * retryPeriodMs, got ${renewDeadlineMs} and ${retryPeriodMs}`,
    );
  }
}
