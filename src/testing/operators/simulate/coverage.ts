/** Coverage of faults: which of them were met at which writes of an operator. */
import type { DisturbanceName, RequestFault } from './schedule/schedule.ts';

/**
 * A fault at a write. For the first ones the write itself fails:
 * - `conflict`, `throttled`, `unavailable`, `failed`: its response is 409, 429, 503 or 500
 * - `dropped`, `lost`: the connection is lost before the server executes it, or after that
 * - `slow webhook`: the server executes it late
 * - `crash before`, `crash after`: the process ends before the server executes it, or after that
 * - `late watch`: a kind that the operator watches has changed, and its watches do not show it yet
 * - `stale list`: the process has read a list that does not contain the latest changes
 * - `lost leadership`: the process cannot renew its lease
 */
export type FaultClass =
  | 'conflict'
  | 'throttled'
  | 'unavailable'
  | 'failed'
  | 'dropped'
  | 'lost'
  | 'slow webhook'
  | 'crash before'
  | 'crash after'
  | 'late watch'
  | 'stale list'
  | 'lost leadership';

/** A write of an operator. */
export interface SimulatedWrite {
  readonly verb: string;
  /** Plural name, with the subresource if there is one: `deployments`, `myapps/status`. */
  readonly resource: string;
  /** Line of the operator, in the form `/path/operator.ts:10`; empty if it is not known. */
  readonly site: string;
}

/** The faults that were met at one write of an operator. */
export interface WriteCoverage extends SimulatedWrite {
  /** How often it was sent. */
  readonly count: number;
  /** How often each fault was met. */
  readonly met: Readonly<Partial<Record<FaultClass, number>>>;
  /** Faults that can occur and were not met. */
  readonly unmet: readonly FaultClass[];
}

/** Properties of an operator that determine the faults that can occur. */
export interface CoverageScope {
  readonly verbs: ReadonlySet<string>;
  readonly hasElection: boolean;
  /** Kinds of actions that do not happen. */
  readonly without: readonly DisturbanceName[];
}

interface Counter extends SimulatedWrite {
  count: number;
  readonly met: Map<FaultClass, number>;
}

/** Counts the writes of runs. */
export class Coverage {
  readonly #writes = new Map<string, Counter>();

  add(write: SimulatedWrite, faults: Iterable<FaultClass>): void {
    const key = writeKey(write);
    const counter = this.#writes.get(key) ?? { ...write, count: 0, met: new Map() };
    this.#writes.set(key, counter);
    counter.count += 1;
    for (const fault of new Set(faults)) counter.met.set(fault, (counter.met.get(fault) ?? 0) + 1);
  }

  /** Returns the writes in the order in which they were sent first. */
  report(scope: CoverageScope): readonly WriteCoverage[] {
    const possible = faultClasses(scope);
    return [...this.#writes.values()].map(({ met, ...write }) => ({
      ...write,
      met: Object.fromEntries(met),
      unmet: possible.filter((fault) => !met.has(fault)),
    }));
  }
}

/** Returns a text that differs for different writes. */
export function writeKey({ verb, resource, site }: SimulatedWrite): string {
  return `${verb} ${resource} ${site}`;
}

/** Returns the faults that can occur at each write. */
export function faultClasses({ verbs, hasElection, without }: CoverageScope): readonly FaultClass[] {
  const can = (name: DisturbanceName): boolean => !without.includes(name);
  return [
    ...(can('fault') ? Object.values(requestFaults) : []),
    ...(can('crash') ? (['crash before', 'crash after'] as const) : []),
    ...(can('hold') && verbs.has('watch') ? (['late watch'] as const) : []),
    ...(can('hold') && verbs.has('watch') ? (['stale list'] as const) : []),
    ...(can('isolate') && hasElection ? (['lost leadership'] as const) : []),
  ];
}

/** Faults of the requests that are writes; lists and watches expire, writes do not. */
export const requestFaults: Readonly<Record<Exclude<RequestFault, 'expired'>, FaultClass>> = {
  conflict: 'conflict',
  throttled: 'throttled',
  unavailable: 'unavailable',
  failed: 'failed',
  dropped: 'dropped',
  lost: 'lost',
  slow: 'slow webhook',
};
