/** Creates, reads, changes and deletes objects of any kind with one client. */
import { loadConfig } from '@kgen/runtime';
import { ObjectsClient, parseJsonPath } from '@kgen/runtime/dynamic';
import type { cacheV1 } from '../generated/crds/index.js';

const objects = new ObjectsClient(await loadConfig(), { fieldManager: 'example', namespace: 'default' });

// The resource follows from apiVersion and kind, the type of the result from that of the argument.
const carts: cacheV1.RedisCluster = {
  apiVersion: 'cache.example.com/v1',
  kind: 'RedisCluster',
  metadata: { name: 'carts' },
  spec: { version: '7.4' },
};
const applied = await objects.apply(carts);
console.log(`applied ${applied.kind} ${applied.metadata.name}, version ${applied.spec.version}`);

// Without a type, objects are `Unstructured`.
await objects.patch(applied, { spec: { replicas: 5 } }, { type: 'merge' });
const found = await objects.get(applied);
console.log(parseJsonPath('replicas: {.spec.replicas}').getText(found));

// Other verbs: the client of the object's resource.
const { client } = await objects.clientFor(applied);
console.log(`${(await client.list()).items.length} clusters`);

await objects.delete(carts);
await client.waitFor('carts', (object) => object === undefined, { timeoutMs: 60_000 });
await objects.close();
