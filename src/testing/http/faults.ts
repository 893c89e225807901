import { Failure } from '../api/status.ts';

/** A request as it is logged: no headers, no body, so no credentials. */
export interface LoggedRequest {
  readonly method: string;
  /** Path as it was sent, still escaped. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly userAgent: string;
}

/** How requests are to fail. */
export interface FaultOptions {
  /** How many requests fail; 1 unless given. */
  readonly times?: number;
  /** HTTP status of the answer. */
  readonly status: number;
  /** Whole seconds for the header Retry-After, and for the Status. */
  readonly retryAfterSeconds?: number;
  /** `reason` of the Status; left out unless given. */
  readonly reason?: string;
  /** Which requests count and fail; all unless given. */
  readonly match?: (request: LoggedRequest) => boolean;
}

/** Misbehaviour on purpose, so that clients can be tested for how they bear it. */
export interface Faults {
  /** The next requests (or those that match) are answered with a failure and do nothing. */
  failNext(options: FaultOptions): void;
  /** Destroys the sockets of all open watches, as a network failure would; gives their number. */
  cutWatches(): number;
  /** Ends all open watches in order, as a server does at their timeout; gives their number. */
  endWatches(): number;
  /** Sends a bookmark to every open watch that asked for bookmarks. */
  sendBookmarks(): void;
  /** Forgets the history, so that every resourceVersion before now is expired (410) for watches and exact lists. */
  compact(): void;
}

interface Armed {
  readonly options: FaultOptions;
  left: number;
}

/** The failures that wait for requests. */
export class ArmedFaults {
  readonly #armed: Armed[] = [];

  add(options: FaultOptions): void {
    this.#armed.push({ options, left: options.times ?? 1 });
  }

  /** The failure for a request, if one is due; it is used up by this. */
  take(request: LoggedRequest): Failure | undefined {
    const found = this.#armed.find(({ options, left }) => left > 0 && (options.match?.(request) ?? true));
    if (found === undefined) return undefined;
    found.left -= 1;
    const { status, reason, retryAfterSeconds } = found.options;
    return new Failure({
      code: status,
      message: `the test server was told to answer ${status}`,
      ...(reason === undefined ? {} : { reason }),
      details: retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
    });
  }
}
