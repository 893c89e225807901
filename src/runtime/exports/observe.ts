/** Traces and counters of requests. */

export type { AttemptTrace, RequestTrace, TracedRequest } from '../rest/observe/observe.ts';
export { attemptChannel, requestChannel } from '../rest/observe/observe.ts';
export type { ProtobufStats } from '../rest/stats.ts';
