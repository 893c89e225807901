import { classify } from '../watch/failure.ts';
import type { InformerStats } from './informer.ts';
import type { ReflectorCounters } from './reflector.ts';

/** Whether only a person can help: the server does not let the client read, or no request can be made at all. */
export function permanent(error: unknown): boolean {
  return ['refused', 'closed', 'broken'].includes(classify(error));
}

interface PartCounters {
  readonly namespace: string | undefined;
  readonly counters: ReflectorCounters;
}

/** Adds up the counters of all parts of an informer. */
export function describeStats(
  parts: readonly PartCounters[],
  present: { readonly objects: number; readonly queued: number; readonly now: number },
): InformerStats {
  const sum = (name: 'lists' | 'watches' | 'relists' | 'failures' | 'events' | 'stale'): number =>
    parts.reduce((total, { counters }) => total + counters[name], 0);
  const heard = parts.map(({ counters }) => counters.heardAt).filter((at) => at !== undefined);
  return {
    lists: sum('lists'),
    watches: sum('watches'),
    relists: sum('relists'),
    failures: sum('failures'),
    events: sum('events'),
    stale: sum('stale'),
    objects: present.objects,
    queued: present.queued,
    resourceVersions: new Map(
      parts.map(({ namespace = '', counters }) => [namespace, counters.resourceVersion ?? '']),
    ),
    quietMs: heard.length === parts.length ? present.now - Math.min(...heard) : undefined,
  };
}
