/** Publishes calls and their attempts. Loaded with the first observer. */

import type { APIRequest, APIResponse } from '../../api/transport.ts';
import type { Credential } from '../../auth/types.ts';
import { printable } from '../../common/printable.ts';
import { parseServer } from '../../config/kubeconfig/server.ts';
import type { ClusterConfig } from '../../config/types.ts';
import { errorCode } from '../abort/error-codes.ts';
import { isProtobuf } from '../protobuf/requests.ts';
import { encodeQuery, type Query } from '../request/query.ts';
import type { Send } from '../transport/lazy-transport.ts';
import { Incoming } from '../transport/response-body.ts';
import {
  type AttemptTrace,
  type Observation,
  type ObservedRequest,
  observation,
  type RequestTrace,
  type ResponseTrace,
  type TracedRequest,
} from './observe.ts';
import { areCallsObserved, attempts, log, requests, responses } from './observe-channels.ts';

/** Query parameters whose values are hidden. `continue` is a position in a list and not a secret. */
const secret = /token|secret|passw|key|auth|sig|cred|session|jwt|code|^command$/i;

/** Servers by configuration: each call of a client has the same one. */
const servers: WeakMap<ClusterConfig, string | undefined> = new WeakMap();

/** Returns the server without path, user or query, as observers receive it. */
export function serverOf(config: ClusterConfig): string | undefined {
  if (!servers.has(config)) servers.set(config, originOf(config));
  return servers.get(config);
}

function originOf({ server, tls }: ClusterConfig): string | undefined {
  try {
    return parseServer(server, tls).origin;
  } catch {
    // A transport of the caller needs no server.
    return undefined;
  }
}

/** Headers with credentials, the target, or a description of the body. */
const reserved =
  /^(authorization|proxy-.*|impersonate-.*|cookie|host|accept.*|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|user-agent|x-remote-.*|x-forwarded-.*)$/;

/** The trace that subscribers receive: plain data, except for the function that adds headers. */
class Trace implements RequestTrace {
  readonly operation: RequestTrace['operation'];
  readonly method: RequestTrace['method'];
  readonly path: string;
  readonly server: string | undefined;
  readonly stream: boolean;
  attempts = 0;
  status: number | undefined;
  durationMs: number | undefined;
  responseBytes: number | undefined;
  declare error?: unknown;
  readonly #given: Readonly<Record<string, string>>;
  readonly #headers: Map<string, string> = new Map();

  constructor(request: APIRequest, server: string | undefined) {
    const traced = tracedOf(request, server);
    this.operation = traced.operation;
    this.method = traced.method;
    this.path = traced.path;
    this.server = traced.server;
    this.stream = traced.stream;
    this.#given = request.headers;
  }

  setHeader(name: string, value: string): boolean {
    const lower = String(name).toLowerCase();
    if (!maySend(lower, String(value)) || Object.hasOwn(this.#given, lower)) return false;
    this.#headers.set(lower, String(value));
    return true;
  }

  /** Returns the request with the headers that were set. */
  completed(request: APIRequest): APIRequest {
    if (this.#headers.size === 0) return request;
    return { ...request, headers: { ...request.headers, ...Object.fromEntries(this.#headers) } };
  }
}

function tracedOf(
  { operation, method, path, stream }: APIRequest,
  server: string | undefined,
): TracedRequest {
  return { operation, method, path, server, stream: stream === true };
}

function maySend(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value) && !reserved.test(name);
}

/** Publishes the attempts of one call. */
class Watcher implements Observation {
  readonly #server: string | undefined;
  readonly #call: Trace | undefined;
  #attempts = 0;
  #last: AttemptTrace | undefined;
  #limitedMs: number | undefined;
  #body: Pick<CountedBody, 'bytes'> | undefined;

  /** @param call the trace of the call, if calls are observed */
  constructor(server: string | undefined, call: Trace | undefined) {
    this.#server = server;
    this.#call = call;
  }

  /** Bytes that were read from the body of the last response. */
  get responseBytes(): number | undefined {
    return this.#body?.bytes;
  }

  limited(ms: number): void {
    this.#limitedMs = ms;
  }

  async attempt(send: Send, request: APIRequest, credential: Credential | undefined): Promise<APIResponse> {
    this.#begin();
    const started = performance.now();
    try {
      const response = await send(this.#call?.completed(request) ?? request, credential);
      this.#trace({ ...this.#attemptOf(request, started), status: response.status }, request, response);
      return request.stream ? response : this.#counted(response);
    } catch (error) {
      this.#trace({ ...this.#attemptOf(request, started), error }, request);
      throw error;
    }
  }

  #begin(): void {
    this.#attempts += 1;
    this.#body = undefined;
    if (this.#call !== undefined) this.#call.attempts = this.#attempts;
  }

  #counted(response: APIResponse): APIResponse {
    if (response.body instanceof Incoming) {
      this.#body = response.body;
      return response;
    }
    const body = new CountedBody(response.body);
    this.#body = body;
    const { status, headers } = response;
    return { ...response, status, headers, body, cancel: () => response.cancel() };
  }

  #attemptOf(request: APIRequest, started: number): AttemptTrace {
    const { operation, method, path, stream, body } = request;
    return {
      operation,
      method,
      path,
      server: this.#server,
      stream: stream === true,
      attempt: this.#attempts,
      after: this.#last && resultOf(this.#last),
      status: undefined,
      durationMs: performance.now() - started,
      limitedMs: this.#limitedMs,
      requestBytes: body === undefined ? 0 : Buffer.byteLength(body),
    };
  }

  #trace(trace: AttemptTrace, { query }: APIRequest, response?: APIResponse): void {
    this.#limitedMs = undefined;
    this.#last = trace;
    if (this.#call !== undefined) this.#call.status = trace.status;
    if (attempts.hasSubscribers) attempts.publish(trace);
    if (log.enabled) log('%s', attemptLine(trace, query, response));
  }
}

/** A body whose bytes are counted as they are read. */
class CountedBody implements AsyncIterable<Uint8Array> {
  bytes = 0;
  readonly #body: AsyncIterable<Uint8Array>;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const chunks = this.#body[Symbol.asyncIterator]();
    return {
      next: async () => {
        const result = await chunks.next();
        if (result.done !== true) this.bytes += result.value.length;
        return result;
      },
      return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
    };
  }
}

/**
 * Runs a call and publishes it, in the order of `TracingChannel.tracePromise`. The result is not published.
 */
export function observeCall<T>(
  request: APIRequest,
  config: ClusterConfig,
  work: (request: APIRequest) => Promise<T>,
): Promise<T> {
  const server = serverOf(config);
  const trace = areCallsObserved() ? new Trace(request, server) : undefined;
  const watcher = new Watcher(server, trace);
  const observed: ObservedRequest = { ...request, [observation]: watcher };
  const run = (): Promise<T> =>
    responses.hasSubscribers ? measured({ request, server }, watcher, work(observed)) : work(observed);
  if (trace === undefined) return run();
  return requests.start.runStores(trace, () => {
    const running = settled(trace, watcher, run());
    requests.end.publish(trace);
    return running;
  });
}

async function measured<T>(
  { request, server }: { readonly request: APIRequest; readonly server: string | undefined },
  watcher: Watcher,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } finally {
    const { responseBytes } = watcher;
    if (responseBytes !== undefined) {
      responses.publish({ ...tracedOf(request, server), responseBytes } satisfies ResponseTrace);
    }
  }
}

async function settled<T>(trace: Trace, watcher: Watcher, work: Promise<T>): Promise<T> {
  const started = performance.now();
  const end = (): void => {
    trace.durationMs = performance.now() - started;
    trace.responseBytes = watcher.responseBytes;
  };
  try {
    const result = await work;
    end();
    return result;
  } catch (error) {
    end();
    trace.error = error;
    requests.error.publish(trace);
    throw error;
  } finally {
    requests.asyncStart.publish(trace);
    requests.asyncEnd.publish(trace);
  }
}

/** Returns the status of an attempt, or its error code. */
function resultOf({ status, error }: Pick<AttemptTrace, 'status' | 'error'>): string {
  if (status !== undefined) return String(status);
  return errorCode(error) ?? (error instanceof Error ? error.name : 'an error');
}

/**
 * Returns a log line:
 * `GET https://10.0.0.1:6443/api/v1/pods?limit=500 200 in 12 ms (list pods), protobuf, attempt 2 after 429`.
 */
export function attemptLine(
  trace: AttemptTrace,
  query: Query,
  response?: Pick<APIResponse, 'headers'>,
): string {
  const { method, path, server = '', operation, attempt, after } = trace;
  const { verb, resource } = operation;
  const again = attempt === 1 ? '' : `, attempt ${attempt} after ${after}`;
  const encoding = response !== undefined && isProtobuf(response) ? ', protobuf' : '';
  const line = `${method} ${server}${path}${shownQuery(query)} ${resultOf(trace)} in ${Math.round(trace.durationMs)} ms`;
  return printable(`${line} (${verb} ${resource})${encoding}${again}`);
}

/** Returns the query of a request for logs. */
function shownQuery(query: Query): string {
  const shown = query.map(([name, value]): [string, string] => [name, secret.test(name) ? 'hidden' : value]);
  return shown.length === 0 ? '' : `?${encodeQuery(shown)}`;
}
