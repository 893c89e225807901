/** Controllers, manager, events and metrics for Kubernetes operators. */

export type { NoopWritesOptions, WriteDecision, WriteRequest } from './apply/noop-writes.ts';
export { NoopWrites } from './apply/noop-writes.ts';
