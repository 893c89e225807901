/** The operators of MyApps and Foos under many schedules; RedisClusters are in `seeds-clusters.test.ts`. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { foo, myApp, schedules } from './example-operators.ts';

test.each([
  ['MyApps', myApp],
  ['Foos', foo],
])(
  'the operator of %s passes every schedule, and uses nothing that a simulation replaces',
  { timeout: 3_600_000 },
  async (_, { operator, options }) => {
    const report = await simulate(operator, { ...options, seeds: schedules });
    expect(report).toMatchObject({ seeds: schedules.length, uses: [] });
    expect(report.requests).toBeGreaterThan(20);
  },
);
