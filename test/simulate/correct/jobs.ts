/** A Job with a generated name for each version; the name is in the status and in a label of a ConfigMap. */
import { type Job, jobs } from '@kgen/kubernetes/batch/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource, type Stored } from '@kgen/runtime';
import { isConditionTrue, isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { type App, operatorOf, withMessage, writeStatus } from './apps.ts';

export const because = 'it reads the Jobs of the server, not of the cache, before it creates one';

const owner = { fieldManager: 'jobs', force: true } as const;

export const operator = operatorOf(({ rest, informers }) => {
  const client = resource(rest, jobs);
  return {
    owns: [informers.of(jobs), informers.of(configMaps)],
    reconcile: async (app) => {
      const { name, namespace, uid } = app.metadata;
      const { items } = await client.in(namespace).list({ labelSelector: { app: uid } });
      const own = items.filter((job) => isControlledBy(job, app));
      const [current] = own.filter((job) => job.metadata.annotations?.['version'] === app.spec.version);
      for (const job of own)
        if (job !== current && job.metadata.deletionTimestamp === undefined)
          await client.in(namespace).delete(job.metadata.name, { propagationPolicy: 'Background' });
      const job = current ?? (await client.in(namespace).create(jobOf(app)));
      const map = {
        metadata: { name, namespace, labels: { job: job.metadata.name } },
        data: { [job.metadata.name]: job.metadata.uid },
      };
      await resource(rest, configMaps).in(namespace).apply(setControllerReference(map, app), owner);
      await writeStatus(rest, app, withMessage(app, `Job ${job.metadata.name}`, isDone(job)));
    },
  };
});

function isDone(job: Stored<Job>): boolean {
  return isConditionTrue(job.status.conditions, 'Complete');
}

function jobOf(app: App) {
  const { name, namespace, uid } = app.metadata;
  const { version } = app.spec;
  const job = {
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: { app: uid },
      annotations: { version },
    },
    spec: {
      template: {
        spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image: `migrate:${version}` }] },
      },
    },
  };
  return setControllerReference(job, app);
}
