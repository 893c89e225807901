/** An operator of somebody else without its bugs, which no seed may accuse. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { options, portedOperator } from './ported/index.ts';

const seeds = seedsOf({ all: 40, few: 2 });

test('does not accuse the ported operator', { timeout: 3_600_000 }, async () => {
  const report = await simulate(portedOperator(), { ...options, seeds });
  expect(report.seeds).toBe(seeds.length);
});
