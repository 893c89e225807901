/** The informer of @kubernetes/client-node on the server in memory. */

import { startTestServer, type TestServer } from '@kgen/testserver';
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ namespaces: ['shop'], controllers: false });
});
afterAll(() => server?.stop());

test('sees additions, changes and deletions, also after a cut and after a compaction', async () => {
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const events: string[] = [];
  const informer = makeInformer(config, '/api/v1/namespaces/shop/configmaps', () =>
    core.listNamespacedConfigMap({ namespace: 'shop' }),
  );
  for (const event of ['add', 'update', 'delete'] as const)
    informer.on(event, ({ metadata, data }: V1ConfigMap) => {
      events.push(`${event} ${metadata?.name} ${data?.['key'] ?? ''}`);
    });
  informer.on('error', () => setTimeout(() => void informer.start(), 10));
  const body = (name: string, value: string): V1ConfigMap => ({ metadata: { name }, data: { key: value } });
  const seen = (event: string) => expect.poll(() => events).toContain(event);

  await core.createNamespacedConfigMap({ namespace: 'shop', body: body('first', 'a') });
  await informer.start();
  await seen('add first a');
  await core.replaceNamespacedConfigMap({ namespace: 'shop', name: 'first', body: body('first', 'b') });
  await seen('update first b');

  server.faults.cutWatches();
  await core.createNamespacedConfigMap({ namespace: 'shop', body: body('second', 'c') });
  await seen('add second c');

  server.faults.endWatches();
  await core.deleteNamespacedConfigMap({ namespace: 'shop', name: 'first' });
  server.faults.compact();
  await seen('delete first b');
  expect(informer.list().map(({ metadata }) => metadata?.name)).toEqual(['second']);
  await informer.stop();
});
