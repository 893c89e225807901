/** Requests to any path: what goes into them. */
import type { RequestOptions } from '../options.ts';
import type { QueryValue } from './query.ts';

/** What goes into a request besides its path. */
export interface CallOptions extends RequestOptions {
  /** Values for the `{parts}` of the path. */
  path?: Readonly<Record<string, string>> | undefined;
  /** Query parameters; lists repeat the name, `undefined` leaves it out. */
  query?: Readonly<Record<string, QueryValue>> | undefined;
}

/** The same for a request that has a body. */
export interface BodyOptions extends CallOptions {
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown;
  /** Default: `application/json`; for `patch` JSON merge patch. */
  contentType?: string | undefined;
}

/** Requests to any path of a server of which no types are known. */
export interface AnyCalls {
  /** Gives the decoded JSON of the answer, or its text where it is `text/plain`. */
  get(path: string, options?: CallOptions): Promise<unknown>;
  /** Sends a body to be stored or acted on. */
  post(path: string, options?: BodyOptions): Promise<unknown>;
  /** Sends a body that replaces what is at the path. */
  put(path: string, options?: BodyOptions): Promise<unknown>;
  /** Sends a body that changes what is at the path; `contentType` says how it is read. */
  patch(path: string, options?: BodyOptions): Promise<unknown>;
  /** Deletes what is at the path. */
  delete(path: string, options?: BodyOptions): Promise<unknown>;
}
