/** Counts of runs as values, which processes send to each other, and the report of all of them. */
import type { BoundRole } from '@kgen/testserver/internal/access/permissions';
import { permissionReport } from '@kgen/testserver/internal/access/permissions';
import type { ServiceAccountName } from '@kgen/testserver/internal/identity/user';
import type { Need, NeedLog } from '@kgen/testserver/internal/request/needs';
import {
  type CountedWrite,
  countedWrite,
  coverageOf,
  type Interleaving,
  type InterleavingCoverage,
  joinedInterleavings,
  joinedWrites,
} from '../simulate/coverage.ts';
import type { SimulationReport } from '../simulate/options.ts';
import type { RunResult } from '../simulate/run/run-result.ts';
import type { FaultClass } from '../simulate/schedule/actions.ts';

/** Counts of some runs. Those of several are joined in the order of their seeds. */
export interface Tally {
  readonly requests: number;
  readonly uses: readonly string[];
  readonly writes: readonly CountedWrite[];
  readonly interleavings: readonly InterleavingCoverage[];
  readonly needs: readonly Need[];
  /** Fields that depend on chance. */
  readonly chance: readonly string[];
}

/** Facts about an operator that do not depend on seeds. */
export interface OperatorFacts {
  /** Faults that can occur at a write. */
  readonly possible: readonly FaultClass[];
  /** Interleavings of two controllers that can occur. */
  readonly interleavings: readonly Interleaving[];
  readonly account: ServiceAccountName | undefined;
  readonly roles: readonly BoundRole[];
}

/** The tally of no run. */
export const nothingCounted: Tally = {
  requests: 0,
  uses: [],
  writes: [],
  interleavings: [],
  needs: [],
  chance: [],
};

/** Adds up two tallies, of which the first one has the earlier seeds. */
export function joined(one: Tally, other: Tally): Tally {
  return {
    requests: one.requests + other.requests,
    uses: [...new Set([...one.uses, ...other.uses])],
    writes: joinedWrites([...one.writes, ...other.writes]),
    interleavings: joinedInterleavings([...one.interleavings, ...other.interleavings]),
    needs: joinedNeeds([...one.needs, ...other.needs]),
    chance: [...new Set([...one.chance, ...other.chance])].sort(),
  };
}

function joinedNeeds(needs: readonly Need[]): readonly Need[] {
  const known = new Map<string, Need>();
  for (const need of needs) {
    const { count, userAgent, site, ...decision } = need;
    const key = JSON.stringify(Object.entries(decision).sort());
    const before = known.get(key);
    known.set(key, before === undefined ? need : { ...before, count: before.count + count });
  }
  return [...known.values()];
}

/** Members of a run that are counted. */
type CountedRun = Pick<RunResult, 'requests' | 'uses' | 'writes' | 'interleavings'>;

/** Counts runs. */
export class Counter {
  readonly #log: Pick<NeedLog, 'all'>;
  #requests = 0;
  #uses: string[] = [];
  #writes: readonly CountedWrite[] = [];
  #interleavings: readonly InterleavingCoverage[] = [];
  #needs: readonly Need[] = [];

  /** @param log permissions that all runs have needed */
  constructor(log: Pick<NeedLog, 'all'>) {
    this.#log = log;
  }

  add({ requests, uses, writes, interleavings }: CountedRun): void {
    this.#requests += requests;
    this.#uses = [...new Set([...this.#uses, ...uses])];
    const counted = writes.map(({ write, faults }) => countedWrite(write, faults));
    this.#writes = joinedWrites([...this.#writes, ...counted]);
    const met = interleavings.map((each) => ({ ...each, count: 1 }));
    this.#interleavings = joinedInterleavings([...this.#interleavings, ...met]);
  }

  /** Returns the counts since the last call. */
  take(chance: readonly string[]): Tally {
    const before = this.#needs;
    this.#needs = this.#log.all();
    const tally: Tally = {
      requests: this.#requests,
      uses: this.#uses,
      writes: this.#writes,
      interleavings: this.#interleavings,
      // The log keeps its order, and adds new needs at its end.
      needs: this.#needs.flatMap((need, index) => {
        const count = need.count - (before[index]?.count ?? 0);
        return count === 0 ? [] : [{ ...need, count }];
      }),
      chance,
    };
    [this.#requests, this.#uses, this.#writes, this.#interleavings] = [0, [], [], []];
    return tally;
  }
}

/** Returns the members of a report that depend on the runs. */
export function countedReport(
  { requests, uses, writes, interleavings, needs, chance }: Tally,
  { possible, interleavings: others, account, roles }: OperatorFacts,
): Omit<SimulationReport, 'seeds' | 'failures'> {
  return {
    requests,
    uses,
    coverage: coverageOf(writes, possible),
    interleavings: joinedInterleavings([...interleavings, ...others.map((each) => ({ ...each, count: 0 }))]),
    permissions: account && permissionReport(account, roles, needs),
    chance,
  };
}
