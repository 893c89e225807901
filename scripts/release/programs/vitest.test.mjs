import '@kgen/testing/vitest';
import { samplesOf, simulate } from '@kgen/testing';
import { expect, test } from 'vitest';
import { operator } from './operator.ts';
import { myApps } from './stripped/my.domain/v1/index.ts';

test('an operator passes', async () => {
  const options = { crds: ['crds/myapp.yaml'], samples: samplesOf(myApps), seeds: 1 };
  const report = await simulate(operator, options);
  expect(report.seeds).toBe(1);
  await expect(operator).toPassSimulation(options);
}, 120_000);
