/** Traces and counters of requests. */

export type {
  AttemptTrace,
  LookupTrace,
  RequestTrace,
  ResponseTrace,
  TracedRequest,
} from '../rest/observe/observe.ts';
export {
  attemptChannel,
  lookupChannel,
  requestChannel,
  responseChannel,
} from '../rest/observe/observe.ts';
export type { ProtobufStats, RESTClientStats } from '../rest/observe/stats.ts';
