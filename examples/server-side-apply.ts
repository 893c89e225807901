/** Applies a RedisCluster with two field managers, and resolves the conflict between them. */
import { isConflict, loadConfig, statusCauses } from '@kgen/runtime';
import { Clientset } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('default');

// An intent contains the fields that this manager wants to own, and nothing else. It creates the object if
// needed.
const intent = { metadata: { name: 'sessions' }, spec: { version: '7.4', replicas: 3 } };
await clusters.apply(intent, { fieldManager: 'deployer' });

// Another manager cannot change a field that the first one owns.
const scaled = { metadata: { name: 'sessions' }, spec: { version: '7.4', replicas: 5 } };
await clusters.apply(scaled, { fieldManager: 'autoscaler' }).catch((error: unknown) => {
  if (!isConflict(error)) throw error;
  for (const { field, message } of statusCauses(error, 'FieldManagerConflict'))
    console.log(`${field}: ${message}`);
});

// `force` transfers the ownership of the field. A dry run stores nothing.
const { spec } = await clusters.apply(scaled, { fieldManager: 'autoscaler', force: true, dryRun: 'All' });
console.log(`dry run: ${spec.replicas} replicas`);
const applied = await clusters.apply(scaled, { fieldManager: 'autoscaler', force: true });
console.log(`applied: ${applied.spec.replicas} replicas`);

await clusters.delete('sessions');
await clientset.close();
