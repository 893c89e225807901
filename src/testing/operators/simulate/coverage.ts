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

  /**
   * Returns the writes in the order in which they were sent first.
   * @param possible the faults that can occur at each write
   */
  report(possible: readonly FaultClass[]): readonly WriteCoverage[] {
    return [...this.#writes.values()].map(({ met, ...write }) => ({
      ...write,
      met: Object.fromEntries(met),
      unmet: possible.filter((fault) => !met.has(fault) && canMeet(write, fault)),
    }));
  }
}

/** Returns whether a fault occurs at a write: services have no conflicts of their own. */
export function canMeet({ verb }: Pick<SimulatedWrite, 'verb'>, fault: FaultClass): boolean {
  return fault !== 'conflict' || !isServiceVerb(verb);
}

/** Returns whether a write has a verb and a resource, and a line, if there is one. */
export function isOfKind(write: SimulatedWrite, { verb, resource, site }: SimulatedWrite): boolean {
  return write.verb === verb && write.resource === resource && (site === '' || write.site === site);
}

/** Returns a text that differs for different writes. */
export function writeKey({ verb, resource, site }: SimulatedWrite): string {
  return `${verb} ${resource} ${site}`;
}
