/** A cluster-scoped kind: each app has a Namespace of its own, with an account and a role. */
import { namespaces, serviceAccounts } from '@kgen/kubernetes/core/v1';
import { clusterRoles, roleBindings } from '@kgen/kubernetes/rbac.authorization.k8s.io/v1';
import { resource, type StoredObject } from '@kgen/runtime';
import { type App, operatorOf, writeStatus } from './apps.ts';

export const because = 'objects in other namespaces cannot have owners: a finalizer deletes them';

const owner = { fieldManager: 'tenants', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const [spaces, roles] = [informers.of(namespaces), informers.of(clusterRoles)];
  const [accounts, bindings] = [informers.of(serviceAccounts), informers.of(roleBindings)];
  const appOf = ({ metadata }: StoredObject) => {
    const labels: unknown = Reflect.get(metadata, 'labels');
    const tenant: unknown = labels instanceof Object ? Reflect.get(labels, 'tenant') : undefined;
    const [namespace = '', name = ''] = typeof tenant === 'string' ? tenant.split('.') : [];
    return name === '' ? [] : [{ namespace, name }];
  };
  return {
    owns: [],
    watches: [
      { informer: spaces, map: appOf },
      { informer: roles, map: appOf },
      { informer: accounts, map: appOf },
      { informer: bindings, map: appOf },
    ],
    reconcile: async (app) => {
      const { name, generation } = app.metadata;
      const labels = { tenant: `${app.metadata.namespace}.${name}` };
      const namespace = spaceOf(app);
      const space = { metadata: { name: namespace, labels: { ...labels, version: app.spec.version } } };
      const { metadata } = await resource(rest, namespaces).apply(space, owner);
      if (metadata.deletionTimestamp !== undefined) return;
      const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
      await resource(rest, clusterRoles).apply({ metadata: { name: namespace, labels }, rules }, owner);
      await resource(rest, serviceAccounts)
        .in(namespace)
        .apply({ metadata: { name: 'tenant', namespace, labels } }, owner);
      const binding = {
        metadata: { name: 'tenant', namespace, labels },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: namespace },
        subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace }],
      };
      await resource(rest, roleBindings).in(namespace).apply(binding, owner);
      await writeStatus(rest, app, { observedGeneration: generation });
    },
    finalize: async (app) => {
      const name = spaceOf(app);
      const space = await resource(rest, namespaces).find(name);
      if ((await resource(rest, clusterRoles).find(name)) !== undefined)
        await resource(rest, clusterRoles).delete(name);
      if (space === undefined) return undefined;
      if (space.metadata.deletionTimestamp === undefined) await resource(rest, namespaces).delete(name);
      return { requeueAfterMs: 1_000 };
    },
  };
});

function spaceOf({ metadata: { namespace, name } }: App): string {
  return `tenant-${namespace}-${name}`;
}
