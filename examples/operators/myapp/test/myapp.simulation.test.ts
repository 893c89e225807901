import { samplesOf, simulate } from '@kgen/testing';
import { test } from 'vitest';
import { myApps } from '../generated/my.domain/v1/index.js';
import { operator } from '../src/operator.js';

test('reaches the desired state whatever happens', { timeout: 300_000 }, async () => {
  await simulate(operator, {
    crds: ['config/crd'],
    as: 'config/rbac',
    samples: samplesOf(myApps),
    seeds: 100,
  });
});
