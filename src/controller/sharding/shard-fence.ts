/** Decides which keys a process may reconcile and write, and counts the runs of each slot. */

import type { LeaseValidity } from '@kgen/runtime/election';
import { allowListeners } from '../client/linked-signal.ts';
import type { WriteFence } from '../client/managed-client.ts';
import { currentRun } from '../client/run-scope.ts';
import { keyText, type ReconcileKey } from '../runs/key.ts';
import type { KeyOwnership, KeyStanding, RunPass } from './ownership.ts';
import type { MemberSlots } from './ring-types.ts';
import { ShardNotOwnedError } from './shard-error.ts';
import {
  hasSlot,
  noSlots,
  type ShardField,
  type SlotSet,
  slotOf,
  slotSet,
  slotsIn,
  without,
} from './slots.ts';

/** Parts of a fence. */
export interface ShardFenceParts {
  /** Name of the ring. */
  readonly ring: string;
  readonly field: ShardField;
  /** Called when the last run of draining slots has ended. */
  readonly drained: (slots: SlotSet) => void;
  /** Called with the gained slots. */
  readonly gained: (slots: SlotSet) => void;
  /** Called when keys of an uncertain standing may have another one. */
  readonly decided: () => void;
}

/** One membership: it ends for ever. */
interface Term {
  readonly validity: LeaseValidity;
  readonly lost: AbortController;
}

/** Fence of one process over all of its memberships. */
export class ShardFence implements WriteFence, Pick<KeyOwnership, 'standing' | 'enter'> {
  readonly #parts: ShardFenceParts;
  readonly #runs = new Map<number, number>();
  /** Scopes of the slots that are open; another one each time that a slot is gained. */
  readonly #scopes = new Map<number, object>();
  /** Scope of calls outside of runs; another one whenever slots change. */
  #scope: object = {};
  #term: Term | undefined;
  #closed = aborted();
  #owned = noSlots;
  /** Owned slots whose objects are in the caches. */
  #loaded = noSlots;
  #draining = noSlots;
  #claiming = noSlots;
  /** Whether the membership has seen the claims of the others: slots of none of the sets are theirs. */
  #isDecided = false;

  constructor(parts: ShardFenceParts) {
    this.#parts = parts;
  }

  /** Aborts when the membership ends. */
  get signal(): AbortSignal {
    return this.#term?.lost.signal ?? this.#closed;
  }

  /** Scope of the slot of the present run: what another owner has written meanwhile is not known. */
  get scope(): object {
    const key = currentRun()?.key;
    return (key && this.#scopes.get(this.#slotOf(key))) ?? this.#scope;
  }

  /** Whether this process is a member whose Lease is valid. */
  get isMember(): boolean {
    return this.#term?.validity.check().valid ?? false;
  }

  /** Slots whose keys this process reconciles. */
  get owned(): SlotSet {
    return this.isMember ? this.#loaded : noSlots;
  }

  /** Slots whose runs may write now: those that are owned, and those that wait for their last runs. */
  get open(): SlotSet {
    return this.isMember ? this.#owned | this.#draining : noSlots;
  }

  /** @throws {ShardNotOwnedError} if the present run, or a call outside of runs, must not write */
  check(): void {
    this.#check(currentRun()?.key);
  }

  /**
   * Slots that are released, claimed or not loaded may become usable. So may all slots between two
   * memberships, and the used ones while the Lease is not valid because a clock was set.
   */
  standing(key: ReconcileKey): KeyStanding {
    const slot = this.#slotOf(key);
    if (hasSlot(this.#loaded, slot)) return this.isMember ? 'owned' : 'uncertain';
    const isElsewhere = this.#isDecided && !hasSlot(this.#owned | this.#draining | this.#claiming, slot);
    return isElsewhere ? 'elsewhere' : 'uncertain';
  }

  enter(key: ReconcileKey): ReturnType<KeyOwnership['enter']> {
    const standing = this.standing(key);
    return standing === 'owned' ? this.#pass(key) : standing;
  }

  /** Begins a membership without slots. */
  begin(validity: LeaseValidity): void {
    const lost = new AbortController();
    allowListeners(lost.signal);
    this.#term = { validity, lost };
  }

  /** Changes the slots; slots without runs are drained at once. Gained slots are used after `load`. */
  update({ owned, draining, claiming }: MemberSlots): void {
    if (owned !== this.#owned || draining !== this.#draining) this.#scope = {};
    for (const slot of this.#scopes.keys()) {
      if (!hasSlot(owned | draining, slot)) this.#scopes.delete(slot);
    }
    this.#owned = owned;
    this.#loaded &= owned;
    this.#draining = draining;
    this.#claiming = claiming;
    this.#isDecided = true;
    this.#parts.decided();
    const idle = slotsIn(draining).filter((slot) => !this.#runs.has(slot));
    if (idle.length > 0) this.#parts.drained(idle.reduce((slots, slot) => slots | slotSet(slot), noSlots));
  }

  /** Begins to use the owned slots among those whose objects are in the caches. */
  load(slots: SlotSet): void {
    const gained = without(this.#owned & slots, this.#loaded);
    this.#loaded |= gained;
    if (gained === noSlots) return;
    for (const slot of slotsIn(gained)) {
      if (!this.#scopes.has(slot)) this.#scopes.set(slot, {});
    }
    this.#parts.gained(gained);
    this.#parts.decided();
  }

  /** Ends the membership: aborts the runs, and refuses their writes. */
  end(reason: string): void {
    const term = this.#term;
    this.#term = undefined;
    this.#owned = noSlots;
    this.#loaded = noSlots;
    this.#draining = noSlots;
    this.#claiming = noSlots;
    this.#isDecided = false;
    this.#scopes.clear();
    this.#scope = {};
    const error = new ShardNotOwnedError(this.#parts.ring, reason);
    this.#closed = AbortSignal.abort(error);
    term?.lost.abort(error);
  }

  #pass(key: ReconcileKey): RunPass {
    const term = this.#term;
    const slot = this.#slotOf(key);
    this.#runs.set(slot, (this.#runs.get(slot) ?? 0) + 1);
    let isDone = false;
    return {
      signal: this.signal,
      check: () => {
        if (term !== this.#term) throw this.#error(key, 'the membership in which the run began has ended');
        this.#check(key);
      },
      leave: () => {
        if (!isDone) this.#leave(slot);
        isDone = true;
      },
    };
  }

  #slotOf(key: ReconcileKey): number {
    return slotOf(key, this.#parts.field);
  }

  #leave(slot: number): void {
    const left = (this.#runs.get(slot) ?? 1) - 1;
    if (left > 0) {
      this.#runs.set(slot, left);
      return;
    }
    this.#runs.delete(slot);
    if (hasSlot(this.#draining, slot)) this.#parts.drained(slotSet(slot));
  }

  #check(key: ReconcileKey | undefined): void {
    const result = this.#term?.validity.check();
    if (result === undefined) throw new ShardNotOwnedError(this.#parts.ring, 'this process is not a member');
    if (!result.valid) {
      throw new ShardNotOwnedError(this.#parts.ring, `the Lease is not valid: ${result.refusal}`);
    }
    if (key !== undefined && !hasSlot(this.#owned | this.#draining, this.#slotOf(key))) {
      throw this.#error(key, 'another replica owns it');
    }
  }

  #error(key: ReconcileKey, reason: string): ShardNotOwnedError {
    return new ShardNotOwnedError(this.#parts.ring, `${keyText(key)}: ${reason}`);
  }
}

function aborted(): AbortSignal {
  return AbortSignal.abort(new Error('this process has not joined the ring'));
}
