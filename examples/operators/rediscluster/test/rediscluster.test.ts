import { deleted, stored, tableTests } from '@kgen/testing';
import { expect, test } from 'vitest';
import { redisClusters } from '../generated/cache.example.com/v1/index.js';
import { operator } from '../src/operator.js';

const { given } = tableTests(operator, { crds: ['config/crd'] });
const cluster = stored(redisClusters, { metadata: { name: 'carts' }, spec: { version: '7.4', replicas: 3 } });

test('becomes a Service and a StatefulSet', async () => {
  const { writes } = await given(cluster).run();
  expect(writes).toMatchObject([
    { verb: 'patch', resource: 'redisclusters' }, // The finalizer.
    { verb: 'create', resource: 'services' },
    { verb: 'patch', resource: 'services' }, // Its fields become applied ones.
    { verb: 'apply', body: { spec: { clusterIP: 'None' } } },
    { verb: 'create', resource: 'statefulsets' },
    { verb: 'patch', resource: 'statefulsets' },
    { verb: 'apply', body: { spec: { replicas: 3, serviceName: 'carts' } } },
    { verb: 'apply status', resource: 'redisclusters', body: { status: { phase: 'Pending' } } },
  ]);
});

test('is backed up before its end', async () => {
  const { writes } = await given(cluster).reconciled().when(deleted(redisClusters, 'carts')).run();
  expect(writes).toMatchObject([{ verb: 'apply', resource: 'jobs' }]);
});
