/** Controllers, manager, events and metrics for Kubernetes operators. */

export type { AnyController } from './controller/controller.ts';
export { Controller } from './controller/controller.ts';
export type {
  ManualRun,
  ManualRuns,
  RegardingEvent,
  RegardingEvents,
  RunningReconcile,
} from './controller/host.ts';
export type {
  ControllerBaseOptions,
  ControllerOptions,
  ForSource,
  KeyControllerOptions,
  ObjectControllerOptions,
  OwnedSource,
  Reconcile,
  ReconcileByKey,
  WatchedSource,
} from './controller/options.ts';
export type { ReconcileContext } from './controller/reconcile-context.ts';
export type { OwnedDependent } from './dependents/declarations.ts';
export { dependent } from './dependents/declarations.ts';
export type {
  Dependent,
  DependentGraph,
  DependentPlan,
  DependentProblem,
  DependentProgress,
  DependentStatus,
  DependentStep,
  LiveDependents,
} from './dependents/dependents.ts';
export { dependentGraph, planDependents } from './dependents/dependents.ts';
export type { DependentsClient } from './dependents/execution.ts';
export { executePlan } from './dependents/execution.ts';
export type { DependentsState, OwnedDependentsOptions } from './dependents/owned-dependents.ts';
export { OwnedDependents } from './dependents/owned-dependents.ts';
export type { DependentTracking } from './dependents/ownership.ts';
export {
  AbandonedRunError,
  EventLoopBlockedError,
  InvalidResultError,
  KindNotInstalledError,
  ManagerStartError,
  ReconcileTimeoutError,
  TerminalError,
} from './errors.ts';
export type { EventObject, EventToRecord, EventType } from './events/event.ts';
export type { EventRecorderOptions, EventRecorderStats, FlushOptions } from './events/recorder.ts';
export { EventRecorder } from './events/recorder.ts';
export type { CertificateFiles, ServerCertificate } from './health/certificate-files.ts';
export type { HealthCheck } from './health/health-checks.ts';
export { EndpointStartError } from './health/http-server.ts';
export type { ConsoleMethods, Logger, LogMethod } from './log.ts';
export { consoleLogger } from './log.ts';
export type { ManagedClientOptions } from './manager/manager.ts';
export { Manager } from './manager/manager.ts';
export type {
  EndpointOptions,
  ManagerOptions,
  ManagerRunOptions,
  MetricsOptions,
  RecorderOptions,
  Runnable,
  RunnableContext,
  RunnableHost,
  ServedReviews,
} from './manager/options.ts';
export type { ManagerMetrics } from './metrics/manager-metrics.ts';
export type {
  ManagedControllerStats,
  ManagedInformerStats,
  ManagerStats,
  RememberedWrites,
  SkippedWrites,
} from './metrics/manager-stats.ts';
export type { Explanation, KeyState } from './records/explanation.ts';
export type {
  FieldChange,
  ReconcileRecord,
  RecordedCause,
  RecordedOutcome,
  RecordedRead,
  RecordedTarget,
  RunWrite,
} from './records/record.ts';
export type { ReplayedOutcome, ReplayedReconcile, ReplaySource } from './records/replayed.ts';
export type { ReviewRecord } from './records/review-record.ts';
export type { Cause } from './runs/causes.ts';
export type { ReconcileKey } from './runs/key.ts';
export type { ReconcileResult, Requeue } from './runs/outcome.ts';
export type { ShardingOptions } from './sharding/ring-options.ts';
export { ShardNotOwnedError } from './sharding/shard-error.ts';
export type { ShardRelation } from './sharding/sharded-objects.ts';
export type { ShardField } from './sharding/slots.ts';
export type { ObjectChange, Predicate } from './sources/predicates.ts';
export { anyChange, desiredStateChanged } from './sources/predicates.ts';
