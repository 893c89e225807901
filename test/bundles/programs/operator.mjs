/** Adds a label to each ConfigMap of a namespace while it leads. */
import { Controller, Manager } from '@kgen/controller';
import { Clientset, InformerFactory } from '@kgen/kubernetes';
import { loadConfig } from '@kgen/runtime';

process.on('worker', () => console.log('a worker thread has started'));

async function run() {
  const manager = new Manager(await loadConfig(), {
    name: 'labels',
    leaderElection: { name: 'labels', namespace: 'shop' },
    metrics: { port: 0 },
    health: { port: 0 },
  });
  const configMaps = manager.client(Clientset).coreV1.configMaps('shop');
  manager.add(
    new Controller({
      name: 'labels',
      for: new InformerFactory(manager.client(Clientset)).coreV1.configMaps('shop'),
      reconcile: async ({ metadata: { name } }) => {
        await configMaps.apply({ metadata: { name, labels: { seen: 'true' } } });
      },
    }),
  );
  await manager.run();
}

run().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
