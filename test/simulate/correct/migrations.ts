/** A Job for each generation, whose predecessors are deleted. */
import { jobs } from '@kgen/kubernetes/batch/v1';
import { isAlreadyExists, resource, type Stored } from '@kgen/runtime';
import { isConditionTrue, isControlledBy, setControllerReference } from '@kgen/runtime/objects';
import { ignoreNotFound, labelsOf, plainOptions, type Site, siteOperator, withStatus } from '../sites.ts';

export const because = 'the name of a Job depends on the generation: a second creation is refused';

export const options = plainOptions;

export const operator = siteOperator(({ rest, informers, own }) => {
  const client = resource(rest, jobs);
  return {
    owns: [informers.of(jobs)],
    reconcile: async (site) => {
      const { namespace, generation } = site.metadata;
      const current = `${site.metadata.name}-${generation}`;
      const { items } = await client.in(namespace).list({ labelSelector: labelsOf(site) });
      const owned = items.filter((job) => isControlledBy(job, site));
      for (const { metadata } of owned) {
        const isFormer = metadata.name !== current && metadata.deletionTimestamp === undefined;
        if (isFormer)
          await client
            .in(namespace)
            .delete(metadata.name, { propagationPolicy: 'Background' })
            .catch(ignoreNotFound);
      }
      const known = owned.find(({ metadata }) => metadata.name === current);
      // One of a former site with this name is refused, until the garbage collector has deleted it.
      const job = known ?? (await client.in(namespace).create(jobOf(site, current)).catch(refused));
      if (job === undefined) return { requeueAfterMs: 1_000 };
      const phase = isConditionTrue(job.status.conditions, 'Complete') ? 'Migrated' : 'Migrating';
      await own.in(namespace).updateStatus(withStatus(site, { phase, observedGeneration: generation }));
      return undefined;
    },
  };
});

function refused(error: unknown): undefined {
  if (!isAlreadyExists(error)) throw error;
}

function jobOf(site: Stored<Site>, name: string) {
  const { namespace } = site.metadata;
  const containers = [{ name: 'migrate', image: site.spec.image }];
  const spec = { template: { spec: { restartPolicy: 'Never', containers } } };
  return setControllerReference({ metadata: { name, namespace, labels: labelsOf(site) }, spec }, site);
}
