// Creates a Pod, and lists those of a namespace, in protobuf.
import { strict as assert } from 'node:assert';
import { Clientset } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

const clientset = new Clientset(await loadConfig());
const pods = clientset.coreV1.pods('shop');
await pods.create({
  metadata: { name: 'list' },
  spec: { containers: [{ name: 'main', image: 'nginx' }] },
});
const { items } = await pods.list({ fieldSelector: 'metadata.name=list' });
assert.deepEqual(
  items.map(({ metadata, spec }) => [metadata.name, spec.containers[0]?.image]),
  [['list', 'nginx']],
);
await clientset.close();
