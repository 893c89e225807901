/** Types of requests to arbitrary paths. */
import type { RequestOptions } from '../api/options.ts';
import type { QueryValue } from './request/query.ts';

/** Options of `RESTClient.get`, `post` and so on, which request any path of the API, such as `/version`. */
export interface CallOptions extends RequestOptions {
  /** Values for the `{parts}` of the path. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. A list repeats the name; `undefined` omits it. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
}

/** Options of a request with a body. */
export interface BodyOptions extends CallOptions {
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown;
  /** Media type of the body. Default: `application/json`; for `patch`, JSON merge patch. */
  readonly contentType?: string | undefined;
}

/** Requests to arbitrary paths of a server without path types. */
export interface AnyPathMethods {
  /** Returns the decoded JSON of the response, or a string if it is `text/plain`. */
  get(path: string, options?: CallOptions): Promise<unknown>;
  /**
   * Sends a POST request with a body. Returns the decoded JSON of the response, or a string if it is
   * `text/plain` or empty.
   */
  post(path: string, options?: BodyOptions): Promise<unknown>;
  /**
   * Sends a PUT request, whose body replaces the resource at the path. Returns the decoded JSON of the
   * response, or a string if it is `text/plain` or empty.
   */
  put(path: string, options?: BodyOptions): Promise<unknown>;
  /**
   * Sends a PATCH request; `contentType` selects the patch format. Returns the decoded JSON of the response,
   * or a string if it is `text/plain` or empty.
   */
  patch(path: string, options?: BodyOptions): Promise<unknown>;
  /**
   * Sends a DELETE request. Returns the decoded JSON of the response, or a string if it is `text/plain` or
   * empty.
   */
  delete(path: string, options?: BodyOptions): Promise<unknown>;
}
