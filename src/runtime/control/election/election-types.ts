/** Types of the state machine of an election. */
import type { LeaseChange, LeaseRecord } from './lease.ts';
import type { MachineDriverEffect, MachineTimerInput } from './machine-driver.ts';

/** Parameters of an election. */
export interface ElectionTiming {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Cause of the end of leadership, for logs and metrics. */
export type LeadershipEnd =
  /** The election was stopped by its caller. */
  | 'stopped'
  /** The lease was not renewed within the renew deadline. */
  | 'expired'
  /** The lease has another holder, or was released by someone else. */
  | 'replaced'
  /** The main thread was blocked for longer than `blockedLimitMs`. */
  | 'blocked'
  /** The control plane selected another holder of a coordinated lease. */
  | 'preferredHolder'
  /** The thread that renewed the lease has failed. */
  | 'threadFailed';

/** Request in progress. */
export interface PendingRequest {
  readonly type: 'read' | 'write';
  readonly startedAt: number;
  /** A renewal without a preceding read. */
  readonly fast: boolean;
}

/** State of an election. Times are in milliseconds of a monotonic clock. */
export interface ElectionState {
  readonly phase: 'candidate' | 'leader' | 'releasing' | 'ended';
  /** The lease, as last observed. */
  readonly lease: LeaseRecord | undefined;
  /** Time at which the last change of the lease was observed. */
  readonly observedAt: number;
  readonly pending: PendingRequest | undefined;
  /** Start of the last successful renewal; in the phase `releasing`, start of the release. */
  readonly renewedAt: number;
  /** Whether a write without a response may have acquired the lease. */
  readonly mayHold: boolean;
  /** Cause of the end, from the phase `releasing` on. */
  readonly end: LeadershipEnd | undefined;
}

/** Event to which an election reacts. */
export type ElectionInput =
  | MachineTimerInput
  | { readonly type: 'start' }
  /** Response to a read; `undefined` if the lease does not exist. */
  | { readonly type: 'read'; readonly lease: LeaseRecord | undefined }
  /** Response to a write. */
  | { readonly type: 'written'; readonly lease: LeaseRecord }
  /** The request failed. `conflict`: the server did not execute it because the lease had changed. */
  | { readonly type: 'failed'; readonly conflict: boolean }
  /** Ends the election. */
  | { readonly type: 'end'; readonly end: LeadershipEnd; readonly release: boolean };

/** Action of the driver. */
export type ElectionEffect =
  | { readonly type: 'read' }
  /** Writes the lease; `base` is the object to update, if it exists. */
  | { readonly type: 'write'; readonly base: LeaseRecord | undefined; readonly change: LeaseChange }
  | MachineDriverEffect
  /** Leadership is valid for the renew deadline from `startedAt` on. */
  | { readonly type: 'renewed'; readonly startedAt: number; readonly transitions: number }
  /** Leadership has begun; follows the first `renewed`. */
  | { readonly type: 'leading'; readonly transitions: number }
  /** Leadership has ended; writes are refused from now on. */
  | { readonly type: 'closed'; readonly end: LeadershipEnd }
  /** The lease has another holder. */
  | { readonly type: 'newLeader'; readonly holder: string }
  /** A renewal continues with a read. */
  | { readonly type: 'slowPath' }
  /** The election has ended, and the lease was released if it had to be. */
  | { readonly type: 'ended'; readonly end: LeadershipEnd };

/** Result of a step. */
export interface ElectionStep {
  readonly state: ElectionState;
  readonly effects: readonly ElectionEffect[];
}
