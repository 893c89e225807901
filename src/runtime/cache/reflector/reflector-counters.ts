/**
 * Counters of a reflector. A new counter is a member of `RequestCounters` and of `zeroCounters`:
 * `InformerStats` and its sums follow from them.
 */

/** Counters that only increase, also across stops and starts. */
export interface RequestCounters {
  /** Counter: LIST requests; a long list takes several. */
  readonly lists: number;
  /** Counter: WATCH requests. */
  readonly watches: number;
  /** Counter: watches that resumed from the last version after one had ended or was interrupted. */
  readonly restarts: number;
  /** Counter: relists. */
  readonly relists: number;
  /** Counter: failed requests that were reported. */
  readonly failures: number;
  /** Counter: changes that were applied. */
  readonly events: number;
  /** Counter: bookmarks, which change nothing. */
  readonly bookmarks: number;
  /** Counter: events that contained nothing new. */
  readonly stale: number;
  /**
   * Counter: time in which lists and events in JSON were decoded, in milliseconds. Informers with selections
   * that follow one watch all have its time.
   */
  readonly decodeJsonMs: number;
  /** Counter: time in which lists and events in protobuf were decoded, in milliseconds, as `decodeJsonMs`. */
  readonly decodeProtobufMs: number;
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
  decodeJsonMs: 0,
  decodeProtobufMs: 0,
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
  /** Last version; empty while the resource does not exist, `undefined` before the first state. */
  readonly resourceVersion: string | undefined;
  /** Time of the last data of the server: a page, an event or a bookmark. */
  readonly lastDataAt: number | undefined;
  /** Last request, and its time; `undefined` before the first one. */
  readonly request: { readonly verb: 'list' | 'watch'; readonly at: number } | undefined;
  /** Error because of which the state is incomplete; `undefined` if it is complete. */
  readonly lastError: unknown;
}
