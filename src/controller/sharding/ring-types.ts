/** Types of the state machine of one member of a ring. */

import type { MachineDriverEffect, MachineTimerInput } from '@kgen/runtime/election';
import type { MemberLease } from './member-lease.ts';
import type { SlotSet } from './slots.ts';

/** Parameters of a member. */
export interface RingTiming {
  /** Name of the member's Lease. */
  readonly lease: string;
  readonly identity: string;
  /** Unique for each process, also if two of them use one identity. */
  readonly process: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** A Lease as last listed. Its age is measured by the own clock: the clocks of others are not trusted. */
export interface ObservedLease {
  readonly lease: MemberLease;
  /** Time at which the last change was observed. */
  readonly observedAt: number;
  /** Whether the Lease no longer exists. Its claims count until it would have expired. */
  readonly isDeleted: boolean;
}

/** Cause of the end of a membership. */
export type MembershipEnd =
  /** The member has left. */
  | 'stopped'
  /** The Lease was not renewed within the renew deadline. */
  | 'expired'
  /** The Lease was deleted, or written by another process with the same identity. */
  | 'replaced';

/** Slots of a member. All other slots belong to other members, or will. */
export interface MemberSlots {
  /** Slots whose keys this member reconciles. */
  readonly owned: SlotSet;
  /** Slots that the member releases: running reconciles end, others do not begin. */
  readonly draining: SlotSet;
  /** Slots that the member has claimed, or is about to claim, and may not use yet. */
  readonly claiming: SlotSet;
}

/** State of a member. Times are in milliseconds of a monotonic clock. */
export interface RingState extends MemberSlots {
  readonly phase: 'joining' | 'member' | 'releasing' | 'ended';
  /** Whether the member hands over all slots. */
  readonly isLeaving: boolean;
  readonly pending: { readonly type: 'list' | 'write' | 'expel'; readonly startedAt: number } | undefined;
  /** Whether the last write failed: the next one waits. */
  readonly hasFailed: boolean;
  /** Start of the last successful write; in the phase `releasing`, start of the release. */
  readonly renewedAt: number;
  /** The own Lease, as last read or written. */
  readonly own: MemberLease | undefined;
  /** Leases of the other members by their names. */
  readonly others: ReadonlyMap<string, ObservedLease>;
}

/** Event to which a member reacts. */
export type RingInput =
  | MachineTimerInput
  | { readonly type: 'start' }
  /** Response to a list that began after the last write. */
  | { readonly type: 'listed'; readonly leases: readonly MemberLease[] }
  | { readonly type: 'written'; readonly lease: MemberLease }
  /** The Leases of `expel` were released, or have changed. */
  | { readonly type: 'expelled' }
  | { readonly type: 'failed' }
  /** The fence has closed. */
  | { readonly type: 'lost' }
  /** No run of the slots is in progress. */
  | { readonly type: 'drained'; readonly slots: SlotSet }
  /** Hands over all slots; the member stays in the ring until `end`. */
  | { readonly type: 'leave' }
  /** Ends the membership. No run may be in progress. */
  | { readonly type: 'end' };

/** Action of the driver. */
export type RingEffect =
  /** Lists the Leases of the ring, from the storage of the server rather than from a cache that may lag. */
  | { readonly type: 'list' }
  | { readonly type: 'write'; readonly base: MemberLease | undefined; readonly change: LeaseContent }
  /** Releases expired Leases of others, unless they have changed: their next renewals fail. */
  | { readonly type: 'expel'; readonly leases: readonly MemberLease[] }
  | MachineDriverEffect
  /** A membership has begun, which owns nothing. Precedes its first `renewed`. */
  | { readonly type: 'joined' }
  /** The membership is valid for the renew deadline from `startedAt` on. */
  | { readonly type: 'renewed'; readonly startedAt: number }
  /** The slots of the membership after a list, or after a change. */
  | { readonly type: 'slots'; readonly slots: MemberSlots }
  /** The membership has ended: writes are refused from now on, and no slot is owned. */
  | { readonly type: 'closed'; readonly end: MembershipEnd }
  /** The Lease was released long ago, and can be deleted. */
  | { readonly type: 'forget'; readonly lease: MemberLease }
  /** The member has left the ring. */
  | { readonly type: 'ended' };

/** Content of a written Lease. */
export interface LeaseContent {
  readonly claims: SlotSet;
  readonly isLeaving: boolean;
  /** Whether the member has left the ring. */
  readonly isReleased: boolean;
}

/** Result of a step. */
export interface RingStep {
  readonly state: RingState;
  readonly effects: readonly RingEffect[];
}
