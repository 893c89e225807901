import type { ReflectorCounters } from '../reflector/reflector.ts';

/**
 * Metrics of an informer. Counters only increase, also across stops and starts; gauges are present values.
 */
export interface InformerStats {
  /** Gauge: whether the cache has become complete since the start. */
  readonly synced: boolean;
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
  /** Gauge: objects in the cache. */
  readonly objects: number;
  /**
   * Gauge: objects whose last state could not be decoded or transformed: the cache has an older one or none.
   */
  readonly unreadable: number;
  /** Gauge: queued handler calls, over all registrations. */
  readonly queued: number;
  /** Gauge: time for which the oldest queued call has waited, in milliseconds; 0 if there is none. */
  readonly lagMs: number;
  /** Gauge: last version, by followed namespace, or under `''` for all namespaces. */
  readonly resourceVersions: ReadonlyMap<string, string>;
  /**
   * Gauge: time since the last data of the server, in milliseconds, for the namespace in which it is the
   * longest; `undefined` before the first data.
   */
  readonly quietMs: number | undefined;
}

/** Counters of one followed source. */
export interface PartCounters {
  readonly namespace: string | undefined;
  readonly unreadable: number;
  readonly counters: ReflectorCounters;
}

/** State of an informer besides the counters of its sources. */
export type Present = Pick<InformerStats, 'synced' | 'objects' | 'queued' | 'lagMs'> & {
  /** Time by the same clock as `lastDataAt` of the counters. */
  readonly now: number;
};

type Counter = 'lists' | 'watches' | 'restarts' | 'relists' | 'failures' | 'events' | 'bookmarks' | 'stale';

/** Returns the sum of the counters of an informer's parts. */
export function describeStats(parts: readonly PartCounters[], { now, ...present }: Present): InformerStats {
  const sum = (name: Counter): number => parts.reduce((total, { counters }) => total + counters[name], 0);
  const dataTimes = parts.map(({ counters }) => counters.lastDataAt).filter((at) => at !== undefined);
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
      dataTimes.length === parts.length
        ? now - dataTimes.reduce((first, at) => Math.min(first, at), Infinity)
        : undefined,
  };
}
