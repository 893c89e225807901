/** Leases of a manager: fence of its writes, ownership of its keys, log of its election, and their ends. */

import { isLeadershipLostError, type LeaderElector, type LeaseRenewal } from '@kgen/runtime/election';
import type { Clock } from '@kgen/runtime/informers';
import type { WriteFence } from '../client/managed-client.ts';
import { errorOf } from '../errors.ts';
import { FailureLog, type Logger } from '../log.ts';
import type { FlightRecorder } from '../recorder/flight-recorder.ts';
import {
  clockJumpText,
  type KeyOwnership,
  type KeyStanding,
  type OwnershipObserver,
  type RunPass,
} from '../sharding/ownership.ts';
import type { ShardRing } from '../sharding/shard-ring.ts';
import type { Lifecycle } from './lifecycle.ts';

const advice =
  "write in reconcile functions, or in parts with phase: 'leader', which run once this process leads; " +
  'or, if every replica may write, through manager.client(Clientset, { fenced: false })';

/** Parts of `Leadership`. */
export interface LeadershipParts {
  readonly elector: LeaderElector;
  /** Time after which failures to acquire the lease are errors, in milliseconds. Default: 15,000. */
  readonly leaseDurationMs?: number | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/**
 * One election. A leader owns all keys. If it was suspended or its clock was set, it may not write until the
 * next renewal: keys are kept until then, and after the end of leadership, which ends the manager.
 */
export class Leadership implements WriteFence, KeyOwnership {
  readonly #elector: LeaderElector;
  readonly #observers = new Set<OwnershipObserver>();
  readonly #failures: FailureLog;
  readonly #jumps: FailureLog;

  constructor({ elector, leaseDurationMs = 15_000, log, clock }: LeadershipParts) {
    this.#elector = elector;
    this.#failures = new FailureLog({ log, clock, lastingMs: leaseDurationMs });
    this.#jumps = new FailureLog({ log, clock, lastingMs: Number.POSITIVE_INFINITY });
    elector.on('newLeader', (leader) => log.info({ leader }, `${leader} leads`));
    elector.on('renewed', (renewal) => this.#renewed(renewal));
    elector.on('error', (error) => {
      const err = errorOf(error);
      this.#failures.failed(`the lease was not acquired or renewed: ${err.message}`, { err });
    });
  }

  get signal(): AbortSignal {
    return this.#elector.fence.signal;
  }

  /** Another one in each term. */
  get scope(): object {
    return this.signal;
  }

  /** Refusals name the places where writes are possible. */
  check(): void {
    try {
      this.#elector.fence.check();
    } catch (error) {
      if (isLeadershipLostError(error) && error.reason === 'notLeading') error.message += `; ${advice}`;
      throw error;
    }
  }

  standing(): KeyStanding {
    return this.#elector.isLeader ? 'owned' : 'uncertain';
  }

  enter(): RunPass | 'uncertain' {
    if (!this.#elector.isLeader) return 'uncertain';
    return { signal: this.signal, check: () => this.check(), leave: () => undefined };
  }

  observe(observer: OwnershipObserver): void {
    this.#observers.add(observer);
  }

  #renewed({ clockJumpMs }: LeaseRenewal): void {
    this.#failures.succeeded();
    if (clockJumpMs !== undefined) this.#jumps.failed(clockJumpText(clockJumpMs), { clockJumpMs });
    for (const observer of this.#observers) observer.decided?.();
  }
}

/** Records the leases of a manager, from now on. */
export function recordLeases(
  { elector, ring }: { readonly elector: LeaderElector | undefined; readonly ring: ShardRing | undefined },
  recorder: Pick<FlightRecorder, 'leased'>,
): void {
  if (elector !== undefined) {
    const changed = (): void => {
      const { isLeader, leader = '', identity } = elector;
      // It remains the observed leader after it has released the lease.
      const holder = !isLeader && leader === identity ? '' : leader;
      recorder.leased({ lease: 'leader', isHeld: isLeader, holder });
    };
    for (const event of ['newLeader', 'leading', 'renewed', 'stopped'] as const) elector.on(event, changed);
    changed();
  }
  if (ring === undefined) return;
  const changed = (): void => {
    const { isMember, owned: shards, members } = ring.stats();
    const { ring: name, identity: holder } = ring.settings;
    recorder.leased({ lease: `shard ${name}`, isHeld: isMember && shards > 0, holder, shards, members });
  };
  ring.observe({ changed });
  changed();
}

/** Runs an election until the end of the lifecycle, which a lost leadership ends. */
export function runElection(elector: LeaderElector, lifecycle: Lifecycle): void {
  const [end, cut] = [new AbortController(), new AbortController()];
  lifecycle.add('election', {
    name: 'election',
    ended: elector
      .run({ signal: end.signal, releaseSignal: cut.signal })
      .catch((error: unknown) => lifecycle.lose(error)),
    stop: () => end.abort(),
    abandon: () => cut.abort(),
  });
}

/** Joins a ring. Keys without runs are handed over when the stop begins, and the others after their runs. */
export function joinRing(ring: ShardRing, lifecycle: Lifecycle): void {
  lifecycle.stopping.addEventListener('abort', () => ring.leave(), { once: true });
  lifecycle.add('election', {
    name: 'sharding',
    ended: ring.run(),
    stop: () => ring.end(),
    // A second end does not wait for the release.
    abandon: () => ring.end(),
  });
}
