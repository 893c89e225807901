/** Creates, watches, scales and deletes custom resources through a generated client, against an API server in memory. */
import { isConflict, isInvalid } from '@kgen/runtime';
import { startTestServer } from '@kgen/testing';
import { Clientset, InformerFactory } from '../generated/crds/index.js';

const crd = (name: string): URL => new URL(`../../../crds/${name}.yaml`, import.meta.url);

const server = await startTestServer({ crds: [crd('myapp'), crd('rediscluster')] });
const clientset = new Clientset(server.config);
const caches = clientset.cacheV1.redisClusters('default');

console.log('\ncreate: defaults are filled in by the server');
const created = await caches.create({
  metadata: { name: 'carts' },
  spec: { version: '7.4', minReady: 2 },
});
console.log(
  `  ${created.metadata.name}: replicas ${created.spec?.replicas}, eviction ${created.spec?.evictionPolicy}`,
);

console.log('informer: the cache follows');
const informers = new InformerFactory(clientset, { namespace: 'default' });
const informer = informers.cacheV1.redisClusters();
informer.handle({
  add: (cache) => console.log(`  added ${cache.metadata.name}`),
  update: (cache) =>
    console.log(`  updated ${cache.metadata.name}: ${cache.status?.phase ?? 'no phase yet'}`),
  delete: (cache) => console.log(`  deleted ${cache.metadata.name}`),
});
await informers.start();
await informers.waitForSync();

console.log('status and scale: subresources with types of their own');
await caches.updateStatus({ ...created, status: { phase: 'Running', replicas: 3, readyReplicas: 3 } });
await caches.patchScale('carts', { spec: { replicas: 5 } });
const ready = await caches.waitFor(
  'carts',
  (cache) => cache?.status?.phase === 'Running' && cache.spec?.replicas === 5,
);
console.log(`  ${ready?.metadata.name}: ${ready?.spec?.replicas} replicas, ${ready?.status?.phase}`);

console.log('errors: what the server says, with its causes');
await caches.update({ ...created, spec: { version: '7.4', replicas: 2 } }).catch((error: unknown) => {
  if (!isConflict(error)) throw error;
  console.log(`  ${error.message}`);
});
await caches.patch('carts', { spec: { minReady: 8 } }).catch((error: unknown) => {
  if (!isInvalid(error)) throw error;
  console.log(`  ${error.message}`);
});

console.log('list, from the server and from the cache');
const apps = clientset.myV1.myApps('default');
for (const name of ['shop', 'search', 'mail']) {
  await apps.create({
    metadata: { name, labels: { tier: 'web' } },
    spec: { appName: name, version: '1.0.0' },
  });
}
const pages: string[] = [];
for await (const app of apps.iterate({ pageSize: 2, labelSelector: { tier: 'web' } }))
  pages.push(app.metadata.name);
console.log(`  ${pages.join(', ')}`);
console.log(
  `  ${informer.lister
    .list()
    .map((cache) => cache.metadata.name)
    .join(', ')}`,
);

await caches.deleteAndWait('carts');
await informers.stop();
await clientset.close();
await server.stop();
