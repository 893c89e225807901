/** Counts of runs as values, which processes send to each other, and the report of all of them. */
import type { BoundRole } from '@kgen/testserver/internal/access/permissions';
import { permissionReport } from '@kgen/testserver/internal/access/permissions';
import type { ServiceAccountName } from '@kgen/testserver/internal/identity/user';
import type { Need, NeedLog } from '@kgen/testserver/internal/request/needs';
import { type CountedWrite, countedWrite, coverageOf, joinedWrites } from '../simulate/coverage.ts';
import type { SimulationReport } from '../simulate/options.ts';
import type { RunResult } from '../simulate/run/run-result.ts';
import type { FaultClass } from '../simulate/schedule/actions.ts';

/** Counts of some runs. Those of several are joined in the order of their seeds. */
export interface Tally {
  readonly requests: number;
  readonly uses: readonly string[];
  readonly writes: readonly CountedWrite[];
  readonly needs: readonly Need[];
  /** Fields that depend on chance. */
  readonly chance: readonly string[];
}

/** Facts about an operator that do not depend on seeds. */
export interface OperatorFacts {
  /** Faults that can occur at a write. */
  readonly possible: readonly FaultClass[];
  readonly account: ServiceAccountName | undefined;
  readonly roles: readonly BoundRole[];
}

/** The tally of no run. */
export const nothingCounted: Tally = { requests: 0, uses: [], writes: [], needs: [], chance: [] };

/** Adds up two tallies, of which the first one has the earlier seeds. */
export function joined(one: Tally, other: Tally): Tally {
  return {
    requests: one.requests + other.requests,
    uses: [...new Set([...one.uses, ...other.uses])],
    writes: joinedWrites([...one.writes, ...other.writes]),
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

/** Counts runs. */
export class Counter {
  readonly #log: Pick<NeedLog, 'all'>;
  #requests = 0;
  #uses: string[] = [];
  #writes: CountedWrite[] = [];
  #needs: readonly Need[] = [];

  /** @param log permissions that all runs have needed */
  constructor(log: Pick<NeedLog, 'all'>) {
    this.#log = log;
  }

  add({ requests, uses, writes }: Pick<RunResult, 'requests' | 'uses' | 'writes'>): void {
    this.#requests += requests;
    this.#uses = [...new Set([...this.#uses, ...uses])];
    const counted = writes.map(({ write, faults }) => countedWrite(write, faults));
    this.#writes = [...joinedWrites([...this.#writes, ...counted])];
  }

  /** Returns the counts since the last call. */
  take(chance: readonly string[]): Tally {
    const before = this.#needs;
    this.#needs = this.#log.all();
    const tally: Tally = {
      requests: this.#requests,
      uses: this.#uses,
      writes: this.#writes,
      // The log keeps its order, and adds new needs at its end.
      needs: this.#needs.flatMap((need, index) => {
        const count = need.count - (before[index]?.count ?? 0);
        return count === 0 ? [] : [{ ...need, count }];
      }),
      chance,
    };
    [this.#requests, this.#uses, this.#writes] = [0, [], []];
    return tally;
  }
}

/** Returns the members of a report that depend on the runs. */
export function countedReport(
  { requests, uses, writes, needs, chance }: Tally,
  { possible, account, roles }: OperatorFacts,
): Omit<SimulationReport, 'seeds' | 'failures'> {
  return {
    requests,
    uses,
    coverage: coverageOf(writes, possible),
    permissions: account && permissionReport(account, roles, needs),
    chance,
  };
}
