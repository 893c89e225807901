/** Creates, reads, patches, updates and deletes a RedisCluster. */
import { isAlreadyExists, loadConfig, retryOnConflict } from '@kgen/runtime';
import { Clientset } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('default');

// `apiVersion`, `kind` and `metadata.namespace` are filled in. The server sets defaults.
const created = await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4' } });
console.log(`created RedisCluster ${created.metadata.name} with ${created.spec.replicas} replicas`);

await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4' } }).catch((error: unknown) => {
  if (!isAlreadyExists(error)) throw error;
  console.log('a second create is rejected with AlreadyExists');
});

// JSON merge patch is the default for custom resources; { type: 'json' } sends a JSON Patch.
await clusters.patch('carts', { spec: { replicas: 5 } });
await clusters.patch('carts', [{ op: 'replace', path: '/spec/version', value: '7.5' }], { type: 'json' });

// An update sends the whole object, and fails with a conflict if another client has changed it since it was
// read.
const updated = await retryOnConflict(async () => {
  const cluster = await clusters.get('carts');
  return clusters.update({ ...cluster, spec: { ...cluster.spec, memory: '1Gi' } });
});
console.log(`updated RedisCluster ${updated.metadata.name}: ${JSON.stringify(updated.spec)}`);

// `find` returns undefined where `get` throws.
await clusters.deleteAndWait('carts');
console.log(`deleted: ${(await clusters.find('carts')) === undefined}`);
await clientset.close();
