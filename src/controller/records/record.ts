/** Records of reconciles: reasons, reads, writes and ends. */

import type { Cause } from '../runs/causes.ts';
import type { ReconcileKey } from '../runs/key.ts';

/** Object or list of a recorded read, write or change. */
export interface RecordedTarget {
  /** Plural name and group: `deployments.apps`, or `pods` for the core group. */
  readonly resource: string;
  /** Namespace of the object or list; `''` for cluster-scoped objects, and for lists of all namespaces. */
  readonly namespace: string;
  /** `''` for lists, and for creations whose name the server chose and whose response was lost. */
  readonly name: string;
}

/** A field that has changed. Values are JSON of at most 100 characters, and `(redacted)` in Secrets. */
export interface FieldChange {
  /** Path of the field: `.spec.replicas`. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Reason of a reconcile. */
export interface RecordedCause extends Cause {
  /** Number of equal causes that the reconcile has combined. */
  readonly count: number;
  /** Object whose change caused the reconcile; absent for other causes. */
  readonly target?: RecordedTarget | undefined;
  /** Versions before and after the change; `''` if the object did not exist. */
  readonly resourceVersions?: readonly [before: string, after: string] | undefined;
  /** Fields that have changed, at most 5. */
  readonly fields?: readonly FieldChange[] | undefined;
  /** Whether the object existed before the controller started. */
  readonly isInitial?: boolean | undefined;
  /**
   * Number of the reconcile of the same key whose write has made this change, if it is known: a controller
   * that wakes itself.
   */
  readonly writtenBy?: number | undefined;
}

/** A read of a reconcile. */
export interface RecordedRead extends RecordedTarget {
  /** `cache`: a lister of an informer. `server`: a request. */
  readonly from: 'cache' | 'server';
  /** Version of the object that was found; `''` if there was none, and for lists. */
  readonly resourceVersion: string;
  /** Number of objects in the list; absent for a read of one object. */
  readonly count?: number | undefined;
  /** Message of the error of a failed request; absent after a success. */
  readonly error?: string | undefined;
}

/** A write of a reconcile. */
export interface RunWrite extends RecordedTarget {
  /** Verb of the write: `create`, `update`, `patch`, `apply`, `delete` or `deletecollection`. */
  readonly verb: string;
  readonly subresource: string;
  /** `skipped`: it would have changed nothing, and was not sent. */
  readonly result: 'done' | 'skipped' | 'failed';
  /** HTTP status of an error response; absent without one. */
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  /** Version after the write; `''` if it is unknown. */
  readonly resourceVersion: string;
  /**
   * Changed fields, at most 20, of those that the informer keeps. Empty if none has changed; `undefined` for
   * failed writes, and if no informer has the object before or after the write.
   */
  readonly changes?: readonly FieldChange[] | undefined;
}

/** Outcome of a reconcile, and the delay before the next one. */
export interface RecordedOutcome {
  /**
   * `success`; `requeueAfter`: the function returned `requeueAfterMs`; `conflict`: retried, because the
   * object had changed; `gone`: the object was deleted meanwhile; `retry`: failed and retried; `terminal`:
   * failed and not retried before the next change.
   */
  readonly type: 'success' | 'requeueAfter' | 'conflict' | 'gone' | 'retry' | 'terminal';
  /** Delay of `requeueAfter`, and the one that the server requested before a `retry`, in milliseconds. */
  readonly afterMs?: number | undefined;
  /** Name and message of the error, at most 500 characters. */
  readonly error?: string | undefined;
}

/** One reconcile of a key. */
export interface ReconcileRecord {
  readonly controller: string;
  readonly key: ReconcileKey;
  /** Number of the reconcile among those of its controller, from 1. */
  readonly number: number;
  readonly reconcileID: string;
  /** Start of the reconcile, in ISO 8601: `2026-01-31T12:00:00.000Z`. */
  readonly startedAt: string;
  /** Time between the first cause and the start, in milliseconds, without delays of requeues and retries. */
  readonly queuedMs: number;
  readonly durationMs: number;
  /** Number of the attempt since the last success, from 1. */
  readonly attempt: number;
  /** Reasons of the reconcile: the first 10; `omitted.causes` counts the others. */
  readonly causes: readonly RecordedCause[];
  /** Reads of the cache and of the server: the first 50; `omitted.reads` counts the others. */
  readonly reads: readonly RecordedRead[];
  /** Writes, skipped ones included: the first 20; `omitted.writes` counts the others. */
  readonly writes: readonly RunWrite[];
  /** Numbers of causes, reads and writes that are missing in the lists of this record. */
  readonly omitted: { readonly causes: number; readonly reads: number; readonly writes: number };
  readonly outcome: RecordedOutcome;
}
