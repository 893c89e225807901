/** The operator of RedisClusters under many schedules; the other operators are in `seeds-apps.test.ts`. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { seedsOf } from '../support/seeds.ts';
import { redisCluster } from './example-operators.ts';

test('the operator of RedisClusters passes every schedule', { timeout: 3_600_000 }, async () => {
  const seeds = seedsOf({ all: 500, few: 2 });
  const report = await simulate(redisCluster.operator, { ...redisCluster.options, seeds });
  expect(report).toMatchObject({ seeds: seeds.length, uses: [] });
  expect(report.requests).toBeGreaterThan(20);
});
