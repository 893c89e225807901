import { webhookConfigurations } from '@kgen/controller/webhooks';
import { pods } from '@kgen/kubernetes/core/v1';
import { stored, tableTests } from '@kgen/testing';
import { expect, test } from 'vitest';
import { operator } from '../src/operator.js';
import { podWebhooks } from '../src/webhooks/pod.js';

const name = 'sidecar-operator';
const { configurations } = webhookConfigurations(podWebhooks, { name, namespace: name });
const labels = { 'sidecar.example.com/inject': 'enabled' };
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } };
const { given } = tableTests(operator, { objects: [...configurations, namespace] });
const pod = (collector: string) =>
  stored(pods, {
    metadata: {
      ...{ name: 'web', namespace: 'shop', labels },
      annotations: { 'sidecar.example.com/collector': collector },
    },
    spec: { containers: [{ name: 'app', image: 'app:1' }] },
  });

test('adds its container to new Pods, and mounts the volume into the others', async () => {
  const { allowed, object } = await given().admission({ create: pod('http://logs.example.com') });
  expect(allowed).toBe(true);
  expect(object?.spec).toMatchObject({
    initContainers: [{ name: 'log-shipper', restartPolicy: 'Always' }],
    containers: [{ name: 'app', volumeMounts: [{ name: 'logs' }] }],
  });
});

test('refuses a collector that is not a URL', async () => {
  const { allowed, causes } = await given().admission({ create: pod('none') });
  expect(allowed).toBe(false);
  expect(causes).toMatchObject([{ field: 'metadata.annotations[sidecar.example.com/collector]' }]);
});
