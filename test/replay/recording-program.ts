/** An operator as a process that records. Arguments: a kubeconfig, and the folder of recordings. */
import { fileURLToPath } from 'node:url';
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { type ClusterConfig, InformerFactory, loadConfig, resource } from '@kgen/runtime';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.ts';

/** Writes the generation of each app to its status. */
export function generationOperator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, { name: 'generations', ...options });
  const apps = resource(manager.rest, myApps);
  const controller = new Controller<MyApp>({
    name: 'generations',
    for: new InformerFactory(manager).of(myApps),
    reconcile: async ({ metadata: { name, namespace, generation } }) => {
      const status = { observedGeneration: generation };
      const owner = { fieldManager: 'generations', force: true };
      await apps.in(namespace).applyStatus({ metadata: { name }, status }, owner);
    },
  });
  return manager.add(controller);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kubeconfig = '', directory = ''] = process.argv.slice(2);
  const ignore = (): void => undefined;
  const print = (_: object, message: string): void => console.log(message);
  const manager = generationOperator(await loadConfig({ kubeconfig }), {
    recorder: { directory },
    log: { debug: ignore, info: print, warn: print, error: print },
  });
  await manager.run();
}
