import { describe, expect, it } from 'vitest';
import { budgets } from './budgets.mjs';
import { budgetOf, judge, judgeRuns, tableOf } from './verdicts.mjs';

describe('the budget of a row', () => {
  it.each([
    ['time', ['time'], 0],
    ['time of kgen', ['time'], undefined],
    ['10 pods: time', ['* pods: time'], 0],
    ['10 pods: time, all', ['* pods: time'], undefined],
    ['a, b, c', ['a, *, c', 'a*'], 0],
    ['a, c', ['a, *, c', 'a*'], 1],
    ['a, b, c, d', ['a, *, c, *', 'a*'], 0],
    ['aba', ['ab*ba'], undefined],
    ['', ['*'], 0],
  ])('%j with the names %j is number %s', (what, names, expected) => {
    expect(
      budgetOf(
        what,
        names.map((name, index) => [name, index]),
      ),
    ).toBe(expected);
  });
});

describe('the verdict about a row', () => {
  it.each([
    { values: [1, 3, 2], budget: { most: 2 }, verdict: 'met', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { most: 1.9 }, verdict: 'noise', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { most: 0.9 }, verdict: 'missed', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { most: 0 }, verdict: 'missed', best: 1, median: 2 },
    { values: [0, 0, 0], budget: { most: 0 }, verdict: 'met', best: 0, median: 0 },
    { values: [1, 3, 2], budget: { least: 2 }, verdict: 'met', best: 3, median: 2 },
    { values: [1, 3, 2], budget: { least: 2.5 }, verdict: 'noise', best: 3, median: 2 },
    { values: [1, 3, 2], budget: { least: 3.1 }, verdict: 'missed', best: 3, median: 2 },
    { values: [5], budget: { most: 4 }, verdict: 'missed', best: 5, median: 5 },
    { values: [1, 3, 2], budget: { most: 0.9, limit: 1.1 }, verdict: 'short', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { most: 0.8, limit: 0.9 }, verdict: 'missed', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { most: 1, limit: 1.1 }, verdict: 'noise', best: 1, median: 2 },
    { values: [1, 3, 2], budget: { least: 4, limit: 3 }, verdict: 'short', best: 3, median: 2 },
    { values: [1, 3, 2], budget: { least: 4, limit: 3.1 }, verdict: 'missed', best: 3, median: 2 },
    { values: [1, 3, 2], budget: { least: 2, limit: 1 }, verdict: 'met', best: 3, median: 2 },
    { values: [1, 3, 2], budget: undefined, verdict: 'noted', best: 1, median: 2 },
    { values: [Number.NaN, 1, 1], budget: { most: 0.5 }, verdict: 'missed', best: 1, median: 1 },
  ])('with $values and the budget $budget is $verdict', ({ values, budget, ...expected }) => {
    expect(judge(values, budget)).toMatchObject(expected);
  });

  it('is missed if no run has a number', () => {
    expect(judge([Number.NaN], { most: 1 }).verdict).toBe('missed');
  });
});

it('rows of all runs are judged together, and printed as a table', () => {
  const row = (what: string, value: number, unit = '×') => ({ what, value, unit });
  const runs = [
    [row('a', 0.4567), row('b', 12_345.6, 'MB')],
    [row('a', 2), row('b', 3), row('c', 1)],
    [row('b', 20_000, 'MB'), row('d', 7)],
  ];
  const rows = judgeRuns(runs, [
    ['a', { most: 0.4 }],
    ['b', { least: 5 }],
    ['d', { most: 5, limit: 8 }],
  ]);
  expect(rows.map(({ what, values, verdict }) => [what, values, verdict])).toEqual([
    ['a', [0.4567, 2], 'missed'],
    ['b', [12_345.6, 3, 20_000], 'met'],
    ['c', [1], 'noted'],
    ['d', [7], 'short'],
  ]);
  expect(tableOf(rows)).toEqual([
    'verdict  budget   best   median  unit  row',
    'MISSED   ≤ 0.4    0.457  2       ×     a',
    'met      ≥ 5      20000  12346   MB    b',
    'noted             1      1       ×     c',
    'short    ≤ 5 (8)  7      7       ×     d',
  ]);
});

it('every budget is one number, perhaps with a limit beyond it, and its name is the only one', () => {
  const names = budgets.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [name, budget] of budgets) {
    const { limit, ...goal } = budget;
    expect(Object.values(goal), name).toEqual([expect.any(Number)]);
    if (limit !== undefined) expect(judge([limit], goal).verdict, name).toBe('missed');
    expect(budgetOf(name.replaceAll('*', 'x'), budgets), name).toEqual(expect.any(Object));
  }
});
