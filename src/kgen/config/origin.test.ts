import { expect, test } from 'vitest';
import { error, warning } from '../common/problems.ts';
import { inFile } from './origin.ts';

const file = 'kgen.config.yaml';
const settings = { include: ['a'], exclude: ['b'], groupAlias: { x: 'y' } };

test.each([
  ['--include "--exclude" matches nothing', { what: 'include "--exclude" matches nothing', where: { file } }],
  ['--group-alias "x=y" is idle', { what: 'groupAlias "x=y" is idle', where: { file } }],
  ['--include and --exclude select nothing', { what: 'include and exclude select nothing', where: { file } }],
  ['--paths requires --openapi', {}],
  ['the file does not exist', {}],
])('names settings of the file: %s', (what, want) => {
  const problem = warning(what);
  expect(inFile([problem], { file, given: {}, settings })).toEqual([{ ...problem, ...want }]);
});

test('keeps the names of options of the command line', () => {
  const problems = [error('--include and --exclude select nothing'), error('--include "a"')];
  const origin = { file, given: { include: ['a'] }, settings };
  expect(inFile(problems, origin)).toEqual([
    { severity: 'error', what: '--include and exclude select nothing', where: { file } },
    problems[1],
  ]);
  expect(inFile(problems, { file: undefined, given: {}, settings })).toEqual(problems);
});

test('keeps the position of a problem', () => {
  const problem = error('--include is wrong', { file: 'other' });
  expect(inFile([problem], { file, given: {}, settings })).toEqual([problem]);
});
