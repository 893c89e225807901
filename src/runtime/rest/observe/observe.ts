/**
 * Observation of a client: `diagnostics_channel` for tracing and metrics, `NODE_DEBUG=kgen` for logs. Has no
 * cost without observers; its code is loaded with the first one.
 * @see https://nodejs.org/api/diagnostics_channel.html#tracingchannel-channels
 */

import type { RequestOperation } from '../../api/operation.ts';
import type { APIRequest, APIResponse, HTTPMethod } from '../../api/transport.ts';
import type { Credential } from '../../auth/types.ts';
import type { Send } from '../transport/lazy-transport.ts';

/**
 * Name of the tracing channel of calls: `tracingChannel(requestChannel)` of `node:diagnostics_channel` has
 * `start`, `end`, `asyncStart`, `asyncEnd` and `error`, all of which receive the same `RequestTrace` of a
 * call. The whole call runs in the context of `start`, so `start.bindStore` sets the value of an
 * `AsyncLocalStorage` for the call.
 */
export const requestChannel = 'kgen:request';

/** Name of the channel on which an `AttemptTrace` is published after each attempt. */
export const attemptChannel = 'kgen:attempt';

/** Name of the channel on which a `ResponseTrace` is published after each call whose response was read. */
export const responseChannel = 'kgen:response';

/** Name of the channel on which a `LookupTrace` is published after each resolution of a host name. */
export const lookupChannel = 'kgen:lookup';

/** Resolution of a host name for a connection. Connections to IP addresses have none. */
export interface LookupTrace {
  /** Host name that is resolved: that of the server, or of its proxy. */
  readonly host: string;
  readonly durationMs: number;
  /** Error of a failed resolution; absent after a success. */
  readonly error?: unknown;
}

/**
 * Members of the messages about requests. They contain no headers, bodies or queries, and so no
 * credentials.
 */
export interface TracedRequest {
  /** Operation of the request, with verb, resource, namespace and name. */
  readonly operation: RequestOperation;
  readonly method: HTTPMethod;
  /** Path below the base URL of the server, without the query. */
  readonly path: string;
  /**
   * Scheme, host and port of the server; absent for a client with a transport of the caller and without a
   * server.
   */
  readonly server: string | undefined;
  /** Whether the response is a stream, such as a watch: its call ends when the stream begins. */
  readonly stream: boolean;
}

/**
 * Message on the channels of `requestChannel`: one call from its start to its end, with retries, delays and
 * the reading of the response.
 */
export interface RequestTrace extends TracedRequest {
  /** Number of attempts so far. */
  readonly attempts: number;
  /** HTTP status of the last response; absent before the first one. */
  readonly status: number | undefined;
  /** Duration of the call in milliseconds; absent before its end. */
  readonly durationMs: number | undefined;
  /**
   * Bytes of the last response's body that were read, after decompression; absent before the end, for
   * streams, and without a response.
   */
  readonly responseBytes: number | undefined;
  /** Error with which the call fails; absent for a successful call, and before its end. */
  readonly error?: unknown;
  /**
   * Sets a header of each further attempt: `traceparent`, `tracestate`, `baggage` and the like. Headers with
   * credentials, headers that describe the body, and headers of the caller cannot be set.
   * @returns whether the header will be sent
   */
  setHeader(name: string, value: string): boolean;
}

/** One attempt of a request. */
export interface AttemptTrace extends TracedRequest {
  /** Number of the attempt within its call, from 1. */
  readonly attempt: number;
  /** Status or error code of the previous attempt; absent for the first one. */
  readonly after: string | undefined;
  /** HTTP status of the response; absent if there was none. */
  readonly status: number | undefined;
  /** Error of an attempt that received no response; otherwise absent. */
  readonly error?: unknown;
  /** Milliseconds until the response began or the attempt failed. */
  readonly durationMs: number;
  /** Milliseconds for which `rateLimit` delayed the attempt; absent for requests without a limit. */
  readonly limitedMs?: number | undefined;
  /** Size of the request body in bytes; 0 without a body. */
  readonly requestBytes: number;
}

/** Body of the last response of a call, which is not a stream. */
export interface ResponseTrace extends TracedRequest {
  /** Bytes of the body that were read, after decompression. */
  readonly responseBytes: number;
}

/** Key of the observation that an observed request carries from the call to the transport. */
export const observation: unique symbol = Symbol('kgen.observation');

/** Observer of the attempts of a call. */
export interface Observation {
  /** Records the delay of the next attempt by the rate limit. */
  limited(ms: number): void;
  attempt(send: Send, request: APIRequest, credential: Credential | undefined): Promise<APIResponse>;
}

/** A request with its observation. */
export interface ObservedRequest extends APIRequest {
  readonly [observation]?: Observation;
}

/** Returns a sender that reports requests to observers. */
export function observing(send: Send): Send {
  return (request: ObservedRequest, credential) => {
    const observed = request[observation];
    return observed === undefined ? send(request, credential) : observed.attempt(send, request, credential);
  };
}
