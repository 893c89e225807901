/** Stale reads: operators that act on a state that was true before. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import {
  generatedMapOf,
  ignoreNotFound,
  labelsOf,
  mapOf,
  optionsWith,
  owner,
  plainOptions,
  siteOperator,
  sites,
  wait,
  withStatus,
} from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const replicated = optionsWith([{ replicas: 1 }, { replicas: 3 }]);

export const staleReads: readonly PlantedBug[] = [
  {
    bug: 'deletes what a stale list does not contain',
    operator: siteOperator(({ informers, maps }) => {
      const [known, cached] = [informers.of(sites), informers.of(configMaps)];
      return {
        owns: [cached],
        reconcile: async (site) => {
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
          for (const { metadata } of cached.lister.list({ labelSelector: 'site' })) {
            const { namespace, name } = metadata;
            if (known.lister.get(namespace, name) === undefined)
              await maps.in(namespace).delete(name).catch(ignoreNotFound);
          }
        },
      };
    }),
    options: plainOptions,
    check: 'ownership',
    story: /delete configmaps default\/\S+/,
    line: '.delete(name)',
    foundBy: 1,
  },
  {
    bug: 'scales by a number in a stale status',
    operator: siteOperator(({ plain, informers, own }) => {
      const client = resource(plain, configMaps);
      return {
        owns: [informers.of(configMaps)],
        reconcile: async (site) => {
          const { namespace } = site.metadata;
          const { replicas = 1 } = site.spec;
          const known = site.status?.replicas ?? 0;
          for (let left = replicas - known; left > 0; left -= 1)
            await client.in(namespace).create(generatedMapOf(site, {}));
          const { items } = await client.in(namespace).list({ labelSelector: labelsOf(site) });
          for (const { metadata } of items.slice(0, Math.max(known - replicas, 0)))
            await resource(plain, configMaps).in(namespace).delete(metadata.name).catch(ignoreNotFound);
          await own.in(site.metadata.namespace).updateStatus(withStatus(site, { replicas }));
        },
      };
    }),
    options: replicated,
    check: 'convergence',
    story: /configmaps default\/\S+-\* (\(\d+\) )?(should not exist|is missing)/,
    line: '.create(generatedMapOf(site, {}))',
    foundBy: 13,
  },
  {
    bug: 'compares its write with a cache that does not have it yet',
    operator: siteOperator(({ plain, informers, own }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace, generation } = site.metadata;
          const isWritten = () => cached.lister.get(namespace, name)?.data?.['image'] === site.spec.image;
          if (site.status?.observedGeneration === generation && isWritten()) return;
          await resource(plain, configMaps).in(site.metadata.namespace).apply(mapOf(site), owner);
          await wait(200);
          const phase = isWritten() ? 'Ready' : 'Failed';
          await own
            .in(site.metadata.namespace)
            .updateStatus(withStatus(site, { phase, observedGeneration: generation }));
        },
      };
    }),
    options: plainOptions,
    check: 'convergence',
    story: /"tampered" in place of|status\.phase is "Failed"/,
    line: '.updateStatus(withStatus(site, { phase,',
    foundBy: 5,
  },
  {
    bug: 'trusts its status as the memory of its work',
    operator: siteOperator(({ informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        if (site.status?.message === site.spec.image) return;
        await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        await own.in(site.metadata.namespace).updateStatus(withStatus(site, { message: site.spec.image }));
      },
    })),
    options: plainOptions,
    check: 'convergence',
    story: /(is missing|should exist)|is "tampered"/,
    line: '.apply(mapOf(site), owner)',
    foundBy: 5,
  },
  {
    bug: 'creates what a list of the cache of the API server does not contain',
    operator: siteOperator(({ rest, informers }) => {
      const client = resource(rest, configMaps);
      return {
        owns: [informers.of(configMaps)],
        reconcile: async (site) => {
          const { namespace } = site.metadata;
          const labelSelector = labelsOf(site);
          const { items } = await client.in(namespace).list({ labelSelector, resourceVersion: '0' });
          const [first] = items;
          if (first === undefined) await client.in(namespace).create(generatedMapOf(site));
          else await client.in(namespace).patch(first.metadata.name, { data: { image: site.spec.image } });
        },
      };
    }),
    options: plainOptions,
    check: 'convergence',
    story: /configmaps default\/\S+-\* \(\d+\) should not exist/,
    line: '.create(generatedMapOf(site))',
    foundBy: 29,
  },
  {
    bug: 'decides by cached children after a restart',
    operator: siteOperator(({ rest, informers }) => {
      const cached = informers.of(configMaps);
      const client = resource(rest, configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { namespace } = site.metadata;
          const data = { image: site.spec.image };
          const [first] = cached.lister.list({ namespace, labelSelector: labelsOf(site) });
          if (first === undefined) await client.in(namespace).create(generatedMapOf(site, data));
          else if (first.data?.['image'] !== data.image)
            await client.in(namespace).patch(first.metadata.name, { data });
        },
      };
    }),
    options: plainOptions,
    check: 'convergence',
    story: /configmaps default\/\S+-\* \(\d+\) should not exist/,
    line: '.create(generatedMapOf(site, data))',
    foundBy: undefined,
  },
];
