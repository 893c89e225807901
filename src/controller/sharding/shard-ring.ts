/** Membership of a manager in a ring. */

import type { RESTClient } from '@kgen/runtime';
import { type ElectionClocks, type LeaseValidity, systemClocks } from '@kgen/runtime/election';
import { type ObjectShard, type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import type { AccessedResource } from '../client/accesses.ts';
import { errorOf } from '../errors.ts';
import { childLogger, type Logger } from '../log.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { KeyOwnership, KeyStanding, OwnershipObserver } from './ownership.ts';
import { ringClient } from './ring-client.ts';
import { RingDriver } from './ring-driver.ts';
import { membershipEnds, RingLogs } from './ring-logs.ts';
import { type RingSettings, ringSettings, type ShardingOptions } from './ring-options.ts';
import { type ShardRingStats, SlotCounters } from './ring-stats.ts';
import type { MemberSlots, MembershipEnd } from './ring-types.ts';
import { ShardFence } from './shard-fence.ts';
import { ShardedObjects, type ShardRelation } from './sharded-objects.ts';
import { hasSlot, noSlots, type SlotSet, slotOf, without } from './slots.ts';

/** Parts of a ring. */
export interface ShardRingParts {
  readonly rest: RESTClient;
  readonly options: ShardingOptions;
  readonly log: Logger;
  /** Default: that of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
  /** Default: those of the system; with an `environment`, its clock. */
  readonly clocks?: ElectionClocks | undefined;
}

/** One member of a ring: which keys it owns, and the fence of its writes. */
export class ShardRing implements KeyOwnership {
  readonly fence: ShardFence;
  readonly settings: RingSettings;
  readonly #log: Logger;
  readonly #driver: RingDriver;
  readonly #counters = new SlotCounters();
  readonly #observers = new Set<OwnershipObserver>();
  readonly #logs: RingLogs;
  #ended: () => void = () => undefined;
  #isStarted = false;
  readonly #self: ShardedObjects;
  readonly #owned: ShardedObjects;
  /** Slots whose objects the informers store, or are about to. */
  #stored = noSlots;
  /** Slots whose objects are in the caches. */
  #loaded = noSlots;

  /** @throws {TypeError | RangeError} if options are invalid */
  constructor(parts: ShardRingParts) {
    const { rest, options, log, environment = systemEnvironment } = parts;
    const settings = ringSettings(options, rest.namespace || 'default');
    this.settings = settings;
    this.#log = childLogger(log, { ring: settings.ring, identity: settings.identity });
    this.#logs = new RingLogs({ log: this.#log, clock: environment.clock, settings });
    this.#self = new ShardedObjects(settings.field, 'self');
    this.#owned = new ShardedObjects(settings.field, 'owned');
    this.fence = new ShardFence({
      ring: settings.ring,
      field: settings.field,
      drained: (slots) => this.#driver.feed({ type: 'drained', slots }),
      gained: (slots) => this.#gained(slots),
      decided: () => this.#decided(),
    });
    this.#driver = new RingDriver({
      settings,
      client: ringClient(rest, settings),
      clocks: parts.clocks ?? clocksOf(environment),
      environment,
      observer: {
        joined: (validity) => this.#joined(validity),
        renewed: (clockJumpMs) => this.#renewed(clockJumpMs),
        slots: (slots) => this.#update(slots),
        closed: (end) => this.#closed(end),
        failed: (error) => this.#logs.failed(error),
        ended: () => this.#ended(),
      },
    });
  }

  /** Accesses to the Leases. */
  get accesses(): readonly AccessedResource[] {
    const { namespace } = this.settings;
    const lease = { group: 'coordination.k8s.io', resource: 'leases', namespace };
    return ['list', 'create', 'update', 'delete'].map((verb) => ({ ...lease, verb }));
  }

  /** Returns the state and counters, for metrics. */
  stats(): ShardRingStats {
    const { members } = this.#driver;
    return { isMember: this.fence.isMember, members, ...this.#counters.values };
  }

  standing(key: ReconcileKey): KeyStanding {
    return this.fence.standing(key);
  }

  enter(key: ReconcileKey): ReturnType<KeyOwnership['enter']> {
    return this.fence.enter(key);
  }

  /** Returns the option `shard` of informers. */
  objects(relation: ShardRelation): ObjectShard {
    return relation === 'self' ? this.#self : this.#owned;
  }

  observe(observer: OwnershipObserver): void {
    this.#observers.add(observer);
  }

  /** Joins the ring. Resolves after `end`; never rejects. */
  run(): Promise<void> {
    this.#isStarted = true;
    return new Promise((resolve) => {
      this.#ended = resolve;
      this.#driver.feed({ type: 'start' });
    });
  }

  /** Hands over all keys: no run begins, and each slot without runs is released. */
  leave(): void {
    if (this.#isStarted) this.#driver.feed({ type: 'leave' });
  }

  /**
   * Leaves the ring; `run` resolves when the Lease was released, after `renewDeadlineMs`, or with a second
   * call.
   */
  end(): void {
    if (this.#isStarted) this.#driver.feed({ type: 'end' });
  }

  #joined(validity: LeaseValidity): void {
    this.fence.begin(validity);
    this.#logs.joined();
  }

  #renewed(clockJumpMs: number | undefined): void {
    if (clockJumpMs !== undefined) this.#logs.jumped(clockJumpMs);
    this.#decided();
  }

  #update(slots: MemberSlots): void {
    this.#logs.agreed(slots);
    this.#counters.update(slots.owned, slots.draining);
    this.fence.update(slots);
    this.#load(slots);
    this.#changed();
  }

  #closed(end: MembershipEnd): void {
    this.#logs.closed(end);
    this.#counters.end();
    this.fence.end(membershipEnds[end]);
    this.#changed();
  }

  /**
   * Changes the stored objects to those of the slots, before runs of gained slots begin. Slots that were
   * handed over are removed together. Objects of slots that a new membership claims again stay.
   */
  #load({ owned, draining, claiming }: MemberSlots): void {
    const kept = owned | draining | (claiming & this.#stored);
    const isGained = without(kept, this.#stored) !== noSlots;
    const isSettled = draining === noSlots && claiming === noSlots;
    if (isGained || (isSettled && kept !== this.#stored)) {
      this.#stored = kept;
      this.#loaded &= kept;
      Promise.all([this.#self.change(kept), this.#owned.change(kept)]).then(
        () => this.#stores(kept),
        (error: unknown) => this.#log.error({ err: errorOf(error) }, 'the caches of gained shards failed'),
      );
    }
    this.fence.load(this.#loaded);
  }

  /** A later change of the slots has its own end. */
  #stores(stored: SlotSet): void {
    if (stored !== this.#stored) return;
    this.#loaded = stored;
    this.fence.load(stored);
  }

  #gained(slots: SlotSet): void {
    const isGained = (key: ReconcileKey): boolean => hasSlot(slots, slotOf(key, this.settings.field));
    for (const { gained } of this.#observers) gained?.(isGained);
  }

  #changed(): void {
    for (const { changed } of this.#observers) changed?.();
  }

  #decided(): void {
    for (const { decided } of this.#observers) decided?.();
  }
}

function clocksOf(environment: RuntimeEnvironment): ElectionClocks {
  if (environment === systemEnvironment) return systemClocks;
  const now = (): number => environment.clock.now();
  return { now, wall: now };
}
