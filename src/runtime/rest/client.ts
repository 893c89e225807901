import { credentialsOf } from '../auth/credentials.ts';
import type { IssuerFetch } from '../auth/environment.ts';
import type { ClusterConfig } from '../config/types.ts';
import { jsonOf } from '../integers/write-json.ts';
import type { Status } from '../meta.ts';
import type { RequestOptions } from '../options.ts';
import { authenticated } from './authenticated.ts';
import type { BodyOptions, CallOptions } from './calls.ts';
import { closedSignals } from './closing.ts';
import { noteStage, unanswered, unfinished, withinLimits } from './deadline.ts';
import { limitingBodies, validated } from './defaults.ts';
import { lowerCased } from './headers.ts';
import { limited, type RateLimit } from './limit.ts';
import type { NegotiatedResponse, Negotiator } from './negotiator.ts';
import { observing } from './observe.ts';
import { isObserved } from './observe-channels.ts';
import type { Calls } from './operations.ts';
import { expandPath, isProxied } from './path.ts';
import { queryOf } from './query.ts';
import { retrying } from './retry.ts';
import type { RESTClientStats } from './stats.ts';
import type { Request, Response, Transport } from './types.ts';
import { defaultUserAgent } from './user-agent.ts';
import { observingWarnings, once, printWarning, type WarningHandler } from './warnings.ts';
import { openWire, type Wire } from './wire.ts';

/** Options of a `RESTClient`. */
export interface RESTClientOptions {
  /**
   * Sends the requests instead of connections of this package: for unit tests, and for other ways to a server.
   * Authentication, retries and decoding stay around it; impersonation is in `request.impersonate`.
   */
  transport?: Transport | undefined;
  /**
   * Called with the server's warnings, with each text once: every response of a deprecated version has it. Warnings
   * about unknown and duplicate fields, whose values the server drops, come once for each verb and resource. Default: they
   * are printed once per process, by `process.emitWarning`, those about fields with the request:
   * `update deployments shop/web: unknown field "spec.replica"`.
   */
  onWarning?: WarningHandler | undefined;
  /** The `User-Agent` header. Default: the program's name. */
  userAgent?: string | undefined;
  /**
   * HTTP/2 where the server has it, with pings that find a connection that is dead. Default false: HTTP/1.1 with
   * keep-alive, which is faster here.
   */
  http2?: boolean | undefined;
  /**
   * Holds requests back so that there are no more than `qps` in a second, and `burst` at once after a pause. All that is
   * made from one client shares its turns; each retry takes one, watches take none. The signal ends the wait for a turn,
   * and where `timeoutMs` would be over before it comes, the call rejects with `TimeoutError` at once. Default: none, as
   * servers share out their time fairly themselves.
   * @throws {RangeError} `qps` is not above 0, or `burst` is no whole number from 1
   */
  rateLimit?: RateLimit | undefined;
  /**
   * How objects travel. `'protobuf'`: as protobuf where the program has codecs for them, as it has for the API's own kinds,
   * and the server speaks it; as JSON elsewhere. That is decided by what the server answers, and nothing of protobuf is
   * loaded before it answers so. `'json'`: always as JSON. Default `'protobuf'`.
   *
   * Objects are the same either way. In protobuf a server drops fields that it does not know without a warning, so what
   * is sent with `fieldValidation: 'Strict'` or `'Warn'` is sent as JSON. A kind of which the server has fields that the
   * program does not know is fetched as JSON from then on, so that nothing is lost; `onWarning` is told once, and `stats()`
   * tells which. Only where the first such field is in the answer to a write, and the object cannot be fetched after it,
   * what is given lacks the field.
   * @throws {TypeError} another value
   */
  encoding?: 'protobuf' | 'json' | undefined;
  /**
   * For programs that talk to servers they do not trust: bytes that a response may have, after decompression; then the
   * call rejects with `DecodeError` and its connection is closed. See `RequestOptions`, by which a call can have another
   * limit. Default: none, as in clients that are written in Go.
   * @throws {RangeError} below 1; the calls reject with it
   */
  maxResponseBytes?: number | undefined;
  /**
   * How servers treat unknown and duplicate fields in the body of POST, PUT and PATCH requests, other than those to proxies:
   * `'Strict'` refuses the request, `'Warn'` drops the fields with a warning, `'Ignore'` drops them silently. A call can set
   * another value. Default: the server's own, which is `'Warn'` for JSON; of protobuf, servers drop them silently.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

declare const served: unique symbol;

/**
 * Requests to one API server. Everything made from one client shares its connections.
 *
 * `Paths` are the types of a server's paths, as `paths.ts` of a generated output has them: then `get`, `post`, … know
 * which paths there are and what goes into each and comes back. Without it any path may be asked for.
 *
 * Every method rejects with `ApiError` when the server says no, `TransportError` when it could not be asked,
 * `TimeoutError` after `timeoutMs`, `DecodeError` when its answer makes no sense, and `signal.reason` on abort.
 */
export interface RESTClient<Paths = unknown> {
  /** Namespace of the configuration: what is meant when none is named. */
  readonly namespace: string;
  /** Sends a request as it is and gives the decoded JSON of the answer. */
  request(request: Request): Promise<unknown>;
  /** Sends a request as it is and gives the answer as its bytes arrive. `timeoutMs` is the time that it has to begin. */
  stream(request: Request): Promise<Response>;
  /**
   * `path` is a template, such as `/api/v1/namespaces/{namespace}/pods`. Gives the decoded JSON of the answer, or its text
   * where it is `text/plain`: an empty one where there is no content (204).
   */
  get: Calls<Paths>['get'];
  /** Sends a body to be stored or acted on. */
  post: Calls<Paths>['post'];
  /** Sends a body that replaces what is at the path. */
  put: Calls<Paths>['put'];
  /** Sends a body that changes what is at the path; `contentType` says how it is read. */
  patch: Calls<Paths>['patch'];
  /** Deletes what is at the path. */
  delete: Calls<Paths>['delete'];
  /** What this client has done so far, for metrics and for questions. */
  stats(): RESTClientStats;
  /**
   * Ends what is still running, also what waits to be sent (again), with a `TransportError` whose code is `CLIENT_CLOSED`,
   * and closes the connections that no other client uses.
   */
  close(): Promise<void>;
  /** Never there at run time: keeps a client of some paths from being taken for one of others. */
  readonly [served]?: Paths;
}

/** The methods that have a function of their own. */
type CallMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const bodyTypes: Readonly<Record<CallMethod, string>> = {
  GET: 'application/json',
  POST: 'application/json',
  PUT: 'application/json',
  PATCH: 'application/merge-patch+json',
  DELETE: 'application/json',
};

/** The parts of a request that every method's options have. */
export function commonParts(
  options: RequestOptions,
): Pick<Request, 'signal' | 'timeoutMs' | 'impersonate' | 'maxResponseBytes'> {
  const { signal, timeoutMs, impersonate, maxResponseBytes } = options;
  return {
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(impersonate && { impersonate }),
    maxResponseBytes,
  };
}

function encodeBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  const text = jsonOf(body);
  if (text === undefined) throw new TypeError(`a ${typeof body} cannot be sent as a body`);
  return text;
}

/** A name that is left empty at the end of a path would turn what is meant for one object on all of them. */
function checkEnd(method: CallMethod, path: string): void {
  if (method === 'GET' || !path.endsWith('/') || isProxied(path)) return;
  throw new TypeError(`the path to ${method} ends with an empty name: ${JSON.stringify(path)}`);
}

/** Makes the request of one of the methods `get`, `post`, … */
export function callRequest(method: CallMethod, path: string, options: BodyOptions = {}): Request {
  const { body, contentType = bodyTypes[method] } = options;
  const expanded = expandPath(path, options.path);
  checkEnd(method, expanded);
  return {
    method,
    path: expanded,
    query: queryOf(options.query ?? {}),
    headers: {
      // Anything else where there is no JSON: metrics, or keys, which have a media type of their own.
      accept: 'application/json, */*',
      ...(body !== undefined && { 'content-type': contentType }),
      ...lowerCased(options.headers),
    },
    ...(body !== undefined && { body: encodeBody(body) }),
    operation: { verb: method.toLowerCase(), resource: expanded },
    ...commonParts(options),
  };
}

/** Whether a `Status` came: a success that may turn out to be none. */
export function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

type Decode = (response: NegotiatedResponse, request: Request) => Promise<unknown>;

/** Decodes JSON. Loaded with the first response that is not protobuf. */
const decodeJson: Decode = async (response, { operation, readItem }) =>
  (await import('./decode-body.ts')).decodeBody(response, operation, readItem);

/** JSON, or what the answer says of itself how it is read. */
const decodeObject: Decode = (response, request) => response.decode?.() ?? decodeJson(response, request);

/** Decodes JSON or plain text. */
const decodeAny: Decode = async (response, { operation }) =>
  (await import('./decode-body.ts')).decodeAny(response, operation);

const lazyIssuerFetch: IssuerFetch = async (url, request) =>
  (await import('./issuer-fetch.ts')).issuerFetch(url, request);

/** A transport of somebody else, who closes it too. */
function external(send: Transport): Wire {
  return { send: (request) => send(request), close: () => Promise.resolve() };
}

interface Defaults {
  readonly headers: Readonly<Record<string, string>>;
  readonly impersonate: ClusterConfig['impersonate'];
}

class Client implements RESTClient {
  readonly namespace: string;
  readonly #send: Transport;
  readonly #tell: WarningHandler;
  readonly #encoding: RESTClientOptions['encoding'];
  readonly #fieldValidation: RESTClientOptions['fieldValidation'];
  /** Loaded with the first request whose answer may be protobuf. */
  #negotiator: Negotiator | undefined;
  readonly #wire: Wire;
  readonly #config: ClusterConfig;
  readonly #defaults: Defaults;
  readonly #closed: AbortController = new AbortController();

  constructor(config: ClusterConfig, options: RESTClientOptions = {}) {
    const { encoding = 'protobuf', fieldValidation } = options;
    if (!/^(protobuf|json)$/.test(encoding)) {
      throw new TypeError(`encoding is neither 'protobuf' nor 'json': ${encoding}`);
    }
    this.#encoding = encoding;
    this.#fieldValidation = fieldValidation;
    this.namespace = config.namespace || 'default';
    this.#wire = options.transport === undefined ? openWire(config, options) : external(options.transport);
    const { signal } = this.#closed;
    closedSignals.set(this, signal);
    const { rateLimit, maxResponseBytes } = options;
    const credentials = credentialsOf(config, { fetch: lazyIssuerFetch });
    const known = limitingBodies(
      authenticated(observing(this.#wire.send), credentials, signal),
      maxResponseBytes,
    );
    const send = retrying(
      rateLimit === undefined ? known : limited(known, rateLimit, signal),
      undefined,
      signal,
    );
    const { onWarning } = options;
    this.#tell = onWarning === undefined ? printWarning : once(onWarning);
    this.#send = observingWarnings(send, this.#tell);
    this.#config = config;
    this.#defaults = {
      headers: { 'user-agent': options.userAgent ?? defaultUserAgent() },
      impersonate: config.impersonate,
    };
  }

  async request(request: Request): Promise<unknown> {
    return this.#answer(this.#prepared(request), decodeObject);
  }

  async stream(request: Request): Promise<Response> {
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
    return this.#wire.close();
  }

  async #call(method: CallMethod, path: string, options?: BodyOptions): Promise<unknown> {
    return this.#answer(validated(callRequest(method, path, options), this.#fieldValidation), decodeAny);
  }

  #answer(request: Request, decode: Decode): Promise<unknown> {
    return isObserved()
      ? this.#observed(request, (seen) => this.#perform(seen, decode))
      : this.#perform(request, decode);
  }

  async #observed<T>(request: Request, work: (request: Request) => Promise<T>): Promise<T> {
    const { observeCall } = await import('./observe-call.ts');
    return observeCall(request, this.#config, work);
  }

  #perform(request: Request, decode: Decode): Promise<unknown> {
    return withinLimits(request, request.operation, async (signal) => {
      const response = await this.#ask(request, signal);
      const value = await decode(response, request);
      if (isStatus(value)) (await import('./status.ts')).throwFailure(value, request.operation);
      return value;
    });
  }

  /** The signal stays with the body, so the transport gets one that the call does not outlive. */
  async #open(request: Request): Promise<Response> {
    const { timeoutMs, operation } = request;
    if (timeoutMs === undefined) return this.#begin(request, request.signal);
    const { beginningWithin } = await import('./beginning.ts');
    return beginningWithin({ timeoutMs, signal: request.signal }, operation, (signal) =>
      this.#begin(request, signal),
    );
  }

  #begin(request: Request, signal: AbortSignal | undefined): Promise<Response> {
    return withinLimits({ signal }, request.operation, () => this.#ask(request, signal));
  }

  /** Gives an answer of success. */
  async #ask(request: Request, signal: AbortSignal | undefined): Promise<NegotiatedResponse> {
    const complete = this.#complete(request, signal);
    noteStage(signal, unanswered);
    const response = await this.#exchange(complete);
    noteStage(signal, unfinished);
    if (response.status >= 200 && response.status < 300) return response;
    throw await (await import('./status.ts')).errorOf(response, request, this.#config);
  }

  async #exchange(request: Request): Promise<NegotiatedResponse> {
    if (!request.protobuf || this.#encoding === 'json') return this.#send(request);
    this.#negotiator ??= (await import('./negotiator.ts')).negotiatorOf(this.#send, this.#tell);
    request.signal?.throwIfAborted();
    return this.#negotiator.send(request);
  }

  /** With its body as it is sent: what becomes of the object later is not in it. */
  #prepared(given: Request): Request {
    const request = validated({ ...given, headers: lowerCased(given.headers) }, this.#fieldValidation);
    const { object } = request;
    if (!object) return request;
    return this.#negotiator?.prepare(request) ?? { ...request, body: jsonOf(object) };
  }

  #complete(request: Request, signal: AbortSignal | undefined): Request {
    const impersonate = request.impersonate ?? this.#defaults.impersonate;
    const complete = {
      ...request,
      headers: { ...this.#defaults.headers, ...request.headers },
      ...(signal && { signal }),
      ...(impersonate && { impersonate }),
    };
    if (complete.headers['impersonate-user'] === undefined) return complete;
    // A header of the caller wins: two of them would name two users.
    const { impersonate: _, ...others } = complete;
    return others;
  }
}

/**
 * Makes a client. Nothing is read and nothing is opened before the first request.
 * @throws {ConfigError} the configuration cannot be used: no URL, a token and a user name together, …
 */
export const RESTClient: new <Paths = unknown>(
  config: ClusterConfig,
  options?: RESTClientOptions,
  // The only cast: the types of the paths exist for the compiler alone.
) => RESTClient<Paths> = Client as new <Paths>(
  config: ClusterConfig,
  options?: RESTClientOptions,
) => RESTClient<Paths>;
