/** Keeps RedisClusters in memory with an informer, and reads them through a lister and an index. */
import { loadConfig } from '@kgen/runtime';
import { Clientset, InformerFactory } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('default');
for (const [name, version] of Object.entries({ carts: '7.4', sessions: '7.2', search: '7.4' })) {
  await clusters.create({ metadata: { name }, spec: { version } });
}

const informers = new InformerFactory(clientset, { namespace: 'default' });
const informer = informers.cacheV1.redisClusters();
const byVersion = informer.addIndex('version', (cluster) => [cluster.spec.version]);

// Handlers are called in order; a returned promise is awaited before the next call.
const registration = informer.handle({
  add: (cluster, { isInitial }) =>
    console.log(`add ${cluster.metadata.name}${isInitial ? ' (initial)' : ''}`),
  update: (cluster, old) => console.log(`update ${old.metadata.name}: ${cluster.spec.replicas} replicas`),
  delete: (cluster) => console.log(`delete ${cluster.metadata.name}`),
});
informers.on('error', (error, { informer: name, during }) => console.error(name, during, error));

informers.start();
await informers.waitForSync({ timeoutMs: 30_000 });
await registration.synced; // `add` was called for every object that existed.

// Read from memory, without a request.
console.log(`carts: ${informer.lister.get('default', 'carts')?.spec.version}`);
console.log(
  `version 7.4: ${byVersion
    .get('7.4')
    .map(({ metadata }) => metadata.name)
    .sort()
    .join(', ')}`,
);

await clusters.patch('carts', { spec: { replicas: 5 } });
await clusters.deleteAndWait('search');

await informers.stop();
await clientset.close();
