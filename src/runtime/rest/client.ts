import { credentialsOf } from '../auth/credentials.ts';
import { decodeText } from '../codec/json.ts';
import type { ClusterConfig } from '../config/types.ts';
import type { RequestOptions } from '../options.ts';
import { authenticated } from './authenticated.ts';
import { readAll, readSome } from './body.ts';
import type { BodyOptions, CallOptions } from './calls.ts';
import { withinLimits } from './deadline.ts';
import { decodeBody } from './decode-body.ts';
import type { Calls } from './operations.ts';
import { expandPath } from './path.ts';
import { queryOf } from './query.ts';
import { retrying } from './retry.ts';
import { failureOf, throwFailure } from './status.ts';
import type { Operation, Request, Response, Transport } from './types.ts';
import { defaultUserAgent } from './user-agent.ts';
import { observingWarnings, printWarning, type WarningHandler } from './warnings.ts';
import { openWire, type Wire } from './wire.ts';

/** Bytes of a failure that are read: more than any `Status` has. */
const failureBytes = 1024 * 1024;

/** Options of a `RESTClient`. */
export interface RESTClientOptions {
  /**
   * Sends the requests instead of connections of this package: for unit tests, and for other ways to a server.
   * Authentication, retries and decoding stay around it; impersonation is in `request.impersonate`.
   */
  transport?: Transport | undefined;
  /** Told of the server's warnings. Default: each text is printed once per process, by `process.emitWarning`. */
  onWarning?: WarningHandler | undefined;
  /** The `User-Agent` header. Default: the program's name. */
  userAgent?: string | undefined;
  /**
   * HTTP/2 where the server has it, with pings that find a connection that is dead. Default false: HTTP/1.1 with
   * keep-alive, which is faster here.
   */
  http2?: boolean | undefined;
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
  /** Sends a request as it is and gives the answer as its bytes arrive. */
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
  /** Ends what is still running and closes the connections that no other client uses. */
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

/** Header names in lower case, so that a caller's header replaces ours. */
export function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The parts of a request that every method's options have. */
export function commonParts(options: RequestOptions): Pick<Request, 'signal' | 'timeoutMs' | 'impersonate'> {
  const { signal, timeoutMs, impersonate } = options;
  return {
    ...(signal !== undefined && { signal }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(impersonate !== undefined && { impersonate }),
  };
}

function encodeBody(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}

/** Makes the request of one of the methods `get`, `post`, … */
export function callRequest(method: CallMethod, path: string, options: BodyOptions = {}): Request {
  const { body, contentType = bodyTypes[method] } = options;
  const expanded = expandPath(path, options.path);
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

async function succeeded(response: Response, request: Request): Promise<Response> {
  if (response.status >= 200 && response.status < 300) return response;
  const { status, headers } = response;
  throw failureOf({ status, headers, body: await readSome(response, failureBytes) }, request);
}

type Decode = (response: Response, operation: Operation) => Promise<unknown>;

/** JSON, or text where the answer says that it is nothing else, or that there is none: the log of a pod without a node. */
const decodeAny: Decode = async (response, operation) => {
  const isText = /^text\/plain\b/i.test(response.headers['content-type'] ?? '');
  return isText || response.status === 204
    ? decodeText(await readAll(response))
    : decodeBody(response, operation);
};

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
  readonly #wire: Wire;
  readonly #defaults: Defaults;

  constructor(config: ClusterConfig, options: RESTClientOptions = {}) {
    this.namespace = config.namespace || 'default';
    this.#wire = options.transport === undefined ? openWire(config, options) : external(options.transport);
    const known = authenticated(this.#wire.send, credentialsOf(config));
    this.#send = observingWarnings(retrying(known), options.onWarning ?? printWarning);
    this.#defaults = {
      headers: { 'user-agent': options.userAgent ?? defaultUserAgent() },
      impersonate: config.impersonate,
    };
  }

  request(request: Request): Promise<unknown> {
    return this.#answer(request, decodeBody);
  }

  /** The signal stays with the body, so the transport gets the caller's own. */
  stream(request: Request): Promise<Response> {
    const { signal, operation } = request;
    return withinLimits({ signal }, operation, async () =>
      succeeded(await this.#send({ ...this.#complete(request, signal), stream: true }), request),
    );
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

  close(): Promise<void> {
    return this.#wire.close();
  }

  async #call(method: CallMethod, path: string, options?: BodyOptions): Promise<unknown> {
    return this.#answer(callRequest(method, path, options), decodeAny);
  }

  #answer(request: Request, decode: Decode): Promise<unknown> {
    return withinLimits(request, request.operation, async (signal) => {
      const response = await succeeded(await this.#send(this.#complete(request, signal)), request);
      const value = await decode(response, request.operation);
      throwFailure(value, request.operation);
      return value;
    });
  }

  #complete(request: Request, signal: AbortSignal | undefined): Request {
    const impersonate = request.impersonate ?? this.#defaults.impersonate;
    return {
      ...request,
      headers: { ...this.#defaults.headers, ...request.headers },
      ...(signal !== undefined && { signal }),
      ...(impersonate !== undefined && { impersonate }),
    };
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
