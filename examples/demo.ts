/**
 * Creates, watches, scales and deletes custom resources through a generated client, against an API server in
 * memory. Each line of the output names the client that was called, the verb and the resource.
 */
import { isConflict, isInvalid } from '@kgen/runtime';
import { startTestServer } from '@kgen/testing';
import { Clientset, InformerFactory } from '../generated/crds/index.js';

const crd = (name: string): URL => new URL(`../../../crds/${name}.yaml`, import.meta.url);
const print = (client: string, line: string): void => console.log(`  ${client.padEnd(10)} ${line}`);

const server = await startTestServer({ crds: [crd('myapp'), crd('rediscluster')] });
const clientset = new Clientset(server.config);
const clusters = clientset.cacheV1.redisClusters('default');
console.log('\nAPI server in memory with the CRDs redisclusters.cache.example.com and myapps.my.domain');

console.log('\nCreate: the server sets defaults');
const created = await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4', minReady: 2 } });
const { replicas, evictionPolicy } = created.spec;
print(
  'clientset',
  `create RedisCluster default/carts -> replicas ${replicas}, evictionPolicy ${evictionPolicy}`,
);

console.log('\nInformer: handlers are called for every change');
const informers = new InformerFactory(clientset, { namespace: 'default' });
const informer = informers.cacheV1.redisClusters();
informer.handle({
  add: ({ metadata }) => print('informer', `add RedisCluster default/${metadata.name}`),
  update: ({ metadata, spec, status }) =>
    print(
      'informer',
      `update RedisCluster default/${metadata.name}: replicas ${spec.replicas}, phase ${status?.phase}`,
    ),
  delete: ({ metadata }) => print('informer', `delete RedisCluster default/${metadata.name}`),
});
informers.start();
await informers.waitForSync();

console.log('\nSubresources status and scale');
await clusters.updateStatus({ ...created, status: { phase: 'Running', replicas: 3, readyReplicas: 3 } });
print('clientset', 'updateStatus RedisCluster default/carts -> phase Running');
await clusters.patchScale('carts', { spec: { replicas: 5 } });
print('clientset', 'patchScale RedisCluster default/carts -> replicas 5');
const scaled = await clusters.waitFor(
  'carts',
  (cluster) => cluster?.status?.phase === 'Running' && cluster.spec.replicas === 5,
);
print(
  'clientset',
  `waitFor RedisCluster default/carts -> ${scaled?.spec.replicas} replicas, ${scaled?.status?.phase}`,
);

console.log('\nErrors name the operation and the cause');
await clusters.update({ ...created, spec: { version: '7.4', replicas: 2 } }).catch((error: unknown) => {
  if (!isConflict(error)) throw error;
  print('clientset', error.message);
});
await clusters.patch('carts', { spec: { minReady: 8 } }).catch((error: unknown) => {
  if (!isInvalid(error)) throw error;
  print('clientset', error.message);
});

console.log('\nLists, from the server and from memory');
const apps = clientset.myV1.myApps('default');
for (const name of ['shop', 'search', 'mail']) {
  const labels = { tier: 'web' };
  await apps.create({ metadata: { name, labels }, spec: { appName: name, version: '1.0.0' } });
}
const names: string[] = [];
for await (const { metadata } of apps.iterate({ pageSize: 2, labelSelector: { tier: 'web' } })) {
  names.push(metadata.name);
}
print('clientset', `iterate MyApps in default, tier=web -> ${names.join(', ')}`);
const cached = informer.lister.list().map(({ metadata }) => metadata.name);
print('lister', `list RedisClusters from memory -> ${cached.join(', ')}`);

await clusters.deleteAndWait('carts');
print('clientset', 'deleteAndWait RedisCluster default/carts');
await informers.stop();
await clientset.close();
await server.stop();
