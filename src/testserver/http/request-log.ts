/** The log of requests, and the selection of requests by their properties. */

/** A logged request: without headers and body, so without credentials. */
export interface LoggedRequest {
  readonly method: string;
  /** Path without the query, percent-encoded as the client has sent it. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Name of the user; empty if the credentials were invalid. */
  readonly user: string;
  /** Message of the response 403 for an action that the user is not permitted to perform. */
  readonly forbidden?: string;
  /** Verb such as `list` or `deletecollection`; the lower-case method for a path without a resource. */
  readonly verb: string;
  /** API group; empty for the core group. */
  readonly group: string;
  /** Plural name; empty for a path without a resource. */
  readonly resource: string;
  /** Subresource, such as `status`; empty for requests to the object itself. */
  readonly subresource: string;
  /** Namespace; empty for requests across all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Name of the object; empty for requests to a collection. */
  readonly name: string;
  /** Time of arrival in milliseconds since the epoch, on the clock of the server. */
  readonly time: number;
  /** Status of the response. `undefined` if there is none yet, or if the connection was cut. */
  readonly status: number | undefined;
}

/** Properties that a request must have, all of them. */
export type RequestProperties = Partial<
  Pick<
    LoggedRequest,
    | 'method'
    | 'user'
    | 'verb'
    | 'group'
    | 'resource'
    | 'subresource'
    | 'namespace'
    | 'name'
    | 'userAgent'
    | 'status'
  >
>;

/** Selects requests: by properties, or by a predicate. */
export type RequestMatch = RequestProperties | ((request: LoggedRequest) => boolean);

/** Requests so far, oldest first. The last 10,000 are kept. */
export interface RequestLog extends ReadonlyArray<LoggedRequest> {
  /** Returns the logged requests that match, oldest first. */
  matching(match: RequestMatch): readonly LoggedRequest[];
  /**
   * Asserts the number of matching requests. Default: at least one.
   * @throws {Error} names the expected and the actual number, and lists the requests of the log
   */
  expect(match: RequestMatch, times?: number): void;
  /** Removes all requests from the log. */
  clear(): void;
}

/** Returns whether a request matches. */
export function matchesRequest(request: LoggedRequest, match: RequestMatch | undefined): boolean {
  if (match === undefined) return true;
  if (typeof match === 'function') return match(request);
  return propertyNames.every((name) => match[name] === undefined || match[name] === request[name]);
}

const propertyNames: readonly (keyof RequestProperties)[] = [
  'method',
  'user',
  'verb',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'userAgent',
  'status',
];

/** Maximum number of logged requests, and of those above before they are dropped together. */
const [logLimit, slack] = [10_000, 1_000];

/** Observer of all requests. */
export interface RequestObserver {
  begin(request: LoggedRequest): void;
  /** Called also if the connection was cut. */
  end(request: LoggedRequest): void;
}

/** A log that the server writes. */
export class WritableLog extends Array<LoggedRequest> implements RequestLog {
  /** Methods such as `map` return ordinary arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  observer: RequestObserver | undefined;

  add(request: LoggedRequest): void {
    this.push(request);
    if (this.length > logLimit + slack) this.splice(0, slack);
    this.observer?.begin(request);
  }

  matching(match: RequestMatch): readonly LoggedRequest[] {
    return this.filter((request) => matchesRequest(request, match));
  }

  expect(match: RequestMatch, times?: number): void {
    const found = this.matching(match).length;
    if (times === undefined ? found > 0 : found === times) return;
    const expected = times === undefined ? 'at least 1 request' : `${times} requests`;
    const described = typeof match === 'function' ? match.toString() : JSON.stringify(match);
    throw new Error(
      `expected ${expected} with ${described}, got ${found} of:\n${this.map(print).join('\n')}`,
    );
  }

  clear(): void {
    this.length = 0;
  }
}

function print({ user, method, path, query, status }: LoggedRequest): string {
  const search = new URLSearchParams(query).toString();
  return `  ${user}: ${method} ${path}${search === '' ? '' : `?${search}`} ${status ?? 'without a response'}`;
}
