import { type ReflectorCounters, type RequestCounters, sumOf } from '../reflector/reflector-counters.ts';

/**
 * Metrics of an informer. Counters only increase, also across stops and starts; gauges are present values.
 */
export interface InformerStats extends Readonly<RequestCounters> {
  /** Gauge: whether the cache has become complete since the start. */
  readonly synced: boolean;
  /** Gauge: number of objects in the cache. */
  readonly objects: number;
  /**
   * Gauge: objects whose last state could not be decoded or transformed: the cache has an older one or none.
   */
  readonly unreadable: number;
  /**
   * Counter: updates in which no selected field changed, and which called no handler; 0 without `select`.
   */
  readonly unchanged: number;
  /** Gauge: own writes (`recordWrite`) that the server has not confirmed yet. */
  readonly unconfirmedWrites: number;
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
  readonly unchanged: number;
  readonly counters: ReflectorCounters;
}

/** State of an informer besides the counters of its sources. */
export type Present = Pick<InformerStats, 'synced' | 'objects' | 'unconfirmedWrites' | 'queued' | 'lagMs'> & {
  /** Time by the same clock as `lastDataAt` of the counters. */
  readonly now: number;
};

/** Returns the sum of the counters of an informer's parts. */
export function describeStats(parts: readonly PartCounters[], { now, ...present }: Present): InformerStats {
  const dataTimes = parts.map(({ counters }) => counters.lastDataAt).filter((at) => at !== undefined);
  return {
    ...present,
    ...sumOf(parts.map(({ counters }) => counters)),
    unreadable: parts.reduce((total, { unreadable }) => total + unreadable, 0),
    unchanged: parts.reduce((total, { unchanged }) => total + unchanged, 0),
    resourceVersions: new Map(
      parts.map(({ namespace = '', counters }) => [namespace, counters.resourceVersion ?? '']),
    ),
    quietMs:
      dataTimes.length === parts.length
        ? now - dataTimes.reduce((first, at) => Math.min(first, at), Infinity)
        : undefined,
  };
}
