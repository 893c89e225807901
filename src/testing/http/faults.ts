import { Failure } from '../api/status.ts';

/** A logged request: without headers and body, so without credentials. */
export interface LoggedRequest {
  readonly method: string;
  /** Escaped path, as sent by the client. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** Options of failing requests. */
export interface FaultOptions {
  /** Number of requests that fail. Default: 1. */
  readonly times?: number;
  /** HTTP status of the response. */
  readonly status: number;
  /** Whole seconds for the header Retry-After and for the Status. */
  readonly retryAfterSeconds?: number;
  /** `reason` of the Status. Default: none. */
  readonly reason?: string;
  /** Selects the requests that are counted and fail. Default: all. */
  readonly match?: (request: LoggedRequest) => boolean;
}

/** Faults on purpose, for tests of the reaction of clients. */
export interface FaultInjector {
  /** The next requests (or those that match) fail without an effect. */
  failNext(options: FaultOptions): void;
  /** Destroys the sockets of all open watches, as a network failure does. Returns their number. */
  cutWatches(): number;
  /** Ends all open watches gracefully, as a server does at their timeout. Returns their number. */
  endWatches(): number;
  /** Sends a bookmark to every open watch that requested bookmarks. */
  sendBookmarks(): void;
  /**
   * Compacts the history, so that every earlier resourceVersion is expired (410) for watches and exact lists.
   */
  compact(): void;
}

interface Armed {
  readonly options: FaultOptions;
  left: number;
}

/** Failures that are waiting for requests. */
export class ArmedFaults {
  readonly #armed: Armed[] = [];

  add(options: FaultOptions): void {
    this.#armed.push({ options, left: options.times ?? 1 });
  }

  /** Returns and consumes the failure of a request, if there is one. */
  take(request: LoggedRequest): Failure | undefined {
    const found = this.#armed.find(({ options, left }) => left > 0 && (options.match?.(request) ?? true));
    if (found === undefined) return undefined;
    found.left -= 1;
    const { status, reason, retryAfterSeconds } = found.options;
    return new Failure({
      code: status,
      message: `the test server is configured to respond with ${status}`,
      ...(reason === undefined ? {} : { reason }),
      details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    });
  }
}
