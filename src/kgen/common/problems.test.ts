import { expect, test } from 'vitest';
import {
  error,
  formatProblem,
  type InputProblem,
  limitPerFile,
  maxListed,
  ProblemLog,
  quoteAll,
  sortProblems,
  warning,
} from './problems.ts';

test.each([
  { given: error('x: do y', { file: 'a', line: 1, column: 2 }), want: 'a:1:2: error: x: do y' },
  { given: error('x', { file: 'a', line: 1 }), want: 'a:1: error: x' },
  { given: warning('x', { file: 'a' }), want: 'a: warning: x' },
  { given: error('x'), want: 'error: x' },
  {
    given: error('a\nb\u001b[31m\u202e', { file: 'f\n' }),
    want: 'f\\u000a: error: a\\u000ab\\u001b[31m\\u202e',
  },
])('$want', ({ given, want }) => {
  expect(formatProblem(given)).toBe(want);
});

test('sorts problems by place, each once', () => {
  const sorted: readonly InputProblem[] = [
    error('z', { file: 'a' }),
    error('b', { file: 'a', line: 2, column: 1 }),
    warning('a', { file: 'a', line: 2, column: 1 }),
    error('a', { file: 'a', line: 10 }),
    error('a', { file: 'b', line: 1 }),
    error('no place'),
  ];
  expect(sortProblems([...sorted, ...sorted].reverse())).toEqual(sorted);
});

test.each([
  { given: ['a'], want: '"a"' },
  { given: ['a', 'b"', 'c'], want: '"a", "b\\"", "c"' },
  { given: [...'abcdefgh'], want: '"a", "b", "c", "d", "e", 3 more' },
])('quotes $given.length strings, at most the first ones', ({ given, want }) => {
  expect(quoteAll(given)).toBe(want);
});

const many = (count: number, make: typeof error, file = 'a'): readonly InputProblem[] =>
  Array.from({ length: count }, (_, index) => make(`${index}`, { file, line: index + 1 }));

test.each([
  { given: many(maxListed, error), want: [] },
  {
    given: many(maxListed + 1, error),
    want: [
      error('1 more error from here on, which is left out: correct the others first', {
        file: 'a',
        line: maxListed + 1,
      }),
    ],
  },
  {
    given: [...many(300_000, warning), ...many(2, error)],
    want: [
      ...many(2, error),
      warning(
        `${300_000 - maxListed} more warnings from here on, which are left out: correct the others first`,
        {
          file: 'a',
          line: maxListed + 1,
        },
      ),
    ],
  },
])('limits $given.length problems to the first of each severity', ({ given, want }) => {
  const log = new ProblemLog();
  log.add(given);
  expect(log.problems).toEqual([...given.slice(0, maxListed), ...want]);
});

test('applies the limit per file', () => {
  const given = [...many(maxListed, error, 'a'), ...many(maxListed, error, 'b'), error('no place')];
  expect(limitPerFile(given)).toEqual(given);
  expect(limitPerFile([...given, ...many(7, error, 'b')])).toHaveLength(given.length + 1);
});
