/** Assignment of the seeds of a simulation to processes, and the results of all of them: values only. */
import type { FailureContent } from '../../report/document.ts';
import { joined, nothingCounted, type Tally } from '../../report/tally.ts';
import type { SeedContent } from '../ran-seeds.ts';

/** Work of a process. Seeds are counted from 0 in the list of all of them. */
export type Task =
  | { readonly do: 'run'; readonly from: number; readonly to: number }
  | { readonly do: 'reduce'; readonly index: number; readonly kind: string }
  | { readonly do: 'endure' };

/** A seed that has failed, and the kind of its failure before its schedule is reduced. */
export interface FailingSeed {
  readonly index: number;
  readonly kind: string;
}

/** Result of a task. */
export type TaskResult =
  /** Without `isContinuing`, a task ends with its first failure. */
  | {
      readonly type: 'ran';
      readonly from: number;
      readonly to: number;
      readonly failing: readonly FailingSeed[];
      readonly tally: Tally;
    }
  | {
      readonly type: 'reduced';
      readonly index: number;
      readonly failure: FailureContent;
      readonly tally: Tally;
    }
  | { readonly type: 'endured'; readonly failure: FailureContent | undefined; readonly tally: Tally };

/** Seeds that have run one after the other. */
type EndedSeeds = Extract<TaskResult, { readonly type: 'ran' }>;

/** A simulation whose seeds run in several processes. */
export interface Assignment {
  readonly seeds: readonly number[];
  /** Whether the simulation continues after a failure. */
  readonly isContinuing: boolean;
  /** Begin of the next task. */
  readonly next: number;
  /** Number of seeds that have ended, and all before them: their failures are known. */
  readonly settled: number;
  /** Seeds that have ended before others of lower numbers. */
  readonly ahead: readonly EndedSeeds[];
  /** Failures of the settled seeds. */
  readonly failing: readonly FailingSeed[];
  /** Counts of the settled seeds, and those before all seeds. */
  readonly tally: Tally;
  /** Counts of all other runs. */
  readonly others: Tally;
  /** Failures whose schedules are reduced; without `failure`, until a process has done it. */
  readonly reductions: readonly Reduction[];
  /** The search for leaks, which is done once. */
  readonly leaks: 'open' | 'begun' | 'done';
  readonly leak: FailureContent | undefined;
}

interface Reduction extends FailingSeed {
  readonly failure?: FailureContent;
}

/** Maximum number of seeds of a task. */
const seedsPerTask = 4;

/** Seeds for which one more process takes less time than it needs to start. */
export const seedsPerJob = 25;

/** Returns the number of processes. */
export function jobsFor(requested: number | undefined, cores: number, seeds: number): number {
  const most = requested === undefined ? Math.min(cores, Math.floor(seeds / seedsPerJob)) : requested;
  return Math.max(1, Math.min(most, Math.ceil(seeds / seedsPerTask)));
}

/** Returns a simulation of which no seed has run. */
export function assignmentOf({
  seeds,
  isContinuing,
  checksLeaks,
  tally,
}: Pick<Assignment, 'seeds' | 'isContinuing' | 'tally'> & { readonly checksLeaks: boolean }): Assignment {
  return {
    ...{ seeds, isContinuing, next: 0, settled: 0, ahead: [], failing: [], tally, others: nothingCounted },
    ...{ reductions: [], leaks: checksLeaks ? 'open' : 'done', leak: undefined },
  };
}

/** Returns the next task, and the simulation in which it is assigned; no task if the process must wait. */
export function assigned(state: Assignment): readonly [state: Assignment, task: Task | undefined] {
  const { seeds, next, leaks, isContinuing } = state;
  const due = dueReduction(state);
  if (due !== undefined)
    return [
      { ...state, reductions: [...state.reductions, due] },
      { do: 'reduce', ...due },
    ];
  const hasFailed = state.failing.length > 0 || state.ahead.some(({ failing }) => failing.length > 0);
  if (hasFailed && !isContinuing) return [state, undefined];
  if (next < seeds.length) {
    const to = endOfTask(seeds, next);
    return [
      { ...state, next: to },
      { do: 'run', from: next, to },
    ];
  }
  if (leaks === 'open') return [{ ...state, leaks: 'begun' }, { do: 'endure' }];
  return [state, undefined];
}

/** Two seeds in a row, of which the first is even, share their run without faults: they stay together. */
function endOfTask(seeds: readonly number[], from: number): number {
  const group = (index: number): number => Math.floor((seeds[index] ?? 0) / seedsPerTask);
  let to = from + 1;
  while (to < seeds.length && to < from + seedsPerTask && group(to) === group(from)) to += 1;
  return to;
}

/** Returns the first failure of a kind that is not known yet. */
function dueReduction(state: Assignment): FailingSeed | undefined {
  const { isContinuing, failing, reductions } = state;
  const open = isContinuing ? failing : failing.slice(0, 1);
  return open.find(
    ({ index, kind }) =>
      !reductions.some((each) => each.index === index || (each.kind === kind && explains(each))),
  );
}

/** One that behaves differently in two runs is not that of other seeds; one that is not known yet may be. */
function explains({ failure }: Reduction): boolean {
  return failure?.check !== 'determinism';
}

/** Returns the simulation after the end of a task. */
export function ended(state: Assignment, result: TaskResult): Assignment {
  if (result.type === 'ran') return settle({ ...state, ahead: [...state.ahead, result] });
  const { failure, tally } = result;
  const others = joined(state.others, tally);
  if (result.type === 'endured') return { ...state, others, leaks: 'done', leak: failure };
  const reductions = state.reductions.map((each) =>
    each.index === result.index ? { ...each, failure: result.failure } : each,
  );
  return { ...state, others, reductions };
}

/** Counts in the order of seeds, so that the result does not depend on the processes. */
function settle(state: Assignment): Assignment {
  const { ahead, settled } = state;
  const following = ahead.find(({ from }) => from === settled);
  if (following === undefined) return state;
  const { to, failing, tally } = following;
  return settle({
    ...state,
    settled: to,
    ahead: ahead.filter((each) => each !== following),
    failing: [...state.failing, ...failing],
    tally: joined(state.tally, tally),
  });
}

/** The end of a simulation: its only failure, or those of its seeds. */
export type Outcome =
  | { readonly type: 'failed'; readonly failure: FailureContent }
  | { readonly type: 'ran'; readonly failures: readonly SeedContent[]; readonly tally: Tally };

/** Returns the end of a simulation; `undefined` while tasks are open. */
export function outcomeOf(state: Assignment): Outcome | undefined {
  const { isContinuing, settled, seeds, leaks, leak, failing } = state;
  const failures = knownFailures(state);
  if (!isContinuing && failing.length > 0) {
    const [first] = failures;
    return first && { type: 'failed', failure: first.error };
  }
  if (settled < seeds.length || leaks !== 'done' || failures.length < failing.length) return undefined;
  if (leak !== undefined && !isContinuing) return { type: 'failed', failure: leak };
  const leaking = leak === undefined ? [] : [{ seed: 0, error: leak }];
  return { type: 'ran', failures: [...failures, ...leaking], tally: joined(state.tally, state.others) };
}

/** Returns the failures of settled seeds whose kinds are known. */
export function knownFailures({ seeds, failing, reductions }: Assignment): readonly SeedContent[] {
  const own = new Map(reductions.map(({ index, failure }) => [index, failure]));
  const kinds = new Map(reductions.filter(explains).map(({ kind, failure }) => [kind, failure]));
  return failing.flatMap(({ index, kind }) => {
    const error = own.get(index) ?? kinds.get(kind);
    return error === undefined ? [] : [{ seed: seeds[index] ?? 0, error }];
  });
}
