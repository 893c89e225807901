/** Options of sharding, and their validation. */

import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeasePlace } from './member-lease.ts';
import type { RingTiming } from './ring-types.ts';
import type { ShardField } from './slots.ts';

/** Options of `ManagerOptions.sharding`. */
export interface ShardingOptions {
  /** Name of the ring: equal for all replicas. The name of each Lease begins with it. */
  readonly name: string;
  /** Namespace of the Leases. Default: that of the configuration. */
  readonly namespace?: string | undefined;
  /**
   * Unique name of this process; lower-case letters, digits, `-` and `.`. A name that is kept over restarts,
   * such as that of a Pod of a StatefulSet, moves no keys if the restart is fast. Default: host name and
   * random digits.
   */
  readonly identity?: string | undefined;
  /**
   * Part of a key that determines its replica, equal for all replicas:
   * - `name`: cluster, namespace and name. Spreads objects evenly.
   * - `namespace`: all objects of a namespace belong to one replica. For many namespaces whose names differ
   *   before their last two characters; cluster-scoped objects all belong to one replica.
   *
   * Default: `name`.
   */
  readonly by?: ShardField | undefined;
  /**
   * Time after the last renewal that another replica observed after which it takes over, in milliseconds,
   * stored in whole seconds. Default: 15,000.
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * Time after the start of the last successful renewal at which this process stops writing, in milliseconds.
   * Less than `leaseDurationMs`. Default: 10,000.
   */
  readonly renewDeadlineMs?: number | undefined;
  /** Delay between two renewals, in milliseconds. Default: 2000. */
  readonly retryPeriodMs?: number | undefined;
}

/** Options with defaults. */
export type RingSettings = LeasePlace & RingTiming;

const nameForm = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
/** Longest name of an object. */
const longestName = 253;
/** Minimum ratio of the renewal deadline to the retry period, so that a second attempt is possible. */
const retriesPerDeadline = 1.2;

/**
 * Validates options and adds defaults.
 * @throws {TypeError} for a name that is invalid in Kubernetes, or an unknown `by`
 * @throws {RangeError} for durations that do not fit together
 */
export function ringSettings(options: ShardingOptions, namespace: string): RingSettings {
  const { name: ring, identity = defaultIdentity(), by: field = 'name' } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = options;
  checkName('name', ring, 63);
  checkName('identity', identity, longestName - ring.length - 1);
  if (field !== 'name' && field !== 'namespace') {
    throw new TypeError(`sharding.by must be name or namespace, got ${JSON.stringify(field)}`);
  }
  checkTimes({ leaseDurationMs, renewDeadlineMs, retryPeriodMs });
  return {
    ring,
    namespace: options.namespace ?? namespace,
    identity,
    lease: `${ring}-${identity}`,
    process: randomUUID(),
    field,
    leaseDurationMs,
    renewDeadlineMs,
    retryPeriodMs,
  };
}

function defaultIdentity(): string {
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-');
  const digits = createHash('sha256').update(randomUUID()).digest('hex').slice(0, 10);
  return `r${host}-${digits}`.slice(-100).replace(/^[.-]+/, '');
}

function checkName(option: string, value: unknown, longest: number): void {
  if (typeof value === 'string' && nameForm.test(value) && value.length <= longest) return;
  throw new TypeError(
    `sharding.${option} must be a name of at most ${longest} lower-case letters, digits, - and ., got ${JSON.stringify(value)}`,
  );
}

function checkTimes({
  leaseDurationMs,
  renewDeadlineMs,
  retryPeriodMs,
}: Pick<RingTiming, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>): void {
  for (const [name, value] of Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })) {
    if (!(typeof value === 'number' && value >= 1 && value < 2 ** 31)) {
      throw new RangeError(`sharding.${name} must be >= 1 and < 2^31, got ${value}`);
    }
  }
  if (leaseDurationMs <= renewDeadlineMs || renewDeadlineMs <= retriesPerDeadline * retryPeriodMs) {
    throw new RangeError(
      `sharding: leaseDurationMs must be > renewDeadlineMs, and that > ${retriesPerDeadline} * retryPeriodMs, got ${leaseDurationMs}, ${renewDeadlineMs} and ${retryPeriodMs}`,
    );
  }
}
