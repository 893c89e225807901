/** Handling of one request, whether it arrives through a socket or within the process. */

import { type Admission, admitUser, type UserlessRequest } from '../access/guard.ts';
import type { Headers } from '../access/impersonation.ts';
import type { ServerState } from '../call/context.ts';
import { Failure, type Problem } from '../errors/status.ts';
import { anonymous, type ClientCertificate } from '../identity/user.ts';
import { failureType, isPretty } from '../request/accept.ts';
import { attributesOf } from '../request/attributes.ts';
import { type Encoding, encodingOf, jsonEncoding, prettyEncoding } from '../request/encoding.ts';
import type { ApiRequest, ApiResponse } from '../request/request.ts';
import { closeCodes, type MessageSocket } from '../request/socket.ts';
import { dispatch } from '../routing/dispatch.ts';
import { type ArmedFaults, type FaultOptions, failureOf, internalFailure } from './faults.ts';
import type { LoggedRequest, WritableLog } from './request-log.ts';
import {
  type CompleteResponse,
  contentHeaders,
  failureResponse,
  type ResponseHeaders,
  responseOf,
  warningHeaders,
} from './respond.ts';
import type { Watches, WatchSink } from './watches.ts';

/** Parts of a server that handle requests. */
export interface ServerParts {
  readonly state: ServerState;
  readonly watches: Watches;
  readonly faults: ArmedFaults;
  readonly log: WritableLog;
}

/** The body of a request: bytes for protobuf, otherwise a string. */
export type Body = Pick<ApiRequest, 'body' | 'bytes'>;

/** A request, and the connection for its response. */
export interface Exchange {
  readonly request: UserlessRequest;
  /** Escaped path. */
  readonly path: string;
  /** The headers that identify a user. */
  readonly headers: Headers;
  /** Certificate of the client; `undefined` if it sent none. */
  readonly certificate: ClientCertificate | undefined;
  /** Reads the body. Returns 413 for one that is too large. */
  body(): Body | Promise<Body | Failure>;
  /** Whether a response has begun. */
  readonly isBegun: boolean;
  /** Whether the client requests a WebSocket. */
  readonly isSocket?: boolean;
  send(response: CompleteResponse): void;
  /** Begins the response to a watch or of a stream. */
  stream(headers: ResponseHeaders, code?: number): WatchSink;
  /**
   * Accepts a WebSocket.
   * @throws {Failure} if the request or the connection does not support it
   */
  upgrade(reply: Upgrade): Promise<void>;
  /** Closes the connection without a response, or within one. */
  destroy(): void;
}

/** The acceptance of a WebSocket. */
export type Upgrade = Extract<ApiResponse, { readonly kind: 'upgrade' }>;

/** Handles a request. Never rejects. */
export async function serve(parts: ServerParts, exchange: Exchange): Promise<void> {
  let logged: Mutable<LoggedRequest> | undefined;
  let flow: Admission['flow'] = {};
  const finish = (response: CompleteResponse): void => {
    if (logged !== undefined) logged.status = response.code;
    exchange.send({ ...response, headers: { ...response.headers, ...flow } });
  };
  try {
    const { request, headers, certificate } = exchange;
    const admission = admitUser(parts.state, request, headers, certificate);
    flow = admission.flow;
    logged = logRequest(parts, exchange, admission);
    const fault = admission.refusal === undefined ? parts.faults.take(logged) : undefined;
    const reply = await responseTo(parts, exchange, admission, fault);
    if (reply === undefined || fault?.cut === 'after') exchange.destroy();
    else if (reply.kind === 'watch') startWatch(parts, exchange, { ...reply, flow }, logged);
    else if (reply.kind === 'stream') await startStream(exchange, reply, logged);
    else if (reply.kind === 'upgrade') await startUpgrade(exchange, reply, logged);
    else finish(await responseOf(reply, jsonOf(exchange)));
  } catch (error) {
    const { problem } = error instanceof Failure ? error : internalFailure(error);
    if (exchange.isBegun) exchange.destroy();
    else await fail(exchange, problem, finish);
  } finally {
    if (logged !== undefined) {
      parts.log.observer?.end(logged);
      parts.state.metrics.count(exchange.request, logged);
    }
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns the result of a request, or `undefined` if its connection is cut. */
async function responseTo(
  { state }: ServerParts,
  exchange: Exchange,
  { user, refusal }: Admission,
  fault: FaultOptions | undefined,
): Promise<ApiResponse | undefined> {
  // The body is read in any case, because the connection can be reused only then.
  const body = await exchange.body();
  if (fault?.delayMs !== undefined) await delay(state, fault.delayMs);
  if (fault?.cut === 'before') return undefined;
  const failure = refusal ?? (fault === undefined ? undefined : failureOf(fault));
  if (failure !== undefined) throw failure;
  if (body instanceof Failure) throw body;
  return dispatch(state, { ...exchange.request, ...body, user: user ?? anonymous });
}

function delay({ environment }: ServerState, ms: number): Promise<void> {
  return new Promise((resolve) => {
    environment.timer(ms, resolve);
  });
}

function startWatch(
  parts: ServerParts,
  exchange: Exchange,
  { plan, warnings, flow }: Extract<ApiResponse, { readonly kind: 'watch' }> & Pick<Admission, 'flow'>,
  logged: Mutable<LoggedRequest>,
): void {
  logged.status = 200;
  const type = (plan.encoding ?? jsonEncoding).watchContentType;
  const sink = exchange.stream({ ...warningHeaders(warnings), ...contentHeaders(type), ...flow });
  parts.watches.start(sink, plan, logged);
}

async function startUpgrade(
  exchange: Exchange,
  { protocols, connected }: Upgrade,
  logged: Mutable<LoggedRequest>,
): Promise<void> {
  await exchange.upgrade({
    kind: 'upgrade',
    protocols,
    connected: (socket, protocol) => {
      logged.status = 101;
      connected(socket, protocol);
    },
  });
}

/** Writes chunks as they come, as fast as the client reads them. */
async function startStream(
  exchange: Exchange,
  reply: Extract<ApiResponse, { readonly kind: 'stream' }>,
  logged: Mutable<LoggedRequest>,
): Promise<void> {
  const { code = 200, contentType, headers, chunks, cancel, protocols } = reply;
  if (protocols !== undefined && exchange.isSocket === true) {
    const connected = (socket: MessageSocket): void => void sendChunks(socket, chunks, cancel);
    await startUpgrade(exchange, { kind: 'upgrade', protocols, connected }, logged);
    return;
  }
  logged.status = code;
  const sink = exchange.stream({ ...contentHeaders(contentType), ...headers }, code);
  sink.onClose(cancel);
  for await (const chunk of chunks) {
    sink.write(chunk);
    await sink.drained();
  }
  sink.end();
}

/** Sends chunks as messages, as fast as the client reads them. Never rejects. */
async function sendChunks(
  socket: MessageSocket,
  chunks: AsyncIterable<Uint8Array>,
  cancel: () => void,
): Promise<void> {
  socket.onClose(cancel);
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve) => {
        socket.send(chunk, () => resolve());
      });
    }
    socket.close(closeCodes.normal);
  } catch {
    socket.close(closeCodes.internalError);
  }
}

function jsonOf({ request }: Exchange): Encoding {
  return isPretty(request) ? prettyEncoding : jsonEncoding;
}

/** Never rejects: a fault may have a status or a header that cannot be sent. */
async function fail(
  exchange: Exchange,
  problem: Problem,
  finish: (response: CompleteResponse) => void,
): Promise<void> {
  try {
    const type = failureType(exchange.request.accept);
    const encoding = type === 'application/json' ? jsonOf(exchange) : await encodingOf(type);
    finish(await failureResponse(problem, [], encoding));
  } catch {
    exchange.destroy();
  }
}

function logRequest(
  { state, log }: ServerParts,
  { request, path }: Exchange,
  { user, refusal }: Admission,
): Mutable<LoggedRequest> {
  const { verb, group, resource, subresource, namespace, name } = attributesOf({
    ...request,
    user: user ?? anonymous,
  });
  const logged = {
    method: request.method,
    path,
    query: request.query.size === 0 ? {} : Object.fromEntries(request.query),
    userAgent: request.userAgent,
    user: user?.name ?? '',
    ...(refusal?.problem.code === 403 ? { forbidden: refusal.problem.message } : {}),
    ...{ verb, group, resource, subresource, namespace, name },
    time: state.environment.now(),
    status: undefined,
  };
  log.add(logged);
  return logged;
}
