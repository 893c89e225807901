/** Coverage of faults: which of them were met at which writes of an operator. */

import { isServiceVerb } from './process/services/served-services.ts';
import type { FaultClass } from './schedule/actions.ts';

/** A write request of an operator, and the line that sends it. */
export interface SimulatedWrite {
  readonly verb: string;
  /** Plural name, with the subresource if there is one: `deployments`, `myapps/status`. */
  readonly resource: string;
  /** Line of the operator, in the form `/path/operator.ts:10`; empty if it is not known. */
  readonly site: string;
}

/** The faults that were met at one write of an operator. */
export interface WriteCoverage extends SimulatedWrite {
  /** Number of times that the write was sent. */
  readonly count: number;
  /** Number of times that the write met each fault; faults that it did not meet are absent. */
  readonly met: Readonly<Partial<Record<FaultClass, number>>>;
  /** Faults that can occur at this write, but did not in the simulation. */
  readonly unmet: readonly FaultClass[];
}

/** A write, and the faults that it has met. */
export type CountedWrite = Omit<WriteCoverage, 'unmet'>;

/** A write that came between the begin of a reconcile of another controller and a write of that reconcile. */
export interface Interleaving {
  /** The write that came between. */
  readonly between: SimulatedWrite;
  /** The write of the reconcile, which did not know of it when it began. */
  readonly write: SimulatedWrite;
}

/** An interleaving of two controllers. */
export interface InterleavingCoverage extends Interleaving {
  /** Number of times that it was met; 0 if no run had it. */
  readonly count: number;
}

/** Returns a write that was sent once. */
export function countedWrite(write: SimulatedWrite, faults: Iterable<FaultClass>): CountedWrite {
  return { ...write, count: 1, met: Object.fromEntries([...new Set(faults)].map((fault) => [fault, 1])) };
}

/** Adds up equal writes, in the order in which they were sent first. */
export function joinedWrites(writes: Iterable<CountedWrite>): readonly CountedWrite[] {
  const known = new Map<string, CountedWrite>();
  for (const write of writes) {
    const before = known.get(writeKey(write)) ?? { ...write, count: 0, met: {} };
    const met: Partial<Record<FaultClass, number>> = { ...before.met };
    for (const fault of faultsMet(write)) met[fault] = (met[fault] ?? 0) + (write.met[fault] ?? 0);
    known.set(writeKey(write), { ...before, count: before.count + write.count, met });
  }
  return [...known.values()];
}

function faultsMet({ met }: CountedWrite): readonly FaultClass[] {
  // seam: the keys of the record are faults.
  return Object.keys(met) as FaultClass[];
}

/** @param possible the faults that can occur at each write */
export function coverageOf(
  writes: readonly CountedWrite[],
  possible: readonly FaultClass[],
): readonly WriteCoverage[] {
  return writes.map((write) => ({
    ...write,
    unmet: possible.filter((fault) => write.met[fault] === undefined && canMeet(write, fault)),
  }));
}

/** Returns whether a fault occurs at a write: services have no conflicts of their own. */
export function canMeet({ verb }: Pick<SimulatedWrite, 'verb'>, fault: FaultClass): boolean {
  return fault !== 'conflict' || !isServiceVerb(verb);
}

/** Adds up equal interleavings, in the order in which they were met first. */
export function joinedInterleavings(
  interleavings: Iterable<InterleavingCoverage>,
): readonly InterleavingCoverage[] {
  const known = new Map<string, InterleavingCoverage>();
  for (const each of interleavings) {
    const key = `${writeKey(each.between)} ${writeKey(each.write)}`;
    known.set(key, { ...each, count: each.count + (known.get(key)?.count ?? 0) });
  }
  return [...known.values()];
}

/** Returns whether a write has a verb and a resource, and a line, if there is one. */
export function isOfKind(write: SimulatedWrite, { verb, resource, site }: SimulatedWrite): boolean {
  return write.verb === verb && write.resource === resource && (site === '' || write.site === site);
}

/** Returns a write as text: `patch deployments at /path/operator.ts:10`. */
export function placedText({ verb, resource, site = '' }: PlacedWrite): string {
  return `${verb} ${resource}${site === '' ? '' : ` at ${site}`}`;
}

/** A write whose line may be unknown. */
type PlacedWrite = Omit<SimulatedWrite, 'site'> & Partial<Pick<SimulatedWrite, 'site'>>;

/** Returns a text that differs for different writes. */
export function writeKey({ verb, resource, site }: SimulatedWrite): string {
  return `${verb} ${resource} ${site}`;
}
