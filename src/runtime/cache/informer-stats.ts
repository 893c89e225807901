import type { ReflectorCounters } from './reflector.ts';

/**
 * What an informer has done and what it has, for metrics. Counters only grow, over stops and starts too; gauges say how
 * it is now.
 */
export interface InformerStats {
  /** Gauge: whether the copy has been complete since the start. */
  readonly synced: boolean;
  /** Counter: requests for lists; a long list takes several. */
  readonly lists: number;
  /** Counter: requests for watches. */
  readonly watches: number;
  /** Counter: watches that were opened to go on from the last version seen, after one had ended or was cut. */
  readonly restarts: number;
  /** Counter: how often the whole state had to be read again. */
  readonly relists: number;
  /** Counter: failed requests that were reported. */
  readonly failures: number;
  /** Counter: changes that were taken in. */
  readonly events: number;
  /** Counter: marks of progress, which change nothing. */
  readonly bookmarks: number;
  /** Counter: events that said nothing new. */
  readonly stale: number;
  /** Gauge: objects in the copy. */
  readonly objects: number;
  /** Gauge: objects whose last state could not be read or transformed: the copy has an older one or none. */
  readonly unreadable: number;
  /** Gauge: calls that handlers have yet to take, over all registrations. */
  readonly queued: number;
  /** Gauge: milliseconds that the oldest call which has not begun has waited; 0 when there is none. */
  readonly lagMs: number;
  /** Gauge: the last version seen, by followed namespace; under `''` where all are followed. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /** Gauge: milliseconds since the server said something, of the quietest namespace; `undefined` before it did. */
  readonly quietMs: number | undefined;
}

/** The counters of one followed source. */
export interface PartCounters {
  readonly namespace: string | undefined;
  readonly unreadable: number;
  readonly counters: ReflectorCounters;
}

/** How an informer is beside what its sources count. */
export type Present = Pick<InformerStats, 'synced' | 'objects' | 'queued' | 'lagMs'> & {
  /** By the same clock as `heardAt` of the counters. */
  readonly now: number;
};

type Counter = 'lists' | 'watches' | 'restarts' | 'relists' | 'failures' | 'events' | 'bookmarks' | 'stale';

/** Adds up the counters of all parts of an informer. */
export function describeStats(parts: readonly PartCounters[], { now, ...present }: Present): InformerStats {
  const sum = (name: Counter): number => parts.reduce((total, { counters }) => total + counters[name], 0);
  const heard = parts.map(({ counters }) => counters.heardAt).filter((at) => at !== undefined);
  return {
    ...present,
    lists: sum('lists'),
    watches: sum('watches'),
    restarts: sum('restarts'),
    relists: sum('relists'),
    failures: sum('failures'),
    events: sum('events'),
    bookmarks: sum('bookmarks'),
    stale: sum('stale'),
    unreadable: parts.reduce((total, { unreadable }) => total + unreadable, 0),
    resourceVersions: new Map(
      parts.map(({ namespace = '', counters }) => [namespace, counters.resourceVersion ?? '']),
    ),
    quietMs:
      heard.length === parts.length
        ? now - heard.reduce((first, at) => Math.min(first, at), Infinity)
        : undefined,
  };
}
