// An operator for `kgen simulate`, `vitest` and `jest`: it keeps a ConfigMap for each MyApp.
import { Controller, dependent, Manager, type ManagerOptions, OwnedDependents } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, type Stored } from '@kgen/runtime';
import { type MyApp, myApps } from './stripped/my.domain/v1/index.ts';

export function operator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, { name: 'versions', ...options });
  const informers = new InformerFactory(manager);
  const map = dependent({
    name: 'map',
    informer: informers.of(configMaps),
    desired: ({ metadata: { name }, spec: { version } }: Stored<MyApp>) => ({
      metadata: { name },
      data: { version },
    }),
  });
  const dependents = new OwnedDependents([map]);
  const controller = new Controller({
    name: 'versions',
    for: informers.of(myApps),
    owns: dependents.informers,
    watches: dependents.watches,
    reconcile: async (app) => void (await dependents.reconcile(app)),
  });
  return manager.add(controller);
}
