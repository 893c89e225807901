/**
 * Scales a RedisCluster through its scale subresource, with a typed client and with a client for any
 * resource.
 */
import { loadConfig } from '@kgen/runtime';
import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
import { ScaleClient } from '@kgen/runtime/dynamic';
import { Clientset } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('default');
await clusters.create({ metadata: { name: 'carts' }, spec: { version: '7.4' } });

// Typed: kinds with a scale subresource have getScale, updateScale, patchScale and applyScale.
const scale = await clusters.patchScale('carts', { spec: { replicas: 5 } });
console.log(`RedisCluster carts: ${scale.spec?.replicas} replicas`);

// Any kind that has a scale, by its name at run time: Deployments, StatefulSets, custom resources.
const scales = new ScaleClient(clientset.rest, new RESTMapper(new DiscoveryClient(clientset.rest)));
const resource = { group: 'cache.example.com', resource: 'redisclusters' };
await scales.patch(resource, { namespace: 'default', name: 'carts' }, { spec: { replicas: 2 } });

const scaled = await clusters.waitFor('carts', (cluster) => cluster?.spec.replicas === 2, {
  timeoutMs: 10_000,
});
console.log(`RedisCluster ${scaled?.metadata.name}: ${scaled?.spec.replicas} replicas`);
await clusters.delete('carts');
await clientset.close();
