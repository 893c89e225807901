/** Merge patches: a ConfigMap of which only the members that differ are sent. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { type App, labelsOf, operatorOf, writeStatus } from './apps.ts';

export const because = 'each member is compared with the cache, and removed with null if it is not desired';

export const operator = operatorOf(({ rest, informers }) => {
  const cache = informers.of(configMaps);
  const client = resource(rest, configMaps);
  return {
    owns: [cache],
    reconcile: async (app) => {
      const { name, namespace, generation } = app.metadata;
      const known = cache.lister.get(namespace, name);
      const data = dataOf(app);
      if (known === undefined) {
        const created = { metadata: { name, namespace, labels: labelsOf(app) }, data };
        await client.in(namespace).create(setControllerReference(created, app));
      } else {
        const patch = patchOf(known.data ?? {}, data);
        const hasLabels = known.metadata.labels?.['app.kubernetes.io/instance'] === name;
        if (patch !== undefined || !hasLabels)
          await client
            .in(namespace)
            .patch(name, { metadata: { labels: labelsOf(app) }, ...(patch && { data: patch }) });
      }
      await writeStatus(rest, app, { observedGeneration: generation });
    },
  };
});

function dataOf({ spec: { appName, version } }: App): Record<string, string> {
  return { name: appName, [`version-${appName.length}`]: version };
}

function patchOf(
  known: Readonly<Record<string, string>>,
  data: Readonly<Record<string, string>>,
): Record<string, string | null> | undefined {
  const changed = Object.entries(data).filter(([key, value]) => known[key] !== value);
  const removed = Object.keys(known)
    .filter((key) => data[key] === undefined)
    .map((key) => [key, null] as const);
  const all = [...changed, ...removed];
  return all.length === 0 ? undefined : Object.fromEntries(all);
}
