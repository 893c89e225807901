/** Reconciles that are repeated from a recording. */

import type { Cause } from '../runs/causes.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { RecordedOutcome } from './record.ts';

/** A reconcile that is repeated from a recording. */
export interface ReplayedReconcile {
  readonly key: ReconcileKey;
  readonly reconcileID: string;
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  readonly cause: readonly Cause[];
}

/** Outcome of a replayed reconcile. */
export interface ReplayedOutcome extends RecordedOutcome {
  /** The error itself, with its stack; absent if there is none. */
  readonly thrown?: unknown;
}

/** Starts the reconciles of a manager in place of its queues: `replay` of `@kgen/testing`. */
export interface ReplaySource {
  /** Called when a controller would begin to take keys from its queue. `reconcile` never rejects. */
  started(controller: string, reconcile: (start: ReplayedReconcile) => Promise<ReplayedOutcome>): void;
}
