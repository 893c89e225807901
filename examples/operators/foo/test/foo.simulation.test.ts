import { samplesOf, simulate } from '@kgen/testing';
import { test } from 'vitest';
import { foos } from '../generated/samplecontroller.c9g.io/v1alpha1/index.js';
import { operator } from '../src/operator.js';

test('reaches the desired state whatever happens', { timeout: 300_000 }, async () => {
  await simulate(operator, { crds: ['config/crd'], as: 'config/rbac', samples: samplesOf(foos), seeds: 100 });
});
