/** ConfigMaps with generated names: it adopts those without a controller that have its label. */
import type { ReconcileKey } from '@kgen/controller';
import { type ConfigMap, configMaps } from '@kgen/kubernetes/core/v1';
import { resource, type Stored, type StoredObject } from '@kgen/runtime';
import { controllerOf, isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { type App, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because =
  'it reads the server, not the cache, before it creates an object, and creates it with its owner';

export const operator = operatorOf(({ rest, informers }) => {
  const client = resource(rest, configMaps);
  const maps = informers.of(configMaps);
  return {
    owns: [maps],
    // Those without an owner, too: users create them after the app.
    watches: [{ informer: maps, map: appOf }],
    reconcile: async (app) => {
      const { name, namespace } = app.metadata;
      const { items } = await client.in(namespace).list({ labelSelector: { 'adopted-by': name } });
      const living = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const [first, ...others] = living.filter(
        (map) => controllerOf(map) === undefined || isControlledBy(map, app),
      );
      const map = first ?? (await client.in(namespace).create(mapOf(app)));
      for (const { metadata } of others) await client.in(namespace).delete(metadata.name);
      const adopted = { ...setControllerReference(map, app), data: { version: app.spec.version } };
      if (!hasSame(map, adopted)) await client.in(namespace).update(adopted);
      await writeStatus(rest, app, withMessage(app, `uses ${map.metadata.name}`));
    },
  };
});

/** It exists before the first app. */
export const orphan: ConfigMap & { readonly kind: 'ConfigMap' } = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'orphan', namespace: 'default', labels: { 'adopted-by': 'object-1' } },
};

function mapOf(app: App): ConfigMap {
  const { name, namespace } = app.metadata;
  const metadata = { generateName: `${name}-`, namespace, labels: { 'adopted-by': name } };
  return setControllerReference<ConfigMap>({ metadata, data: { version: app.spec.version } }, app);
}

function appOf({ metadata }: StoredObject): readonly ReconcileKey[] {
  const { namespace, labels }: ConfigMap['metadata'] & {} = metadata;
  const name = labels?.['adopted-by'];
  return name === undefined ? [] : [{ namespace: namespace ?? '', name }];
}

function hasSame(map: Stored<ConfigMap>, other: Stored<ConfigMap>): boolean {
  return map.data?.['version'] === other.data?.['version'] && controllerOf(map) !== undefined;
}
