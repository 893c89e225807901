import { expect, test } from 'vitest';
import { error, type InputProblem, warning } from '../common/problems.ts';
import { coloured, plain, wantsColors } from './colors.ts';
import { problemLine } from './lines.ts';

test.each([
  { env: {}, terminal: true, want: true },
  { env: {}, terminal: false, want: false },
  { env: { NO_COLOR: '1' }, terminal: true, want: false },
  { env: { NO_COLOR: '' }, terminal: true, want: true },
  { env: { TERM: 'dumb' }, terminal: true, want: false },
  { env: { FORCE_COLOR: '1' }, terminal: false, want: true },
  { env: { FORCE_COLOR: '' }, terminal: false, want: true },
  { env: { FORCE_COLOR: '0' }, terminal: true, want: false },
  { env: { FORCE_COLOR: 'false' }, terminal: true, want: false },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, terminal: false, want: true },
])('$env on a terminal: $terminal', ({ env, terminal, want }) => {
  expect(wantsColors(env, terminal)).toBe(want);
});

const lines: readonly { problem: InputProblem; want: string }[] = [
  { problem: error('no', { file: 'error: x', line: 2 }), want: 'error: x:2: \u001b[31merror\u001b[0m: no\n' },
  { problem: warning('hm'), want: '\u001b[33mwarning\u001b[0m: hm\n' },
  {
    problem: error('\u001b[2J', { file: '\u001b' }),
    want: '\\u001b: \u001b[31merror\u001b[0m: \\u001b[2J\n',
  },
];

test.each(lines)('colours the severity in a line: $want', ({ problem, want }) => {
  expect(problemLine(problem, coloured)).toBe(want);
  expect(problemLine(problem, plain)).not.toContain('\u001b');
});
