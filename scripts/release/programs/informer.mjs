// Fills a cache of ConfigMaps, and waits for a change.
import { strict as assert } from 'node:assert';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

const clientset = new Clientset(await loadConfig());
const maps = clientset.coreV1.configMaps('shop');
await maps.create({ metadata: { name: 'informer' } });
const informers = new InformerFactory(clientset, { namespace: 'shop' });
const informer = informers.coreV1.configMaps();
const deleted = new Promise((resolve) => {
  informer.handle({ delete: ({ metadata }) => metadata.name === 'informer' && resolve() });
});
informers.start();
await informers.waitForSync({ timeoutMs: 30_000 });
assert.ok(informer.lister.list().some(({ metadata }) => metadata.name === 'informer'));
await maps.delete('informer');
await deleted;
await informers.stop();
await clientset.close();
