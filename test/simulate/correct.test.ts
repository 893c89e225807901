/** Operators without bugs, which no seed may accuse. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { correctOperators } from './correct/index.ts';

const seeds = seedsOf({ all: 4, few: 1 });

test.each(Object.entries(correctOperators))(
  'does not accuse a correct operator: %s',
  { timeout: 3_600_000 },
  async (_, { operator, options }) => {
    const report = await simulate(operator, { ...options, seeds });
    expect(report.seeds).toBe(seeds.length);
  },
);
