// A test for the runner of Node.js, with a server in its own process.
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Clientset } from '@kgen/kubernetes';
import { startTestServer } from '@kgen/testserver';

test('a Deployment becomes available', async () => {
  const server = await startTestServer({ namespaces: ['shop'], controllers: true });
  const clientset = new Clientset(server.config);
  const deployments = clientset.appsV1.deployments('shop');
  const labels = { app: 'web' };
  const spec = { containers: [{ name: 'main', image: 'nginx' }] };
  await deployments.create({
    metadata: { name: 'web' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const ready = await deployments.waitFor('web', (each) => each?.status?.availableReplicas === 1, {
    timeoutMs: 30_000,
  });
  assert.equal(ready?.status?.availableReplicas, 1);
  await clientset.close();
  await server.stop();
});
