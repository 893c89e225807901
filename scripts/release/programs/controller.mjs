// Runs a controller with a lease, which a thread renews, and endpoints of metrics.
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

const config = await loadConfig();
const port = await freePort();
const manager = new Manager(config, {
  leaderElection: { name: 'release', namespace: 'shop' },
  metrics: { port },
});
const clientset = manager.client(Clientset);
manager.add(
  new Controller({
    name: 'maps',
    for: new InformerFactory(clientset, { namespace: 'shop' }).coreV1.configMaps(),
    reconcile: async ({ metadata: { name, namespace }, data }) => {
      if (name !== 'controller' || data?.done === 'yes') return;
      await clientset.coreV1.configMaps(namespace).patch(name, { data: { done: 'yes' } });
    },
  }),
);
const stop = new AbortController();
const running = manager.run({ signal: stop.signal });
const user = new Clientset(config);
const maps = user.coreV1.configMaps('shop');
await maps.create({ metadata: { name: 'controller' } });
const done = maps.waitFor('controller', (map) => map?.data?.done === 'yes', { timeoutMs: 60_000 });
await Promise.race([done, running]);
const lease = await user.coordinationV1.leases('shop').get('release');
assert.ok(lease.spec?.holderIdentity);
const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
assert.match(metrics, /controller_runtime_reconcile_total\{.*maps/);
stop.abort();
await running;
await user.close();

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return address.port;
}
