/** Controllers, manager, events and metrics for Kubernetes operators. */

export type { NoopWritesOptions, WriteDecision, WriteRequest } from './apply/noop-writes.ts';
export { NoopWrites } from './apply/noop-writes.ts';
export { ownedFieldsMatch } from './apply/owned-fields.ts';
export type {
  Dependent,
  DependentGraph,
  DependentPlan,
  DependentStatus,
  DependentStep,
  DependentsClient,
  LiveDependents,
} from './dependents/dependents.ts';
export { dependentGraph, executePlan, planDependents } from './dependents/dependents.ts';
export type { ObjectName } from './loops/changes.ts';
export type { LoopDetectorOptions, LoopEvent, LoopWrite } from './loops/loop-detector.ts';
export { LoopDetector } from './loops/loop-detector.ts';
export type { LoopingField, LoopReport } from './loops/report.ts';
