/** A StatefulSet with claims, which a finalizer deletes with the app. */
import { statefulSets } from '@kgen/kubernetes/apps/v1';
import { persistentVolumeClaims } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, labelsOf, operatorOf, writeStatus } from './apps.ts';

export const because = 'the finalizer stays until the StatefulSet and all claims of the app are gone';

const owner = { fieldManager: 'claims', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const sets = informers.of(statefulSets);
  return {
    owns: [sets],
    reconcile: async (app) => {
      const { namespace, generation } = app.metadata;
      const set = await resource(rest, statefulSets)
        .in(namespace)
        .apply(setControllerReference(setOf(app), app), owner);
      await writeStatus(rest, app, {
        observedGeneration: generation,
        readyReplicas: set.status.readyReplicas ?? 0,
      });
    },
    finalize: async (app) => {
      const { name, namespace } = app.metadata;
      const client = resource(rest, persistentVolumeClaims).in(namespace);
      const set = await resource(rest, statefulSets).in(namespace).find(name);
      if (set !== undefined) {
        if (set.metadata.deletionTimestamp === undefined)
          await resource(rest, statefulSets).in(namespace).delete(name, { propagationPolicy: 'Foreground' });
        return { requeueAfterMs: 2_000 };
      }
      const { items } = await client.list({ labelSelector: labelsOf(app) });
      for (const { metadata } of items)
        if (metadata.deletionTimestamp === undefined) await client.delete(metadata.name);
      return items.length === 0 ? undefined : { requeueAfterMs: 2_000 };
    },
  };
});

function setOf(app: App) {
  const { name, namespace } = app.metadata;
  const labels = labelsOf(app);
  return {
    metadata: { name, namespace, labels },
    spec: {
      replicas: 2,
      serviceName: name,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'db', image: `db:${app.spec.version}` }] },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data', labels },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  };
}
