/** The operators of MyApps and Foos under many schedules; RedisClusters are in `seeds-clusters.test.ts`. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { foo, myApp } from './example-operators.ts';

test.each([
  ['MyApps', myApp],
  ['Foos', foo],
])(
  'the operator of %s passes every schedule, and uses nothing that a simulation replaces',
  { timeout: 3_600_000 },
  async (_, { operator, options }) => {
    const seeds = seedsOf({ all: 500, few: 2 });
    const report = await simulate(operator, { ...options, seeds });
    expect(report).toMatchObject({ seeds: seeds.length, uses: [] });
    expect(report.requests).toBeGreaterThan(20);
  },
);
