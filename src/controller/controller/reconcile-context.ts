/** The context of a reconcile function. */

import type { EventObject } from '../events/event.ts';
import { childLogger, type Logger } from '../log.ts';
import type { ReplayedReconcile } from '../records/replayed.ts';
import type { Cause } from '../runs/causes.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { ControllerHost, RegardingEvents } from './host.ts';
import type { Run } from './run.ts';

/** Details and tools of one run. */
export interface ReconcileContext<C = undefined> {
  readonly key: ReconcileKey;
  /** Client of the options. Its writes are attributed to this run. */
  readonly client: C;
  /** Logger whose entries name controller, object and run. */
  readonly log: Logger;
  /** Unique ID of this run, as in logs and traces. */
  readonly reconcileID: string;
  /** Aborts at the time limit of the run, at the deadline of a stop, and if leadership is lost. */
  readonly signal: AbortSignal;
  /** Aborts when the manager stops: the run may finish and write, but should not begin long work. */
  readonly stopping: AbortSignal;
  /** Number of this attempt since the last success, from 1. */
  readonly attempt: number;
  /** Whether no further attempt follows if this one fails; see `maxAttempts`. */
  readonly isLastAttempt: boolean;
  /** Reasons of the run, oldest first; at most the first ten. */
  readonly cause: readonly Cause[];
  /** Records events that regard the reconciled object. */
  readonly record: RegardingEvents;
}

/** Sources of the members of a context. */
export interface ContextParts<C> {
  /** Members that are decided before the run, and recorded for its replay. */
  readonly details: ReplayedReconcile;
  readonly run: Pick<Run, 'signal'>;
  readonly host: Pick<ControllerHost, 'stopping' | 'eventsOf'>;
  /** Client and log of the controller. */
  readonly client: C;
  readonly log: Logger;
  /** The reconciled object. */
  readonly regarding: EventObject;
}

/** Returns the context of a run. A new member is added here: in the interface, and in this function. */
export function reconcileContext<C>(parts: ContextParts<C>): ReconcileContext<C> {
  const { details, run, host, client, log, regarding } = parts;
  const { key, reconcileID, attempt, isLastAttempt, cause } = details;
  return {
    key,
    client,
    log: childLogger(log, { ...key, reconcileID }),
    signal: run.signal,
    stopping: host.stopping,
    reconcileID,
    attempt,
    isLastAttempt,
    cause,
    record: host.eventsOf(regarding),
  };
}
