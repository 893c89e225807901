/**
 * Watching a client at work: `diagnostics_channel` for tracing and metrics, `NODE_DEBUG=kgen` for people. Costs nothing
 * while nobody looks on; what looks on is loaded then.
 * @see https://nodejs.org/api/diagnostics_channel.html#tracingchannel-channels
 */
import type { Credential } from '../auth/types.ts';
import type { Method, Operation, Request, Response } from './types.ts';
import type { Send } from './wire.ts';

/**
 * Name of the tracing channel of calls: `tracingChannel(requestChannel)` of `node:diagnostics_channel` has `start`, `end`,
 * `asyncStart`, `asyncEnd` and `error`, each given one and the same `RequestTrace` of a call. Everything that a call does
 * runs in the context of `start`, so that `start.bindStore` gives an `AsyncLocalStorage` its value for the call.
 */
export const requestChannel = 'kgen:request';

/** Name of the channel on which an `AttemptTrace` is published after each time that a request was sent. */
export const attemptChannel = 'kgen:attempt';

/** What both channels tell. Neither headers nor bodies nor queries: nothing that a credential could be in. */
export interface TracedRequest {
  /** What the request is for: `list`, `pods`, … */
  readonly operation: Operation;
  readonly method: Method;
  /** Path below the server's base URL. */
  readonly path: string;
  /** Scheme, host and port of the server; absent where the client has a transport of somebody else and no server. */
  readonly server: string | undefined;
  /** The answer is followed for as long as it lasts, as that of a watch: its call is over when it begins. */
  readonly stream: boolean;
}

/** A call with all that it takes: retries, waits and reading the answer. */
export interface RequestTrace extends TracedRequest {
  /** How often the request was sent so far. */
  readonly attempts: number;
  /** HTTP status of the last answer. */
  readonly status: number | undefined;
  /** Milliseconds that the call took; absent before it is over. */
  readonly durationMs: number | undefined;
  /** What the call rejected with, on `error` and after it. */
  readonly error?: unknown;
  /**
   * Sends a header with each attempt from now on: `traceparent`, `tracestate`, `baggage` and the like. What says who asks
   * or what is sent cannot be set, nor can a header that the caller gave.
   * @returns whether it will be sent
   */
  setHeader(name: string, value: string): boolean;
}

/** One time that a request was sent. */
export interface AttemptTrace extends TracedRequest {
  /** Counted from 1. */
  readonly attempt: number;
  /** Why this is not the first attempt: the status or the error's code of the one before. */
  readonly after: string | undefined;
  /** HTTP status of the answer; absent where none came. */
  readonly status: number | undefined;
  /** Why no answer came. */
  readonly error?: unknown;
  /** Milliseconds until the answer began, or until it was known that none comes. */
  readonly durationMs: number;
}

/** What a request that is looked at carries, from the call to the wire. */
export const observation: unique symbol = Symbol('kgen.observation');

/** Somebody who is told of each attempt. */
export interface Observation {
  attempt(send: Send, request: Request, credential: Credential | undefined): Promise<Response>;
}

/** A request with its observation. */
export interface ObservedRequest extends Request {
  readonly [observation]?: Observation;
}

/** Sends so that those who look on see it. */
export function observing(send: Send): Send {
  return (request: ObservedRequest, credential) => {
    const observed = request[observation];
    return observed === undefined ? send(request, credential) : observed.attempt(send, request, credential);
  };
}
