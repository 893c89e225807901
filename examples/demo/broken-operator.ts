/** Operator of MyApps with a bug: a crash at the wrong moment leaves a second ConfigMap behind. */
import { Controller, Manager, type ManagerOptions } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type MyApp, myApps } from '../../generated/crds/my.domain/v1/index.js';

const fieldManager = 'settings';

/** Returns the operator: each MyApp has one ConfigMap with its settings, whose name the server generates. */
export function brokenOperator(config: ClusterConfig, options: ManagerOptions = {}): Manager {
  const manager = new Manager(config, { name: 'settings', ...options });
  const informers = new InformerFactory(manager);
  const apps = resource(manager.rest, myApps);
  const maps = resource(manager.rest, configMaps);
  const controller = new Controller({
    name: 'settings',
    for: informers.of(myApps),
    owns: [informers.of(configMaps)],
    reconcile: async (app) => {
      const { name, namespace, generation } = app.metadata;
      if (app.status?.observedGeneration === undefined) await maps.in(namespace).create(settingsOf(app));
      // The bug: until this request has succeeded, nothing remembers that the ConfigMap exists.
      const status = { observedGeneration: generation };
      await apps.in(namespace).applyStatus({ metadata: { name }, status }, { fieldManager });
    },
  });
  return manager.add(controller);
}

function settingsOf(app: Stored<MyApp>) {
  const { name, namespace } = app.metadata;
  const { appName, version } = app.spec;
  return setControllerReference(
    { metadata: { generateName: `${name}-`, namespace }, data: { appName, version } },
    app,
  );
}
