/** REST clients that observe, change or refuse the requests of another one. */

import type { APIResponse, RESTRequest } from '../api/transport.ts';
import { closedSignals } from './abort/abort-on-close.ts';
import type { BodyOptions } from './calls.ts';
import type { RESTClient } from './client.ts';
import type { PathMethods } from './operations.ts';
import { type CallMethod, callRequest } from './request/call-request.ts';

/** Members of a request that an interceptor replaces. */
export interface RequestChanges {
  readonly signal?: AbortSignal | undefined;
}

/** Functions between the users of a client and the client. Both call `send` at most once. */
export interface RESTInterceptor {
  /**
   * Called for each request with a decoded response. Returns that of `send`, or another value in its place,
   * without a request.
   */
  request(request: RESTRequest, send: (changes?: RequestChanges) => Promise<unknown>): Promise<unknown>;
  /** Called for each request whose response is a stream. */
  stream(
    request: RESTRequest,
    send: (changes?: RequestChanges) => Promise<APIResponse>,
  ): Promise<APIResponse>;
}

/**
 * Creates a client whose requests pass through an interceptor, and otherwise are those of `rest`: the
 * connections, credentials, retries and encodings. Closing either one closes both.
 */
export function wrapRESTClient(rest: RESTClient, interceptor: RESTInterceptor): RESTClient {
  return new WrappedClient(rest, interceptor);
}

class WrappedClient implements RESTClient {
  readonly get: PathMethods<unknown>['get'] = this.#method('GET', 'get');
  readonly post: PathMethods<unknown>['post'] = this.#method('POST', 'post');
  readonly put: PathMethods<unknown>['put'] = this.#method('PUT', 'put');
  readonly patch: PathMethods<unknown>['patch'] = this.#method('PATCH', 'patch');
  readonly delete: PathMethods<unknown>['delete'] = this.#method('DELETE', 'delete');
  readonly #rest: RESTClient;
  readonly #interceptor: RESTInterceptor;

  constructor(rest: RESTClient, interceptor: RESTInterceptor) {
    this.#rest = rest;
    this.#interceptor = interceptor;
    const closed = closedSignals.get(rest);
    if (closed !== undefined) closedSignals.set(this, closed);
    this.close = this.close.bind(this);
  }

  get namespace(): string {
    return this.#rest.namespace;
  }

  async request(request: RESTRequest): Promise<unknown> {
    return this.#interceptor.request(request, (changes) => this.#rest.request(changed(request, changes)));
  }

  async stream(request: RESTRequest): Promise<APIResponse> {
    return this.#interceptor.stream(request, (changes) => this.#rest.stream(changed(request, changes)));
  }

  stats(): ReturnType<RESTClient['stats']> {
    return this.#rest.stats();
  }

  close(): Promise<void> {
    return this.#rest.close();
  }

  #method(
    method: CallMethod,
    name: 'get' | 'post' | 'put' | 'patch' | 'delete',
  ): (path: string, options?: BodyOptions) => Promise<unknown> {
    return async (path, options) => {
      const send = (changes?: RequestChanges): Promise<unknown> =>
        this.#rest[name](path, { ...options, ...changes });
      return this.#interceptor.request(callRequest(method, path, options), send);
    };
  }
}

/** Returns a request with its changes. */
function changed(request: RESTRequest, changes: RequestChanges | undefined): RESTRequest {
  return changes === undefined ? request : { ...request, ...changes };
}
