/** A Job that is created suspended, and resumed once its configuration exists. */
import { jobs } from '@kgen/kubernetes/batch/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { isConditionTrue, setControllerReference } from '@kgen/runtime/objects';
import { type App, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'a Job is never suspended again: what has run cannot be undone';

const owner = { fieldManager: 'suspended', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const cache = informers.of(jobs);
  const client = resource(rest, jobs);
  return {
    owns: [cache, informers.of(configMaps)],
    reconcile: async (app) => {
      const { name, namespace } = app.metadata;
      const known = cache.lister.get(namespace, name);
      if (known?.metadata.deletionTimestamp !== undefined) return;
      const job = known ?? (await client.in(namespace).create(jobOf(app)));
      const map = { metadata: { name, namespace }, data: { version: app.spec.version } };
      await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
      if (job.spec.suspend === true) await client.in(namespace).patch(name, { spec: { suspend: false } });
      const isDone = isConditionTrue(job.status.conditions, 'Complete');
      await writeStatus(rest, app, withMessage(app, `Job ${job.metadata.name}`, isDone));
    },
  };
});

function jobOf(app: App) {
  const { name, namespace } = app.metadata;
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'setup:1' }] },
  };
  return setControllerReference({ metadata: { name, namespace }, spec: { suspend: true, template } }, app);
}
