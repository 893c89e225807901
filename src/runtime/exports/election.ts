/** Leader election by a Lease. */

export type { Clock, RandomSource, RuntimeEnvironment } from '../common/clock.ts';
export type { LeaderElectorOptions } from '../control/election/election-options.ts';
export type { LeadershipEnd } from '../control/election/election-types.ts';
export type { LeadershipFence } from '../control/election/fence.ts';
export { isLeadershipLostError, LeadershipLostError } from '../control/election/fence.ts';
export type { LeaderElectorRunOptions, LeaderElectorStats } from '../control/election/leader-elector.ts';
export { LeaderElector } from '../control/election/leader-elector.ts';
export type { LeaseRequests } from '../control/election/lease-requests.ts';
export { leaseRequests } from '../control/election/lease-requests.ts';
export type {
  ElectionClocks,
  LeadershipRefusal,
  ValidityCheck,
} from '../control/election/lease-validity.ts';
export { LeaseValidity, systemClocks } from '../control/election/lease-validity.ts';
export type { LeaderElectorEvents, LeaseRenewal } from '../control/election/listeners.ts';
export type {
  MachineDriverEffect,
  MachineDriverOptions,
  MachineTimerInput,
} from '../control/election/machine-driver.ts';
export { MachineDriver } from '../control/election/machine-driver.ts';
export { runElectionWorker } from '../control/election/thread/run-worker.ts';
