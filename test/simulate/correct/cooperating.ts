/** Two controllers: one creates a ConfigMap for each app, the other one a Secret for each ConfigMap. */
import { anyChange, Controller, Manager } from '@kgen/controller';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, isNotFound, resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import type { SimulatedOptions } from '@kgen/testing';
import { myApps } from '../../../generated/crds/my.domain/v1/index.ts';
import { labelsOf, withMessage, writeStatus } from './apps.ts';

export const because =
  'each controller writes fields of its own, and reads only what the other one has written';

const first = { fieldManager: 'first', force: true } as const;
const second = { fieldManager: 'second', force: true } as const;

export const operator = (config: ClusterConfig, options: SimulatedOptions): Manager => {
  const manager = new Manager(config, { name: 'cooperating', leaderElection: { name: 'pair' }, ...options });
  const informers = new InformerFactory(manager);
  const [apps, maps, tokens] = [informers.of(myApps), informers.of(configMaps), informers.of(secrets)];
  const { rest } = manager;
  const declarations = new Controller({
    name: 'declarations',
    for: { informer: apps, predicate: anyChange },
    owns: [maps],
    reconcile: async (app) => {
      const { name, namespace, deletionTimestamp } = app.metadata;
      if (deletionTimestamp !== undefined) return;
      const { appName, version } = app.spec;
      const map = { metadata: { name, namespace, labels: labelsOf(app) }, data: { appName, version } };
      const written = await resource(rest, configMaps)
        .in(namespace)
        .apply(setControllerReference(map, app), first);
      const token = written.metadata.annotations?.['token'] ?? '';
      await writeStatus(rest, app, withMessage(app, `token ${token}`, token !== ''));
    },
  });
  const issued = new Controller({
    name: 'tokens',
    for: maps,
    owns: [tokens],
    reconcile: async (map) => {
      const { name, namespace, labels } = map.metadata;
      if (labels?.['app.kubernetes.io/instance'] !== name || map.metadata.deletionTimestamp !== undefined)
        return;
      const { version = '' } = map.data ?? {};
      const secret = { metadata: { name, namespace }, stringData: { token: `token-${version}` } };
      await resource(rest, secrets).in(namespace).apply(setControllerReference(secret, map), second);
      const token = { metadata: { annotations: { token: `${name}/${version}` } } };
      // An apply would create a map that is gone.
      await resource(rest, configMaps).in(namespace).patch(name, token).catch(unlessNotFound);
    },
  });
  return manager.add(declarations).add(issued);
};

function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
