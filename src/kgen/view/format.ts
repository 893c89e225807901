/**
 * Format of the documents that the page of `kgen view` shows. `docs/view.md` documents it for programs that
 * write it, and `schema.ts` has its JSON Schema.
 */

/** A document: recordings, failures of simulations, or both. */
export interface ViewDocument {
  readonly type: 'kgen view';
  /** Version of the format. It changes if readers of the version before could misunderstand a document. */
  readonly version: 1;
  /** Heading of the page. */
  readonly title: string;
  /** Facts about the whole, one sentence each. */
  readonly facts: readonly string[];
  readonly runs: readonly ViewRun[];
  readonly failures: readonly ViewFailure[];
  readonly tables: readonly ViewTable[];
}

/** A run of an operator, recorded or simulated. */
export interface ViewRun {
  readonly name: string;
  /** `utc`: times are milliseconds since 1970. `virtual`: milliseconds since the start of the run. */
  readonly clock: 'utc' | 'virtual';
  readonly from: number;
  readonly to: number;
  /** Events in their order. */
  readonly events: readonly ViewEvent[];
  /** Index of the first event, if earlier ones are left out. Default: 0. */
  readonly firstEvent?: number;
  /** Reconciles in the order of their starts. */
  readonly reconciles: readonly ViewReconcile[];
  /** States of the queues and informers, oldest first. */
  readonly states?: readonly ViewState[];
}

/** An event of a run. */
export type ViewEvent = ViewNote | ViewChange | ViewRequest | ViewReport | ViewLease | ViewLog;

/** A step of a schedule, or a note about processes, faults, checks and reviews. */
export interface ViewNote {
  readonly kind: 'step' | 'note';
  readonly at: number;
  readonly text: string;
  /** Whether the note is a violated rule. */
  readonly isViolation?: boolean;
}

/** An object or a collection. */
export interface ViewTarget {
  /** API group; empty for the core group. */
  readonly group: string;
  /** Plural name: `deployments`. */
  readonly resource: string;
  /** Empty for cluster-scoped objects, and for collections of all namespaces. */
  readonly namespace: string;
  /** Empty for collections. */
  readonly name: string;
}

/** A state of an object. */
export interface ViewChange {
  readonly kind: 'change';
  readonly at: number;
  /** `existing`: the state at the start of the run. */
  readonly change: 'existing' | 'create' | 'update' | 'delete';
  readonly target: ViewTarget;
  /**
   * The object after the change, before a deletion; absent if it was too large. Values of Secrets are their
   * lengths.
   */
  readonly content?: unknown;
}

/** A request of the operator to the API server, or to another service. */
export interface ViewRequest {
  readonly kind: 'request';
  readonly at: number;
  /** Time of the response; absent without one. */
  readonly until?: number;
  /** Name of the process, or its user agent. */
  readonly process: string;
  /** User of the request; empty if it is not recorded. */
  readonly user: string;
  /** Number of the reconcile that has sent it. */
  readonly reconcile?: number;
  /**
   * Verb such as `get`, `list`, `apply` or `deletecollection`. Of a request to another service, the method in
   * capitals: its target has the service as resource, and the path with the query as name.
   */
  readonly verb: string;
  readonly target: ViewTarget;
  readonly subresource: string;
  /** Whether it changes objects. */
  readonly isWrite: boolean;
  /** `skipped`: it would have changed nothing, and was not sent. `lost`: it has no response. */
  readonly result: 'done' | 'skipped' | 'failed' | 'lost';
  /** Status of HTTP. */
  readonly status?: number;
  readonly error?: string;
  /** Body of the request. Values of Secrets are lengths. */
  readonly body?: unknown;
  /** The object in the response to a write, the cached one of a skipped write, or the body of a service. */
  readonly content?: unknown;
  /** Line of the program: `/path/operator.ts:10`. */
  readonly site?: string;
  /** Faults that it met. */
  readonly faults: readonly string[];
}

/** An Event that the operator has reported about an object. */
export interface ViewReport {
  readonly kind: 'event';
  readonly at: number;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  readonly regarding: ViewReference;
  /** Number of the reconcile that has reported it. */
  readonly reconcile?: number;
}

/** Object of an Event: its kind, not its resource. */
export interface ViewReference {
  /** `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** The operator has acquired or lost a lease. */
export interface ViewLease {
  readonly kind: 'lease';
  readonly at: number;
  /** `leader`, or the name of a shard. */
  readonly lease: string;
  readonly isHeld: boolean;
  /** Process that holds it; empty if it is not known. */
  readonly holder: string;
  /** Number of shards that the process owns; absent without shards. */
  readonly shards?: number;
}

/** A line of the log of the operator. */
export interface ViewLog {
  readonly kind: 'log';
  readonly at: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  /** Members of the line, in JSON; empty without one. */
  readonly fields: string;
  /** Number of the reconcile that has written it. */
  readonly reconcile?: number;
}

/** Queues and informers at one time. */
export interface ViewState {
  readonly at: number;
  readonly queues: readonly ViewQueue[];
  readonly informers: readonly ViewInformer[];
}

/** The queue of a controller. */
export interface ViewQueue {
  readonly controller: string;
  /** Number of reconciles that may run at once. */
  readonly workers: number;
  readonly running: readonly ViewQueued[];
  /** Keys that wait, those that are due first before the others. */
  readonly waiting: readonly ViewQueued[];
  /** Number of keys that wait and are not in the list. */
  readonly more: number;
}

/** A key that waits or runs. */
export interface ViewQueued {
  readonly namespace: string;
  readonly name: string;
  /** Time at which it was added, or has begun to run. */
  readonly since: number;
  /** Time until which it waits; absent if only a worker is missing. */
  readonly due?: number;
  /** `change`, `requeueAfter`, `retry`, `resync` and others; absent for a key that runs. */
  readonly reason?: string;
}

/** A cache of the operator. */
export interface ViewInformer {
  /** `deployments.apps`, or `pods` for the core group. */
  readonly resource: string;
  readonly objects: number;
  /** Whether its first list is complete. */
  readonly isSynced: boolean;
  /** Time of the last event; absent without one. */
  readonly lastEventAt?: number;
  /** Number of events whose handlers have not been called. */
  readonly queued: number;
  /** Delay between a change and its event, in milliseconds; absent if it is not known. */
  readonly lagMs?: number;
}

/** One call of a reconcile function. */
export interface ViewReconcile {
  /** Unique in the run. */
  readonly number: number;
  readonly controller: string;
  /** Number of the worker of the controller, from 1; absent if it is not recorded. */
  readonly worker?: number;
  readonly namespace: string;
  readonly name: string;
  readonly from: number;
  /** Absent if it had not ended. */
  readonly until?: number;
  readonly attempt: number;
  readonly causes: readonly ViewCause[];
  readonly reads: readonly ViewRead[];
  /** `success`, `requeueAfter`, `conflict`, `gone`, `retry` or `terminal`; empty if it had not ended. */
  readonly outcome: string;
  /** Delay before the next one, in milliseconds. */
  readonly afterMs?: number;
  readonly error?: string;
}

/** Reason of a reconcile. */
export interface ViewCause {
  /** `add`, `update`, `delete`, `resync`, `requeue`, `retry`, `conflict` and others. */
  readonly type: string;
  /** The changed object: `deployments.apps shop/web`; empty for other causes. */
  readonly object: string;
  /** Index of the change in `events`. */
  readonly event?: number;
}

/** A read of a reconcile from the cache. */
export interface ViewRead {
  /** `deployments.apps`, or `pods` for the core group. */
  readonly resource: string;
  readonly namespace: string;
  /** Empty for lists. */
  readonly name: string;
  /** Version of the object, or the number of objects. */
  readonly found: string;
}

/** A failure of a simulation. */
export interface ViewFailure {
  /** The first seed, and all seeds that fail in the same way. */
  readonly seed: number;
  readonly seeds: readonly number[];
  /** Name of the violated rule. */
  readonly check: string;
  /** Line of the operator; empty if none is known. */
  readonly site: string;
  readonly story: string;
  /** Command that repeats the run; empty if it does not depend on the seed. */
  readonly command: string;
  /** Index in `runs` of the run that fails. */
  readonly run: number;
  /** Index in `runs` of the run without faults; absent if that one fails itself. */
  readonly reference?: number;
}

/** A table, such as the coverage of writes by faults. */
export interface ViewTable {
  readonly title: string;
  /** Empty for a list. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
