/** Messages between the test and the replicas of a ring. */
import type { ClusterConfig } from '@kgen/runtime';

/** Arguments of a process, as JSON. */
export interface ReplicaArguments {
  readonly config: ClusterConfig;
  readonly namespace: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Event of a process, one JSON document per line. Times are those of the monotonic clock of the machine. */
export type ReplicaEvent =
  /** A write: the time before its check, and the time of its response. */
  | { readonly type: 'write'; readonly key: string; readonly at: number; readonly end: number }
  | { readonly type: 'stopped'; readonly at: number };
