import { describe, expect, test } from 'vitest';
import type { FailureContent } from '../../report/document.ts';
import type { Tally } from '../../report/tally.ts';
import {
  assigned,
  assignmentOf,
  ended,
  jobsFor,
  outcomeOf,
  type Task,
  type TaskResult,
} from './assignment.ts';

/** A simulation: its seeds, the kinds of the failing ones, and those that are not repeatable. */
interface Case {
  readonly seeds: readonly number[];
  readonly kinds: Readonly<Record<number, string>>;
  readonly unrepeatable?: readonly number[];
  readonly isContinuing?: boolean;
  readonly leak?: boolean;
  readonly isSaved?: boolean;
}

const range = (length: number, from = 1): readonly number[] => Array.from({ length }, (_, i) => from + i);

describe('the seeds of several processes', () => {
  test.each<[string, Case, unknown]>([
    ['all pass', { seeds: range(11), kinds: {} }, { failures: [], endured: 1, reduced: [] }],
    ['no seed', { seeds: [], kinds: {} }, { failures: [], endured: 1, reduced: [] }],
    ['a saved schedule', { seeds: [7], kinds: {}, isSaved: true }, { failures: [], endured: 0 }],
    [
      'the first failure',
      { seeds: range(20), kinds: { 13: 'b', 6: 'a', 7: 'a' } },
      { failure: 6, reduced: [6] },
    ],
    ['the first of other seeds', { seeds: [30, 5, 5, 9], kinds: { 5: 'a', 30: 'b' } }, { failure: 30 }],
    ['a leak', { seeds: range(5), kinds: {}, leak: true }, { failure: 0, reduced: [] }],
    [
      'a failure before a leak',
      { seeds: range(5), kinds: { 5: 'a' }, leak: true },
      { failure: 5, reduced: [5] },
    ],
    [
      'distinct failures',
      { seeds: range(30, 2), kinds: { 3: 'a', 29: 'b', 30: 'a', 31: 'b' }, isContinuing: true },
      { failures: ['3: 3', '29: 29', '30: 3', '31: 29'], reduced: [3, 29], endured: 1 },
    ],
    [
      'an operator that is not repeatable',
      { seeds: range(12), kinds: { 2: 'a', 4: 'a', 9: 'a' }, unrepeatable: [2], isContinuing: true },
      { failures: ['2: 2', '4: 4', '9: 4'], reduced: [2, 4] },
    ],
    [
      'failures and a leak',
      { seeds: range(6), kinds: { 1: 'a' }, isContinuing: true, leak: true },
      { failures: ['1: 1', '0: 0'], reduced: [1] },
    ],
  ])('have one result, whatever the number and the order of processes: %s', (_, scenario, expected) => {
    const results = [1, 2, 3, 7].flatMap((jobs) =>
      range(20).map((order) => JSON.stringify(played(scenario, jobs, order))),
    );
    expect(new Set(results).size).toBe(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject(Object(expected));
  });

  test('count in their order', () => {
    const { uses } = played({ seeds: range(30), kinds: {} }, 3, 5);
    expect(uses).toEqual(['before', ...range(30).map(String), 'others']);
  });

  test.each([
    [undefined, 8, 100, 4],
    [undefined, 2, 100, 2],
    [undefined, 8, 49, 1],
    [undefined, 8, 50, 2],
    [undefined, 1, 1_000, 1],
    [3, 1, 12, 3],
    [3, 8, 5, 2],
    [1, 8, 1_000, 1],
    [4, 8, 0, 1],
  ])('run in several processes: --jobs %s, %d cores, %d seeds: %d', (requested, cores, seeds, jobs) => {
    expect(jobsFor(requested, cores, seeds)).toBe(jobs);
  });
});

/** Plays a simulation. Which of the processes ends first depends on `order`. */
function played(scenario: Case, jobs: number, order: number) {
  const { seeds, isContinuing = false, leak = false, isSaved = false } = scenario;
  let state = assignmentOf({ seeds, isContinuing, checksLeaks: !isSaved, tally: tallyOf(['before']) });
  const running: Task[] = [];
  const reduced: number[] = [];
  let endured = 0;
  let turn = order;
  for (;;) {
    const outcome = outcomeOf(state);
    if (outcome !== undefined) {
      const found =
        outcome.type === 'failed'
          ? { failure: outcome.failure.seed }
          : {
              failures: outcome.failures.map(({ seed, error }) => `${seed}: ${error.seed}`),
              endured,
              uses: outcome.tally.uses,
            };
      return { uses: [], ...found, reduced: reduced.sort((a, b) => a - b) };
    }
    while (running.length < jobs) {
      const [next, task] = assigned(state);
      state = next;
      if (task === undefined) break;
      if (task.do === 'endure') endured += 1;
      if (task.do === 'reduce') reduced.push(seeds[task.index] ?? 0);
      running.push(task);
    }
    turn = (turn * 7_919 + 13) % 10_007;
    const [task] = running.splice(turn % running.length, 1);
    if (task === undefined) throw new Error('no process has a task, and the simulation has not ended');
    state = ended(state, resultOf(scenario, task, leak));
  }
}

function resultOf(
  { seeds, kinds, unrepeatable = [], isContinuing }: Case,
  task: Task,
  leak: boolean,
): TaskResult {
  if (task.do === 'endure')
    return { type: 'endured', failure: leak ? failureOf(0, 'leak') : undefined, tally: tallyOf(['others']) };
  if (task.do === 'reduce') {
    const seed = seeds[task.index] ?? 0;
    const failure = failureOf(seed, unrepeatable.includes(seed) ? 'determinism' : 'convergence');
    return { type: 'reduced', index: task.index, failure, tally: tallyOf(['others']) };
  }
  const { from, to } = task;
  const all = range(to - from, from).flatMap((index) => {
    const kind = kinds[seeds[index] ?? 0];
    return kind === undefined ? [] : [{ index, kind }];
  });
  const failing = isContinuing === true ? all : all.slice(0, 1);
  return { type: 'ran', from, to, failing, tally: tallyOf(seeds.slice(from, to).map(String)) };
}

function failureOf(seed: number, check: string): FailureContent {
  return { seed, check, site: '', story: '', timeline: [], reference: [] };
}

function tallyOf(uses: readonly string[]): Tally {
  return { requests: 1, uses, writes: [], interleavings: [], needs: [], chance: [] };
}
