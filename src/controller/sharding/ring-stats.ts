/** State and counters of one member of a ring, for metrics. */

import { noSlots, type SlotSet, slotsIn, without } from './slots.ts';

/** State and counters of a member. Keys are distributed in 256 slots. */
export interface ShardRingStats {
  /** Whether this process is a member, and may own keys. */
  readonly isMember: boolean;
  /** Number of members, this process included, as of its last list. */
  readonly members: number;
  /** Number of slots whose keys this process reconciles. */
  readonly owned: number;
  /** Number of slots that wait for their last runs before another member receives them. */
  readonly draining: number;
  /** Number of slots that this process has received. */
  readonly gained: number;
  /** Number of slots that were handed over after their last runs. */
  readonly released: number;
  /** Number of slots that were taken away because the membership ended. */
  readonly lost: number;
}

/** Counts the slots that move. */
export class SlotCounters {
  #owned = noSlots;
  #draining = noSlots;
  #gained = 0;
  #released = 0;
  #lost = 0;

  /** Counters of `ShardRingStats`. */
  get values(): Omit<ShardRingStats, 'isMember' | 'members'> {
    return {
      owned: count(this.#owned),
      draining: count(this.#draining),
      gained: this.#gained,
      released: this.#released,
      lost: this.#lost,
    };
  }

  /** Records changed slots of a membership. */
  update(owned: SlotSet, draining: SlotSet): void {
    const before = this.#owned | this.#draining;
    this.#gained += count(without(owned, before));
    this.#released += count(without(before, owned | draining));
    this.#owned = owned;
    this.#draining = draining;
  }

  /** Records the end of a membership. */
  end(): void {
    this.#lost += count(this.#owned | this.#draining);
    this.#owned = noSlots;
    this.#draining = noSlots;
  }
}

function count(slots: SlotSet): number {
  return slotsIn(slots).length;
}
