/** The operator of RedisClusters under many schedules; the other operators are in `seeds-apps.test.ts`. */
import { simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { redisCluster, schedules } from './example-operators.ts';

test('the operator of RedisClusters passes every schedule', { timeout: 3_600_000 }, async () => {
  const report = await simulate(redisCluster.operator, { ...redisCluster.options, seeds: schedules });
  expect(report).toMatchObject({ seeds: schedules.length, uses: [] });
  expect(report.requests).toBeGreaterThan(20);
});
