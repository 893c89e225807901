import { webhookConfigurations, webhooks } from '@kgen/controller/webhooks';
import { RESTClient } from '@kgen/runtime';
import { roundTrips, stored, tableTests } from '@kgen/testing';
import { expect, test } from 'vitest';
import { redisClusters } from '../generated/cache.example.com/v1/index.js';
import { operator } from '../src/operator.js';
import { redisClusterWebhooks } from '../src/webhooks/rediscluster.js';

const declarations = redisClusterWebhooks(new RESTClient({ server: 'http://127.0.0.1:1' }));
const name = 'rediscluster-operator';
const { configurations } = webhookConfigurations(declarations, { name, namespace: name });
const { given } = tableTests(operator, { crds: ['config/crd'], objects: configurations });

test.each([
  { ready: 1, allowed: false },
  { ready: 2, allowed: true },
])('shrinks with $ready of 2 required servers: $allowed', async ({ ready, allowed }) => {
  const cluster = (replicas: number) =>
    stored(redisClusters, {
      metadata: { name: 'carts' },
      spec: { version: '7.4', replicas, minReady: 2 },
      status: { readyReplicas: ready },
    });
  const response = await given(cluster(3)).admission({ update: cluster(2) });
  expect(response).toMatchObject({ allowed, causes: allowed ? [] : [{ field: 'spec.replicas' }] });
});

// Objects are the same after a conversion to another version and back.
await roundTrips(webhooks({ handlers: declarations }), {
  // v1alpha1 describes no status: the operator alone writes it, in v1.
  ignore: ({ from, path }) => from === 'v1alpha1' && path.startsWith('.status'),
});
