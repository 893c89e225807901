/** Membership of a manager in a ring. */

import type { RESTClient } from '@kgen/runtime';
import { type ElectionClocks, systemClocks } from '@kgen/runtime/election';
import { type ObjectShard, type RuntimeEnvironment, systemEnvironment } from '@kgen/runtime/informers';
import type { ReconcileKey } from '../controller/key.ts';
import { errorOf } from '../errors.ts';
import { childLogger, type Logger } from '../log.ts';
import type { AccessedResource } from '../manager/accesses.ts';
import { ringClient } from './ring-client.ts';
import { RingDriver } from './ring-driver.ts';
import { type RingSettings, ringSettings, type ShardingOptions } from './ring-options.ts';
import { type ShardRingStats, SlotCounters } from './ring-stats.ts';
import type { MembershipEnd } from './ring-types.ts';
import { ShardFence } from './shard-fence.ts';
import type { GainedListener, KeyShards, ShardPass } from './shard-keys.ts';
import { ShardedObjects, type ShardRelation } from './sharded-objects.ts';
import { hasSlot, noSlots, type SlotSet, slotOf, slotsIn, without } from './slots.ts';

/** Parts of a ring. */
export interface ShardRingParts {
  readonly rest: RESTClient;
  readonly options: ShardingOptions;
  readonly log: Logger;
  /** Default: that of the system. */
  readonly environment?: RuntimeEnvironment | undefined;
}

/** Reasons of the end of a membership, with the action that resolves it. */
const reasons: Readonly<Record<MembershipEnd, string>> = {
  stopped: 'this process has left the ring',
  expired:
    'the Lease was not renewed within renewDeadlineMs; check the connection to the API server and the CPU limit',
  replaced: 'the Lease was deleted, or released by another replica after it had expired',
};

/** One member of a ring: which keys it owns, and the fence of its writes. */
export class ShardRing implements KeyShards {
  readonly fence: ShardFence;
  readonly settings: RingSettings;
  readonly #log: Logger;
  readonly #driver: RingDriver;
  readonly #counters = new SlotCounters();
  readonly #listeners = new Set<GainedListener>();
  #ended: () => void = () => undefined;
  #isStarted = false;
  readonly #self: ShardedObjects;
  readonly #owned: ShardedObjects;
  /** Slots whose objects the informers store, or are about to. */
  #stored = noSlots;
  /** Slots whose objects are in the caches. */
  #loaded = noSlots;

  /** @throws {TypeError | RangeError} if options are invalid */
  constructor({ rest, options, log, environment = systemEnvironment }: ShardRingParts) {
    const settings = ringSettings(options, rest.namespace || 'default');
    this.settings = settings;
    this.#log = childLogger(log, { ring: settings.ring, identity: settings.identity });
    this.#self = new ShardedObjects(settings.field, 'self');
    this.#owned = new ShardedObjects(settings.field, 'owned');
    this.fence = new ShardFence({
      ring: settings.ring,
      field: settings.field,
      drained: (slots) => this.#driver.feed({ type: 'drained', slots }),
      gained: (slots) => this.#gained(slots),
    });
    this.#driver = new RingDriver({
      settings,
      client: ringClient(rest, settings),
      clocks: clocksOf(environment),
      environment,
      observer: {
        joined: (validity) => {
          this.fence.begin(validity);
          this.#log.info({}, 'this replica has joined the ring');
        },
        slots: (owned, draining) => {
          this.#log.info(
            { owned: slotsIn(owned).length, draining: slotsIn(draining).length },
            'the shards changed',
          );
          this.#counters.update(owned, draining);
          this.fence.update(owned, draining);
          this.#load(owned, draining);
        },
        closed: (end) => {
          if (end !== 'stopped')
            this.#log.error({ reason: end }, `this replica owns no keys: ${reasons[end]}`);
          this.#counters.end();
          this.fence.end(reasons[end]);
        },
        failed: (error) =>
          this.#log.warn({ err: errorOf(error) }, 'a request for the Leases of the ring failed'),
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

  owns(key: ReconcileKey): boolean {
    return this.fence.owns(key);
  }

  enter(key: ReconcileKey): ShardPass | undefined {
    return this.fence.enter(key);
  }

  /** Returns the option `shard` of informers. */
  objects(relation: ShardRelation): ObjectShard {
    return relation === 'self' ? this.#self : this.#owned;
  }

  onGained(listener: GainedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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

  /** Leaves the ring; `run` resolves when the Lease was released, or after `renewDeadlineMs`. */
  end(): void {
    if (this.#isStarted) this.#driver.feed({ type: 'end' });
  }

  /**
   * Changes the stored objects to those of the slots, before runs of gained slots begin. Slots that were
   * handed over are removed together.
   */
  #load(owned: SlotSet, draining: SlotSet): void {
    const kept = owned | draining;
    const isGained = without(kept, this.#stored) !== noSlots;
    if (isGained || (draining === noSlots && kept !== this.#stored)) {
      this.#stored = kept;
      this.#loaded &= kept;
      Promise.all([this.#self.change(kept), this.#owned.change(kept)]).then(
        () => this.#changed(kept),
        (error: unknown) => this.#log.error({ err: errorOf(error) }, 'the caches of gained shards failed'),
      );
    }
    this.fence.load(this.#loaded);
  }

  /** A later change of the slots has its own end. */
  #changed(stored: SlotSet): void {
    if (stored !== this.#stored) return;
    this.#loaded = stored;
    this.fence.load(stored);
  }

  #gained(slots: SlotSet): void {
    const isGained = (key: ReconcileKey): boolean => hasSlot(slots, slotOf(key, this.settings.field));
    for (const listener of [...this.#listeners]) listener(isGained);
  }
}

function clocksOf(environment: RuntimeEnvironment): ElectionClocks {
  if (environment === systemEnvironment) return systemClocks;
  const now = (): number => environment.clock.now();
  return { now, wall: now };
}
