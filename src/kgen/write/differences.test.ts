import { expect, test } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { differences } from './differences.ts';
import { emptyPlan } from './plan.ts';

test('returns a problem for each file that a plan would change', () => {
  const plan = {
    ...emptyPlan,
    create: [{ path: 'new.ts', before: '', after: 'a\n' }],
    update: [{ path: 'g/v1/types.ts', before: 'a\nb\n', after: 'a\nc\nd\n' }],
    remove: [{ path: 'old.ts', before: 'a\n', after: '' }],
    unchanged: ['index.ts'],
  };
  expect(differences('./out', plan).map(formatProblem)).toEqual([
    './out/new.ts: error: the file is missing',
    './out/g/v1/types.ts: error: the file differs from the output of kgen (+2 -1 lines)',
    './out/old.ts: error: the file is left over from an earlier run',
  ]);
  expect(differences('./out', emptyPlan)).toEqual([]);
});
