// Watches ConfigMaps until one is created and changed.
import { strict as assert } from 'node:assert';
import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

const clientset = new Clientset(await loadConfig());
const maps = clientset.coreV1.configMaps('shop');
await maps.create({ metadata: { name: 'watch' }, data: { step: '1' } });
const seen = [];
for await (const { type, object } of maps.watch({ fieldSelector: 'metadata.name=watch' })) {
  seen.push(`${type} ${object.data?.step}`);
  if (seen.length === 1) await maps.patch('watch', { data: { step: '2' } });
  else break;
}
assert.match(seen.join(', '), /^ADDED 1, MODIFIED 2$/i);
await clientset.close();
