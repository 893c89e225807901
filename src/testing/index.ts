export type { Drift, DriftKind } from 'kgen/contract';
export { type ContractReport, checkContract } from './contract-tests/check.ts';
export {
  type ContractCluster,
  type ContractTestOptions,
  contractTests,
  type TestBody,
  type TestFramework,
} from './contract-tests/contract-tests.ts';
export type { ContractClient } from './contract-tests/known.ts';
export {
  type CheckRoundTripsOptions,
  checkRoundTrips,
  type RoundTripOptions,
  roundTrips,
} from './contract-tests/round-trips.ts';
export type {
  DeclaredAdmission,
  DeclaredConversion,
  QuietLog,
  ReviewingWebhooks,
  RoundTripChange,
} from './contract-tests/trip.ts';
export {
  type ControlPlane,
  type ControlPlaneAvailability,
  type ControlPlaneOptions,
  ControlPlaneStartError,
  ControlPlaneUnavailableError,
  controlPlaneAvailability,
  startControlPlane,
} from './controlplane/controlplane.ts';
export type { DeployedOperator } from './controlplane/deployment.ts';
export { type MatcherResult, simulationMatchers } from './operators/matchers/simulation.ts';
export { type ReportFormat, simulationReport } from './operators/report/report.ts';
export {
  type ComparedField,
  fieldOf,
  type MemberPath,
} from './operators/simulate/checks/compare/exceptions.ts';
export type { CheckName } from './operators/simulate/checks/finding.ts';
export type { ClusterReader, Invariant, InvariantMoment } from './operators/simulate/checks/invariants.ts';
export { invariants } from './operators/simulate/checks/standard-invariants.ts';
export type { ClusterOptions, ObjectId } from './operators/simulate/cluster.ts';
export type { SimulatedWrite, WriteCoverage } from './operators/simulate/coverage.ts';
export type { RequestFault } from './operators/simulate/faults/request-fault.ts';
export type { TimelineEntry } from './operators/simulate/history.ts';
export type {
  SimulateOptions,
  SimulationProgress,
  SimulationReport,
} from './operators/simulate/options.ts';
export type { Operator, SimulatedManager, SimulatedOptions } from './operators/simulate/process/operator.ts';
export {
  type ServiceHandler,
  type ServiceItems,
  type ServiceOptions,
  type ServiceRequest,
  type SimulatedService,
  simulation,
} from './operators/simulate/process/services/service.ts';
export { RecordingError } from './operators/simulate/replay/recording.ts';
export {
  type ReplayDifference,
  type ReplayReport,
  replay,
} from './operators/simulate/replay/replay.ts';
export type { DistinctFailure, SeedFailure } from './operators/simulate/run/failures.ts';
export type { SampleObjects } from './operators/simulate/samples.ts';
export type {
  Action,
  DisturbanceName,
  FaultClass,
  SingleFault,
} from './operators/simulate/schedule/actions.ts';
export type { ScheduleSource } from './operators/simulate/schedule/saved.ts';
export type { FieldPath, Schedule, Step } from './operators/simulate/schedule/schedule.ts';
export type { ReductionProgress } from './operators/simulate/schedule/shrink.ts';
export { simulate } from './operators/simulate/simulate.ts';
export { SimulationError } from './operators/simulate/story.ts';
export type { TableAdmission } from './operators/simulate/table/admission.ts';
export {
  created,
  deleted,
  edited,
  failing,
  type RequestFailure,
  stored,
  type TableChange,
  type TableObjectChange,
} from './operators/simulate/table/changes.ts';
export {
  type ExpectedEvent,
  type ExpectedOperation,
  type ExpectedWrite,
  type StatusOf,
  type TableExpectation,
  type WriteVerb,
  wrote,
} from './operators/simulate/table/expectation.ts';
export type { Expected } from './operators/simulate/table/match.ts';
export type {
  TableManager,
  TableOperator,
  TableOptions,
  TableReconcile,
  TableRuns,
} from './operators/simulate/table/operator.ts';
export type { TableWrite } from './operators/simulate/table/play.ts';
export { type FieldRead, type ReadRecorder, recordReads } from './operators/simulate/table/read-recorder.ts';
export {
  type TableResult,
  type TableTest,
  type TableTestOptions,
  type TableTests,
  tableTests,
} from './operators/simulate/table/tables.ts';
export {
  type InvalidSample,
  invalidSamplesOf,
  type Sample,
  type SampleOptions,
  type SampleSet,
  sampleOf,
  samplesOf,
  type Unmet,
} from './samples/samples.ts';
