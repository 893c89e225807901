import { samplesOf, simulate } from '@kgen/testing';
import { test } from 'vitest';
import { redisClusters } from '../generated/cache.example.com/v1/index.js';
import { operator } from '../src/operator.js';

test('reaches the desired state whatever happens', { timeout: 300_000 }, async () => {
  await simulate(operator, {
    crds: ['config/crd'],
    objects: ['config/webhook/validating.yaml'],
    as: 'config/rbac',
    samples: samplesOf(redisClusters),
    // A backup is kept after the deletion of its cluster.
    outlives: ({ kind }) => kind === 'Job',
    seeds: 100,
  });
});
