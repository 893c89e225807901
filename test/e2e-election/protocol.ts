/** Messages between the test and the processes of an election. */
import type { ClusterConfig } from '@kgen/runtime';

/** Arguments of a process, as JSON. */
export interface MemberArguments {
  readonly config: ClusterConfig;
  readonly namespace: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly blockedLimitMs: number;
}

/** Command to a process, one JSON document per line. */
export type MemberCommand = { readonly type: 'stop' } | { readonly type: 'block'; readonly ms: number };

/** Event of a process, one JSON document per line. Times are those of the monotonic clock of the machine. */
export type MemberEvent =
  | { readonly type: 'leading'; readonly at: number; readonly term: number; readonly isThread: boolean }
  /** A write: the time before its check, and the time of its response. */
  | { readonly type: 'write'; readonly at: number; readonly end: number; readonly term: number }
  | { readonly type: 'blocked'; readonly at: number; readonly leads: boolean }
  | { readonly type: 'lost'; readonly at: number; readonly reason: string }
  | { readonly type: 'stopped'; readonly at: number };

/** Name of the ConfigMap that leaders write. */
export const writtenName = 'written-by-the-leader';
