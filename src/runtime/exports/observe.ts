/** Traces and counters of requests. */

export type { AttemptTrace, LookupTrace, RequestTrace, TracedRequest } from '../rest/observe/observe.ts';
export { attemptChannel, lookupChannel, requestChannel } from '../rest/observe/observe.ts';
export type { ProtobufStats } from '../rest/stats.ts';
