/** Watches RedisClusters for a limited time and ends without an error. */
import { loadConfig } from '@kgen/runtime';
import { Clientset } from '../generated/crds/index.js';

const clientset = new Clientset(await loadConfig());
const clusters = clientset.cacheV1.redisClusters('default');
for (const name of ['carts', 'sessions'])
  await clusters.create({ metadata: { name }, spec: { version: '7.4' } });

// `break` ends a watch from inside the loop, without an error. Existing objects come first, as ADDED.
for await (const { type, object } of clusters.watch()) {
  console.log(`${type} ${object.metadata.name}`);
  if (object.metadata.name === 'sessions') break;
}

// A signal ends a watch from outside, also without an error.
const signal = AbortSignal.timeout(300);
for await (const { type, object } of clusters.watch({ signal, onRetry: (error) => console.warn(error) })) {
  console.log(`${type} ${object.metadata.name}`);
  if (type === 'ADDED') await clusters.delete(object.metadata.name);
}
console.log('the watch has ended');
await clientset.close();
