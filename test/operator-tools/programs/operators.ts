/** Two operators of MyApps, which tests load as modules. One of them creates twice after a crash. */
import { Controller, Manager, type ManagerOptions, type ReconcileContext } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, type RESTClient, resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type MyApp, myApps } from '../../../generated/crds/my.domain/v1/index.ts';

const fieldManager = 'settings';

/** Options of `kgen simulate`. */
export const simulation = {
  crds: [new URL('../../../crds/myapp.yaml', import.meta.url)],
  without: ['tamper'],
  objectsPerSeed: 1,
} as const;

/** Each MyApp has one ConfigMap with its name. */
export function correctOperator(config: ClusterConfig, options: ManagerOptions): Manager {
  return settingsOperator(config, options, (rest) => async (app) => {
    const { name, namespace } = app.metadata;
    const map = { metadata: { name, namespace }, data: { version: app.spec.version } };
    await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), { fieldManager });
  });
}

/** Each MyApp has one ConfigMap with a generated name; that it exists is in the status of the MyApp. */
export function brokenOperator(config: ClusterConfig, options: ManagerOptions): Manager {
  return settingsOperator(config, options, (rest) => async (app) => {
    const { name, namespace, generation } = app.metadata;
    if (app.status?.observedGeneration !== undefined) return;
    const map = { metadata: { generateName: `${name}-`, namespace }, data: { version: app.spec.version } };
    await resource(rest, configMaps).in(namespace).create(setControllerReference(map, app));
    const status = { observedGeneration: generation };
    await resource(rest, myApps).in(namespace).applyStatus({ metadata: { name }, status }, { fieldManager });
  });
}

type Reconcile = (app: Stored<MyApp>, context: ReconcileContext<undefined>) => Promise<void>;

function settingsOperator(
  config: ClusterConfig,
  options: ManagerOptions,
  reconcileWith: (rest: RESTClient) => Reconcile,
): Manager {
  const manager = new Manager(config, { name: 'settings', ...options });
  const informers = new InformerFactory(manager);
  return manager.add(
    new Controller({
      name: 'settings',
      for: informers.of(myApps),
      owns: [informers.of(configMaps)],
      reconcile: reconcileWith(manager.rest),
    }),
  );
}
