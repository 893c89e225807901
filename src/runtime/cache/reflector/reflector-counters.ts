/**
 * Counters of a reflector. A new counter is a member of `RequestCounters` and of `zeroCounters`:
 * `InformerStats` and its sums follow from them.
 */

/** Counters that only increase, also across stops and starts. */
export interface RequestCounters {
  /** Counter: LIST requests; a long list takes several. */
  lists: number;
  /** Counter: WATCH requests. */
  watches: number;
  /** Counter: watches that resumed from the last version after one had ended or was interrupted. */
  restarts: number;
  /** Counter: relists. */
  relists: number;
  /** Counter: failed requests that were reported. */
  failures: number;
  /** Counter: changes that were applied. */
  events: number;
  /** Counter: bookmarks, which change nothing. */
  bookmarks: number;
  /** Counter: events that contained nothing new. */
  stale: number;
}

export const zeroCounters: Readonly<RequestCounters> = {
  lists: 0,
  watches: 0,
  restarts: 0,
  relists: 0,
  failures: 0,
  events: 0,
  bookmarks: 0,
  stale: 0,
};

/** Returns the sum of counters. */
export function sumOf(all: readonly RequestCounters[]): RequestCounters {
  const total = { ...zeroCounters };
  // seam: Object.keys is not generic
  const names = Object.keys(zeroCounters) as (keyof RequestCounters)[];
  for (const counters of all) for (const name of names) total[name] += counters[name];
  return total;
}

/**
 * Counters over all runs of a reflector, and its state. Times are in milliseconds of the environment's clock.
 */
export interface ReflectorCounters extends RequestCounters {
  /** Items and responses that could not be decoded. */
  unreadable: number;
  /** Last version; empty while the resource does not exist, `undefined` before the first state. */
  resourceVersion: string | undefined;
  /** Time of the last data of the server: a page, an event or a bookmark. */
  lastDataAt: number | undefined;
  /** Time of the last change. */
  changedAt: number | undefined;
  /** Last request, and its time; `undefined` before the first one. */
  request: { readonly verb: 'list' | 'watch'; readonly at: number } | undefined;
  /** Error because of which the state is incomplete; `undefined` if it is complete. */
  lastError: unknown;
}
