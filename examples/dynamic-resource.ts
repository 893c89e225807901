/**
 * Reads and changes a resource for which no code was generated: its group, version and plural are known at
 * run time.
 */
import { loadConfig } from '@kgen/runtime';
import { DiscoveryClient, RESTMapper } from '@kgen/runtime/discovery';
import { DynamicClient, nestedField, tableText } from '@kgen/runtime/dynamic';

const dynamic = new DynamicClient(await loadConfig());

// The plural and the version can also come from discovery: `rc` is a short name, as in `kubectl get rc`.
const mapper = new RESTMapper(new DiscoveryClient(dynamic.rest));
const mapping = await mapper.mappingFor('redisclusters.cache.example.com');
console.log(`${mapping.resource.resource} in ${mapping.resource.group}/${mapping.resource.version}`);

const clusters = dynamic.resource(mapping).namespace('default');
await clusters.create({
  apiVersion: 'cache.example.com/v1',
  kind: 'RedisCluster',
  metadata: { name: 'carts' },
  spec: { version: '7.4' },
});

// Objects are `Unstructured`: metadata is typed, every other field is `unknown`.
const cluster = await clusters.get('carts');
console.log(`replicas: ${nestedField(cluster, 'spec', 'replicas')}`);

// The type of a patch is obligatory, since the kind is not known here.
await clusters.patch('carts', { spec: { replicas: 5 } }, { type: 'merge' });

// Columns as `kubectl get` prints them.
process.stdout.write(tableText(await clusters.table()));
await clusters.deleteAndWait('carts');
await dynamic.close();
