/** Types of requests: those of `RESTClient`, by path, and of transports. */

export type { RequestOperation } from '../api/operation.ts';
export { describeOperation } from '../api/operation.ts';
export type {
  APIRequest,
  APIResponse,
  ConnectionUpgrade,
  DecodeObserver,
  HTTPMethod,
  RESTRequest,
  ReadFrame,
  Transport,
} from '../api/transport.ts';
export { preload } from '../common/on-demand.ts';
export type { AnyPathMethods, BodyOptions, CallOptions } from '../rest/calls.ts';
export type {
  PathArguments,
  PathCallOptions,
  PathMethod,
  PathMethods,
  PathOf,
  PathResponse,
  TypedPathMethods,
} from '../rest/operations.ts';
export type { QueryValue } from '../rest/request/query.ts';
export type { RESTInterceptor, RequestChanges } from '../rest/wrap-client.ts';
export { wrapRESTClient } from '../rest/wrap-client.ts';
