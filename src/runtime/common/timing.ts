/**
 * Timing policy of watches and reflectors: delays, limits and grace periods, which `RuntimeEnvironment`
 * carries, and that of the retries of requests, which is constant. No other module holds such a value.
 */

/**
 * Delays, limits and grace periods. Names with `Ms` are in milliseconds. Not covered by semantic versioning:
 * values and defaults may change in any version.
 */
export interface Timing {
  /**
   * Maximum `Retry-After` that is honored, in milliseconds: watches, waits and informers retry after this
   * time if a server requests a longer one. Default: 300,000.
   */
  readonly maxRetryAfterMs: number;
  /**
   * Delays between consecutive failures of a watch or a reflector, without jitter: `factor` times the
   * previous one, from `firstMs` up to `maxMs`, and again `firstMs` after `resetAfterMs` without a failure.
   * As much again is added at random. Default: 0.8 s, doubled up to 30 s, reset after 2 min.
   */
  readonly backoff: {
    readonly firstMs: number;
    readonly factor: number;
    readonly maxMs: number;
    readonly resetAfterMs: number;
  };
  /**
   * Delays between lists of a resource that does not exist, without jitter. Default: 1.6 s, doubled up to 5
   * s: users who install a resource inspect its informers soon afterwards, and a 404 for an unknown path
   * costs a server next to nothing.
   */
  readonly notFoundBackoff: { readonly firstMs: number; readonly factor: number; readonly maxMs: number };
  /**
   * Maximum delay, without jitter, before the whole state is read again because the server has lost the
   * history of a watch (410) or is behind it. Default: 5 s.
   */
  readonly lostMaxMs: number;
  /** Time that a stream without events must last to count as established, in milliseconds. Default: 1000. */
  readonly shortStreamMs: number;
  /**
   * Time after which a list of a watch or a reflector fails. API servers end a list after one minute: if it
   * takes longer, its connection is lost. Default: 5 min.
   */
  readonly listMs: number;
  /**
   * Minimum of `timeoutSeconds` of a watch request, in milliseconds. Each request has a random value between
   * this minimum and `maxStreamMs`, in whole seconds. Default: 300,000.
   */
  readonly minStreamMs: number;
  /** Maximum of `timeoutSeconds` of a watch request, in milliseconds, as `minStreamMs`. Default: 600,000. */
  readonly maxStreamMs: number;
  /** Time after its `timeoutSeconds` at which a watch that the server has not ended fails. Default: 30 s. */
  readonly streamGraceMs: number;
  /**
   * Time without a byte after which a stream with bookmarks fails. Servers send a bookmark each minute.
   * Default: 2.5 min.
   */
  readonly bookmarkIdleMs: number;
  /** Time without a byte after which a stream of the whole state fails, before its end. Default: 15 s. */
  readonly stateIdleMs: number;
  /**
   * Time after which a stream of the whole state that has not reached its end is given up for a list: a
   * server may send changes, but never the bookmark that ends the state. Default: 45 s.
   */
  readonly stateMs: number;
  /**
   * If a timer of a stream fires later than planned by more than this, the process was suspended or the clock
   * has jumped: the stream does not count as idle, and has `catchUpMs` to deliver data. Default: 1 s.
   */
  readonly lateTimerMs: number;
  /**
   * Time that a stream has after a suspension of the process to deliver the data that arrived meanwhile, in
   * milliseconds. Default: 5000.
   */
  readonly catchUpMs: number;
  /** Number of consecutive malformed responses after which a watch fails. Default: 3. */
  readonly malformedLimit: number;
  /** Number of retries of streaming the state in one round, before it is listed. Default: 2. */
  readonly streamRetries: number;
  /**
   * Number of consecutive 404s after which a resource counts as removed: a starting server may briefly report
   * one. Default: 2.
   */
  readonly notFoundLimit: number;
  /** Number of consecutive rejected watches after which lists keep a cache up to date. Default: 3. */
  readonly refusalLimit: number;
  /**
   * Number of consecutive watches that only return an error after which the state is read again. Without a
   * watch cache, the API server responds with 500 for as long as etcd has compacted the previous state of a
   * changed object. Default: 3.
   */
  readonly emptyFailureLimit: number;
}

export const defaultTiming: Timing = {
  maxRetryAfterMs: 300_000,
  backoff: { firstMs: 800, factor: 2, maxMs: 30_000, resetAfterMs: 120_000 },
  notFoundBackoff: { firstMs: 1600, factor: 2, maxMs: 5000 },
  lostMaxMs: 5000,
  shortStreamMs: 1000,
  listMs: 300_000,
  minStreamMs: 300_000,
  maxStreamMs: 600_000,
  streamGraceMs: 30_000,
  bookmarkIdleMs: 150_000,
  stateIdleMs: 15_000,
  stateMs: 45_000,
  lateTimerMs: 1000,
  catchUpMs: 5000,
  malformedLimit: 3,
  streamRetries: 2,
  notFoundLimit: 2,
  refusalLimit: 3,
  emptyFailureLimit: 3,
};

/** Timing of the retries of requests. */
export interface RetryTiming extends Pick<Timing, 'maxRetryAfterMs'> {
  /** Number of retries of a request without `maxRetries`. */
  readonly maxRetries: number;
  /** Delay before a read is retried on a new connection; the first retry has none. */
  readonly reconnectMs: number;
  /** Random extension of the delay of a retry, if a tenth of the delay is less. */
  readonly spreadMs: number;
}

export const retryTiming: RetryTiming = {
  maxRetries: 10,
  reconnectMs: 1000,
  spreadMs: 100,
  maxRetryAfterMs: defaultTiming.maxRetryAfterMs,
};

/** Returns the policy of an environment, whose `timing` replaces single values of the default policy. */
export function timingOf({ timing }: { readonly timing?: Partial<Timing> | undefined }): Timing {
  return timing === undefined ? defaultTiming : { ...defaultTiming, ...timing };
}
