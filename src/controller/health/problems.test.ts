import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { Problems } from './problems.ts';

it('reports a problem until it is over, and again when it occurs again', () => {
  const problems = new Problems(new FakeClock());
  let renewals = 0;
  const failed = (): void => {
    const before = renewals;
    problems.add('leader election', 'Timeout', () => renewals > before);
  };
  failed();
  expect(problems.list()).toEqual(['leader election: Timeout']);
  renewals += 1;
  failed();
  expect(problems.list()).toEqual(['leader election: Timeout']);
  renewals += 1;
  expect(problems.list()).toEqual([]);
});

it('has room for new problems once older ones are over', async () => {
  const clock = new FakeClock();
  const problems = new Problems(clock);
  for (let index = 0; index < 100; index += 1) problems.add(`part ${index}`, 'Error');
  problems.add('late', 'Error');
  expect(problems.list().includes('late: Error')).toBe(false);
  await clock.advance(600_001);
  problems.add('later', 'Error');
  expect(problems.list()).toEqual(['later: Error']);
});
