/** REST client: composes the layers through which each request passes. */
import type { APIRequest, APIResponse, RESTRequest, Transport } from '../api/transport.ts';
import { credentialsOf } from '../auth/credentials.ts';
import type { IssuerFetch } from '../auth/environment.ts';
import { jsonOf } from '../codec/integers/write-json.ts';
import { onDemand } from '../common/on-demand.ts';
import type { ClusterConfig } from '../config/types.ts';
import { closedSignals } from './abort/abort-on-close.ts';
import { noteStage, unanswered, unfinished, withinLimits } from './abort/deadline.ts';
import type { BodyOptions, CallOptions } from './calls.ts';
import type { RESTClientOptions } from './client-options.ts';
import { authenticated } from './layers/authenticated.ts';
import { limitingBodies, type WriteDefaults, withWriteDefaults } from './layers/defaults.ts';
import { limited } from './layers/limit.ts';
import { retrying } from './layers/retry.ts';
import { observingWarnings, once, printWarning, type WarningHandler } from './layers/warnings.ts';
import { observing } from './observe/observe.ts';
import { isObserved } from './observe/observe-channels.ts';
import type { RESTClientStats } from './observe/stats.ts';
import type { PathMethods } from './operations.ts';
import type { NegotiatedResponse, Negotiator } from './protobuf/negotiator.ts';
import { type CallMethod, callRequest } from './request/call-request.ts';
import { lowerCased } from './request/headers.ts';
import { defaultUserAgent } from './request/user-agent.ts';
import { isStatus } from './response/is-status.ts';
import { type ClosableTransport, openTransport } from './transport/lazy-transport.ts';

declare const served: unique symbol;

/**
 * Client of one API server. All objects created from one client share its connections.
 *
 * `Paths` are the path types of a server, from `paths.ts` of a generated output: with them, `get`, `post`, …
 * check the path, the parameters and the response. Without them any path is accepted.
 *
 * Every method rejects with `ApiError` for an error response, `TransportError` if the server could not be
 * reached, `TimeoutError` after `timeoutMs`, `DecodeError` for an invalid response, and `signal.reason` on
 * abort.
 */
export interface RESTClient<Paths = unknown> {
  /** Namespace of the configuration, the default of requests that name none. */
  readonly namespace: string;
  /**
   * Sends a request. Returns the decoded JSON of the response, or a string if it is `text/plain` or empty.
   */
  request(request: RESTRequest): Promise<unknown>;
  /**
   * Sends a request and returns the response as a stream of bytes: `rest.stream({ path: '/metrics' })`.
   * `timeoutMs` limits the time until the response begins, but not the time to read its body.
   */
  stream(request: RESTRequest): Promise<APIResponse>;
  /**
   * Sends a GET request. `path` is a template, such as `/api/v1/namespaces/{namespace}/pods`. Returns the
   * decoded JSON of the response, or a string if it is `text/plain`: an empty string without content (204).
   * Successes of the other methods may have an empty body, which is an empty string, too.
   */
  readonly get: PathMethods<Paths>['get'];
  /** Sends a POST request with a body. Returns the decoded response, as `get` does. */
  readonly post: PathMethods<Paths>['post'];
  /** Sends a PUT request, whose body replaces the resource at the path. Returns the decoded response. */
  readonly put: PathMethods<Paths>['put'];
  /** Sends a PATCH request; `contentType` selects the patch format. Returns the decoded response. */
  readonly patch: PathMethods<Paths>['patch'];
  /** Sends a DELETE request. Returns the decoded response, often a `Status`. */
  readonly delete: PathMethods<Paths>['delete'];
  /** Returns counters of this client, for metrics and debugging. */
  stats(): RESTClientStats;
  /**
   * Aborts running requests and those that wait for a connection or a retry with a `TransportError` whose
   * code is `CLIENT_CLOSED`, and closes the connections that no other client uses. Needs no `this`.
   */
  close(): Promise<void>;
  /** Never present at run time: prevents assigning a client of some paths to one of other paths. */
  readonly [served]?: Paths;
}

/** Decodes the response to a request. */
type Decode = (response: NegotiatedResponse, request: APIRequest) => Promise<unknown>;

/** Loaded with the first response that is not protobuf. */
const decoder = onDemand(() => import('./response/decode-body.ts'));

/** Loaded with the first request that is observed. */
const observer = onDemand(() => import('./observe/observe-call.ts'));

/** Loaded with the first response that is not a success. */
const apiErrors = onDemand(() => import('./response/api-error.ts'));

/** Loaded with the first success that needs no object. */
const acknowledgements = onDemand(() => import('./layers/acknowledged.ts'));

/** Loaded with the first stream that has a time-out. */
const streamStart = onDemand(() => import('./abort/stream-start.ts'));

/** Decodes JSON. */
const decodeJson: Decode = async (response, { operation, readItem, decoded }) => {
  const { decodeBody } = decoder.loaded ?? (await decoder());
  return decodeBody(response, operation, readItem, decoded);
};

/** Decodes JSON, or uses the decoder of the response. */
const decodeObject: Decode = (response, request) => response.decode?.() ?? decodeJson(response, request);

/** Decodes JSON or plain text. */
const decodeAny: Decode = async (response, request) => {
  const { decodeAny } = decoder.loaded ?? (await decoder());
  return decodeAny(response, request);
};

const lazyIssuerFetch: IssuerFetch = async (url, request) =>
  (await import('./transport/issuer-fetch.ts')).issuerFetch(url, request);

interface Defaults {
  readonly headers: Readonly<Record<string, string>>;
  readonly impersonate: ClusterConfig['impersonate'];
}

class Client implements RESTClient {
  readonly namespace: string;
  readonly #send: Transport;
  readonly #warn: WarningHandler;
  readonly #encoding: RESTClientOptions['encoding'];
  readonly #writeDefaults: WriteDefaults;
  /** Loaded with the first request whose response may be protobuf. */
  #negotiator: Negotiator | undefined;
  readonly #transport: ClosableTransport;
  readonly #config: ClusterConfig;
  readonly #defaults: Defaults;
  readonly #closed: AbortController = new AbortController();

  constructor(config: ClusterConfig, options: RESTClientOptions = {}) {
    const { encoding = 'protobuf', fieldManager, fieldValidation, transport } = options;
    if (!/^(protobuf|json)$/.test(encoding)) {
      throw new TypeError(`encoding must be 'protobuf' or 'json', got ${encoding}`);
    }
    this.#encoding = encoding;
    this.#writeDefaults = [
      ['fieldManager', fieldManager],
      ['fieldValidation', fieldValidation],
    ];
    this.namespace = config.namespace || 'default';
    this.#transport = transport === undefined ? openTransport(config) : external(transport);
    const { signal } = this.#closed;
    closedSignals.set(this, signal);
    const { rateLimit, maxResponseBytes } = options;
    const credentials = credentialsOf(config, { fetch: lazyIssuerFetch });
    const { beforeSend } = options;
    const open = beforeSend === undefined ? this.#transport.send : checked(this.#transport.send, beforeSend);
    const known = limitingBodies(authenticated(observing(open), credentials, signal), maxResponseBytes);
    const send = retrying(
      rateLimit === undefined ? known : limited(known, rateLimit, signal),
      undefined,
      signal,
    );
    const { onWarning } = options;
    this.#warn = onWarning === undefined ? printWarning : once(onWarning);
    this.#send = acknowledging(observingWarnings(send, this.#warn));
    this.#config = config;
    this.#defaults = {
      headers: { 'user-agent': options.userAgent ?? defaultUserAgent() },
      impersonate: config.impersonate,
    };
    this.close = this.close.bind(this);
  }

  async request(request: RESTRequest): Promise<unknown> {
    return this.#respond(this.#prepared(request, request.method === 'DELETE'), decodeObject);
  }

  async stream(request: RESTRequest): Promise<APIResponse> {
    const prepared = { ...this.#prepared(request), stream: true };
    return isObserved() ? this.#observed(prepared, (seen) => this.#open(seen)) : this.#open(prepared);
  }

  get(path: string, options?: CallOptions): Promise<unknown> {
    return this.#call('GET', path, options);
  }

  post(path: string, options?: BodyOptions): Promise<unknown> {
    return this.#call('POST', path, options);
  }

  put(path: string, options?: BodyOptions): Promise<unknown> {
    return this.#call('PUT', path, options);
  }

  patch(path: string, options?: BodyOptions): Promise<unknown> {
    return this.#call('PATCH', path, options);
  }

  delete(path: string, options?: BodyOptions): Promise<unknown> {
    return this.#call('DELETE', path, options);
  }

  stats(): RESTClientStats {
    return { protobuf: this.#negotiator?.stats };
  }

  close(): Promise<void> {
    this.#closed.abort();
    return this.#transport.close();
  }

  async #call(method: CallMethod, path: string, options?: BodyOptions): Promise<unknown> {
    return this.#respond(this.#prepared(callRequest(method, path, options)), decodeAny);
  }

  #respond(request: APIRequest, decode: Decode): Promise<unknown> {
    return isObserved()
      ? this.#observed(request, (seen) => this.#perform(seen, decode))
      : this.#perform(request, decode);
  }

  async #observed<T>(request: APIRequest, work: (request: APIRequest) => Promise<T>): Promise<T> {
    const { observeCall } = observer.loaded ?? (await observer());
    return observeCall(request, this.#config, work);
  }

  #perform(request: APIRequest, decode: Decode): Promise<unknown> {
    return withinLimits(request, request.operation, async (signal) => {
      const response = await this.#negotiate(request, signal);
      const value = await decode(response, request);
      if (isStatus(value)) (await apiErrors()).throwFailure(value, request.operation);
      return value;
    });
  }

  /** The signal stays with the body, so the transport receives a signal that ends with the call. */
  async #open(request: APIRequest): Promise<APIResponse> {
    const { timeoutMs, operation } = request;
    if (timeoutMs === undefined) return this.#begin(request, request.signal);
    const { beginningWithin } = await streamStart();
    return beginningWithin({ timeoutMs, signal: request.signal }, operation, (signal) =>
      this.#begin(request, signal),
    );
  }

  #begin(request: APIRequest, signal: AbortSignal | undefined): Promise<APIResponse> {
    return withinLimits({ signal }, request.operation, () => this.#negotiate(request, signal));
  }

  /** Returns a response of success. */
  async #negotiate(request: APIRequest, signal: AbortSignal | undefined): Promise<NegotiatedResponse> {
    noteStage(signal, unanswered);
    const response = await this.#exchange(signal === request.signal ? request : { ...request, signal });
    noteStage(signal, unfinished);
    if (response.status < 300) return response;
    throw await (await apiErrors()).errorOf(response, request, this.#config);
  }

  async #exchange(request: APIRequest): Promise<NegotiatedResponse> {
    if (!request.protobuf || this.#encoding === 'json') return this.#send(request);
    this.#negotiator ??= (await import('./protobuf/negotiator.ts')).negotiatorOf(this.#send, this.#warn);
    request.signal?.throwIfAborted();
    return this.#negotiator.send(request);
  }

  /** Encodes the body now: later changes of the object are not sent. */
  #prepared(given: RESTRequest, isDeletion = false): APIRequest {
    const { method = 'GET', path, query = [], acknowledged = isDeletion } = given;
    const { operation = { verb: method.toLowerCase(), resource: path } } = given;
    const headers = { ...this.#defaults.headers, ...lowerCased(given.headers) };
    // A header of the caller takes precedence: two of them would name two users.
    const impersonate =
      headers['impersonate-user'] === undefined
        ? (given.impersonate ?? this.#defaults.impersonate)
        : undefined;
    const own = {
      ...given,
      method,
      query,
      headers,
      operation,
      acknowledged,
      impersonate,
      source: undefined,
    };
    const request = withWriteDefaults(own, this.#writeDefaults);
    const { object } = request;
    if (!object) return request;
    return this.#negotiator?.prepare(request) ?? { ...request, body: jsonOf(object) };
  }
}

function checked(send: Transport, check: NonNullable<RESTClientOptions['beforeSend']>): Transport {
  return async (request) => {
    const beforeWrite = check(request);
    return send(beforeWrite === undefined ? request : { ...request, beforeWrite });
  };
}

/** Replaces successes without an object, if the caller needs none. */
function acknowledging(send: Transport): Transport {
  return (request) => (request.acknowledged === true ? sendAcknowledged(send, request) : send(request));
}

async function sendAcknowledged(send: Transport, request: APIRequest): Promise<APIResponse> {
  const response = await send(request);
  if (response.status >= 300) return response;
  const { acknowledged } = acknowledgements.loaded ?? (await acknowledgements());
  return acknowledged(response);
}

/** Wraps the caller's transport, which the caller closes. */
function external(send: Transport): ClosableTransport {
  return { send: (request) => send(request), close: () => Promise.resolve() };
}

/**
 * Creates a client. It reads no file and opens no connection before the first request.
 * @throws {ConfigError} if the configuration is invalid: no URL, both a token and a user name, …
 * @example
 * ```ts
 * import { loadConfig, RESTClient } from '@kgen/runtime';
 *
 * const rest = new RESTClient(await loadConfig(), { userAgent: 'my-app/1.0' });
 * console.log(await rest.get('/api/v1/namespaces/{namespace}', { path: { namespace: 'shop' } }));
 * await rest.close();
 * ```
 */
export const RESTClient: new <Paths = unknown>(
  config: ClusterConfig,
  options?: RESTClientOptions,
  // The only cast: path types exist only at compile time.
) => RESTClient<Paths> = Client as new <Paths>(
  config: ClusterConfig,
  options?: RESTClientOptions,
) => RESTClient<Paths>;
