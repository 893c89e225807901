import { failure } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';
import { type LoggedRequest, matchesRequest, type RequestMatch } from './request-log.ts';

/**
 * A fault of requests: the response has a status without an effect of the request, or the connection is
 * cut, or the request is delayed, or several of these.
 */
export interface FaultOptions {
  /** Number of requests with the fault; `Infinity` for all. Default: 1. */
  readonly times?: number;
  /** HTTP status of the response, such as 409, 410, 429 or 500. */
  readonly status?: number;
  /** Whole seconds for the header Retry-After and for the Status. */
  readonly retryAfterSeconds?: number;
  /** Value of `reason` in the Status of the response, such as `Conflict`. Default: none. */
  readonly reason?: string;
  /** Delay before the request is handled, in milliseconds on the clock of the server. */
  readonly delayMs?: number;
  /**
   * Destroys the connection without a response: `before` the request has an effect, or `after` it, so that
   * the client cannot know whether it had one.
   */
  readonly cut?: 'before' | 'after';
  /** Selects the requests that are counted and have the fault. Default: all. */
  readonly match?: RequestMatch;
}

/** Faults on purpose, for tests of the reaction of clients. Watches are selected by their requests. */
export interface FaultInjector {
  /**
   * Adds a fault to the next requests, or to the next ones that match.
   * @throws {TypeError} options without `status`, `cut` and `delayMs`
   */
  failNext(options: FaultOptions): void;
  /** Removes the faults of `failNext` that have not occurred yet. */
  clear(): void;
  /** Destroys the sockets of open watches, as a network failure does. Returns their number. */
  cutWatches(match?: RequestMatch): number;
  /** Ends open watches gracefully, as a server does at their timeout. Returns their number. */
  endWatches(match?: RequestMatch): number;
  /** Ends open watches with an ERROR event 410, as a server does after a compaction. Returns their number. */
  expireWatches(match?: RequestMatch): number;
  /** Sends a bookmark to open watches that requested bookmarks. */
  sendBookmarks(match?: RequestMatch): void;
  /**
   * Compacts the history, so that every earlier resourceVersion is expired (410) for watches and exact lists.
   */
  compact(): void;
}

interface Armed {
  readonly options: FaultOptions;
  left: number;
}

/** Faults that are waiting for requests. */
export class ArmedFaults {
  #armed: Armed[] = [];

  add(options: FaultOptions): void {
    const { status, cut, delayMs } = options;
    if (status === undefined && cut === undefined && delayMs === undefined)
      throw new TypeError('failNext needs status, cut or delayMs');
    this.#armed.push({ options, left: options.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** Returns and consumes the fault of a request, if there is one. */
  take(request: LoggedRequest): FaultOptions | undefined {
    if (this.#armed.length === 0) return undefined;
    const found = this.#armed.find(({ options, left }) => left > 0 && matchesRequest(request, options.match));
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left <= 0) this.#armed = this.#armed.filter((armed) => armed !== found);
    return found.options;
  }
}

/** Returns the failure of a fault with a status. */
export function failureOf({ status, reason, retryAfterSeconds }: FaultOptions): Failure | undefined {
  if (status === undefined) return undefined;
  return new Failure({
    code: status,
    message: `the test server is configured to respond with ${status}`,
    ...(reason === undefined ? {} : { reason }),
    details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  });
}

/** A bug of this server: the response contains the stack, because only tests see it. */
export function internalFailure(error: unknown): Failure {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return failure(500, 'InternalError', `Internal error occurred: ${detail}`);
}
