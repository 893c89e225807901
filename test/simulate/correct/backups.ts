/** A backup in each period, of which the last ones are kept, also after the deletion of the site. */
import { jobs } from '@kgen/kubernetes/batch/v1';
import { isAlreadyExists, resource, type Stored } from '@kgen/runtime';
import type { SimulateOptions } from '@kgen/testing';
import { ignoreNotFound, labelsOf, optionsWith, type Site, siteOperator, withStatus } from '../sites.ts';

export const because = 'a backup is named by its period: a second one of the same period is refused';

export const options: SimulateOptions = {
  ...optionsWith([{ everySeconds: 3_600 }, { everySeconds: 7_200 }]),
  outlives: ({ kind }) => kind === 'Job',
};

const keptBackups = 3;

export const operator = siteOperator(({ rest, own }) => ({
  owns: [],
  reconcile: async (site) => {
    const { namespace } = site.metadata;
    const { everySeconds } = site.spec;
    const phase = everySeconds === undefined ? 'Unscheduled' : 'Scheduled';
    await own.in(namespace).updateStatus(withStatus(site, { phase }));
    if (everySeconds === undefined || everySeconds === 0) return undefined;
    const client = resource(rest, jobs).in(namespace);
    const everyMs = everySeconds * 1_000;
    const period = Math.floor(Date.now() / everyMs);
    await client.create(jobOf(site, period * everySeconds)).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    const { items } = await client.list({ labelSelector: labelsOf(site) });
    const newest = [...items].sort((a, b) => secondOf(b.metadata.name) - secondOf(a.metadata.name));
    for (const { metadata } of newest.slice(keptBackups))
      await client.delete(metadata.name, { propagationPolicy: 'Background' }).catch(ignoreNotFound);
    return { requeueAfterMs: (period + 1) * everyMs - Date.now() };
  },
}));

function secondOf(name: string): number {
  return Number(name.split('-').at(-1));
}

function jobOf(site: Stored<Site>, second: number) {
  const { name, namespace } = site.metadata;
  const containers = [{ name: 'backup', image: site.spec.image }];
  return {
    metadata: { name: `${name}-${second}`, namespace, labels: labelsOf(site) },
    spec: { template: { spec: { restartPolicy: 'Never', containers } } },
  };
}
