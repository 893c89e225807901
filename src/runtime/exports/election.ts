/** Leader election by a Lease. */

export type { Clock, RandomSource, RuntimeEnvironment } from '../common/clock.ts';
export type { LeaderElectorOptions } from '../election/election-options.ts';
export type { LeadershipEnd } from '../election/election-types.ts';
export type { LeadershipFence } from '../election/fence.ts';
export { isLeadershipLostError, LeadershipLostError } from '../election/fence.ts';
export type { LeaderElectorStats } from '../election/leader-elector.ts';
export { LeaderElector } from '../election/leader-elector.ts';
export type { LeadershipRefusal } from '../election/lease-validity.ts';
export type { LeaderElectorEvents } from '../election/listeners.ts';
export { runElectionWorker } from '../election/thread/run-worker.ts';
