/** Parts that a manager provides to its controllers. */

import type { RESTClient } from '@kgen/runtime';
import type { RuntimeEnvironment } from '@kgen/runtime/informers';
import type { EventObject, EventToRecord } from '../events/event.ts';
import type { Logger } from '../log.ts';
import type { Reconciliations } from '../metrics/controller-metrics.ts';
import type { QueueMetrics } from '../metrics/queue-metrics.ts';
import type { ReplaySource } from '../records/replayed.ts';
import type { Cause } from '../runs/causes.ts';
import type { ReconcileKey } from '../runs/key.ts';
import type { SecretTexts } from '../secrecy/secret-values.ts';
import type { KeyOwnership } from '../sharding/ownership.ts';
import type { RunListener } from './run-listener.ts';

/** An event of a reconcile function; it regards the reconciled object. */
export type RegardingEvent = Omit<EventToRecord, 'regarding'>;

/** Records events that regard one object. */
export interface RegardingEvents {
  /** Records an event. Returns at once and never throws. */
  event(event: RegardingEvent): void;
}

/** Sends requests of a controller itself: finalizers. */
export interface HostRequests {
  /** Sends a JSON patch for one object, by `rest` if the object is in another cluster. */
  patch(
    path: string,
    operations: readonly object[],
    signal: AbortSignal,
    rest?: RESTClient | undefined,
  ): Promise<unknown>;
}

/** A manager, as seen by its controllers. */
export interface ControllerHost {
  readonly log: Logger;
  readonly environment: RuntimeEnvironment;
  readonly requests: HostRequests;
  readonly reconciliations: Reconciliations;
  /** Returns the observer of the metrics of a queue. */
  observeQueue(name: string): QueueMetrics;
  /** Aborts when the manager stops: running reconcile functions may finish. */
  readonly stopping: AbortSignal;
  /** Aborts at the deadline of the stop, or when leadership is lost. */
  readonly signal: AbortSignal;
  /** Keys of this process; absent if it always reconciles all keys. */
  readonly ownership?: KeyOwnership | undefined;
  /** Values of Secrets that records and spans must not contain. */
  readonly secrets: SecretTexts;
  /** Listeners of the manager: the flight recorder. Default: none. */
  readonly listeners?: readonly RunListener[] | undefined;
  /** Starts runs in place of the queue; absent outside of replays. */
  readonly replay?: ReplaySource | undefined;
  /** Calls reconcile functions. Default: they are called directly. */
  readonly aroundReconcile?: ((reconcile: () => unknown, controller: string) => unknown) | undefined;
  /** Returns a recorder of events that regard an object. */
  eventsOf(regarding: EventObject): RegardingEvents;
}

/** A reconcile in progress. */
export interface RunningReconcile {
  readonly controller: string;
  readonly key: ReconcileKey;
  readonly startedAt: number;
}

/** A run of a reconcile function that has ended. */
export interface ManualRun {
  /** Name of the controller. */
  readonly controller: string;
  readonly key: ReconcileKey;
  /** Reasons of the run, oldest first. */
  readonly cause: readonly Cause[];
  /** Delay that the function has returned, in milliseconds. */
  readonly requeueAfterMs: number | undefined;
  /** Error with which the run has failed; `undefined` after a success. */
  readonly error: unknown;
}

/** The queues of a manager's controllers, without workers; see `Manager.run`. */
export interface ManualRuns {
  /** Removes the keys from the queues. Never rejects. */
  discard(): Promise<void>;
  /**
   * Runs each key that is in a queue now once, one after the other. Keys of their changes and retries remain
   * in the queues. Never rejects.
   */
  perform(): Promise<readonly ManualRun[]>;
}
