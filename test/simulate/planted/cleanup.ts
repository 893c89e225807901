/** Clean-up: operators that add what is declared, and keep what no longer is. */
import { jobs } from '@kgen/kubernetes/batch/v1';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { labelsOf, mapOf, optionsWith, owner, plainOptions, siteOperator, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

export const missingCleanUp: readonly PlantedBug[] = [
  {
    bug: 'keeps an optional child whose field is removed',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { cache, image } = site.spec;
        await maps.in(site.metadata.namespace).apply(mapOf(site, { image }), owner);
        if (cache !== undefined)
          await maps
            .in(site.metadata.namespace)
            .apply(mapOf(site, cache, `${site.metadata.name}-cache`), owner);
      },
    })),
    options: optionsWith([{ cache: { size: 'small' } }, { cache: { size: 'large' } }]),
    check: 'history',
    story: /configmaps default\/\S+-cache should not exist/,
    line: '.apply(mapOf(site, cache',
    foundBy: 12,
  },
  {
    bug: 'keeps a removed key, as its merge patch has no null',
    operator: siteOperator(({ rest, informers }) => {
      const cached = informers.of(configMaps);
      const client = resource(rest, configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const { settings: data = {} } = site.spec;
          const known = cached.lister.get(namespace, name);
          const isSame = Object.entries(data).every(([key, value]) => known?.data?.[key] === value);
          if (known === undefined) await client.in(namespace).create(mapOf(site, data));
          else if (!isSame) await client.in(namespace).patch(name, { data });
        },
      };
    }),
    options: optionsWith([
      { settings: { level: 'info', color: 'blue' } },
      { settings: { level: 'debug', size: '3' } },
    ]),
    check: 'history',
    story: /configmaps \S+: data\S* is .* should be absent/,
    line: '',
    foundBy: 8,
  },
  {
    bug: 'keeps the child of an item that is removed from a list',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        for (const host of site.spec.hosts ?? [])
          await maps
            .in(site.metadata.namespace)
            .apply(mapOf(site, { host }, `${site.metadata.name}-${host}`), owner);
      },
    })),
    options: optionsWith([{ hosts: ['a.example.com', 'b.example.com'] }, { hosts: ['b.example.com'] }]),
    check: 'history',
    story: /configmaps \S+\.example\.com should not exist/,
    line: '.apply(mapOf(site, { host }',
    foundBy: 8,
  },
  {
    bug: 'keeps an annotation that is not declared any more',
    operator: siteOperator(({ rest, informers }) => {
      const cached = informers.of(configMaps);
      const client = resource(rest, configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const known = cached.lister.get(namespace, name);
          if (known === undefined) await client.in(namespace).create(mapOf(site));
          const annotations = { ...known?.metadata.annotations, ...site.spec.settings };
          await client.in(namespace).patch(name, { metadata: { annotations }, data: mapOf(site).data });
        },
      };
    }),
    options: optionsWith([{ settings: { tier: 'gold', team: 'shop' } }, { settings: { tier: 'silver' } }]),
    check: 'history',
    story: /configmaps \S+: metadata\.annotations.* should be absent/,
    line: '.patch(name, { metadata: { annotations }',
    foundBy: 12,
  },
  {
    bug: 'keeps the child with the former name after a rename',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { image, suffix = 'main' } = site.spec;
        await maps
          .in(site.metadata.namespace)
          .apply(mapOf(site, { image }, `${site.metadata.name}-${suffix}`), owner);
      },
    })),
    options: optionsWith([{ suffix: 'blue' }, { suffix: 'green' }]),
    check: 'history',
    story: /configmaps \S+-(main|blue|green) should not exist/,
    line: '.apply(mapOf(site, { image }',
    foundBy: 1,
  },
  {
    bug: 'never leaves the phase Degraded',
    operator: siteOperator(({ informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { replicas = 1 } = site.spec;
        await maps.in(site.metadata.namespace).apply(mapOf(site, { replicas: `${replicas}` }), owner);
        const phase = replicas === 0 ? 'Degraded' : (site.status?.phase ?? 'Ready');
        await own.in(site.metadata.namespace).updateStatus(withStatus(site, { phase }));
      },
    })),
    options: optionsWith([{ replicas: 0 }, { replicas: 2 }]),
    check: 'history',
    story: /status\.phase is "Degraded"/,
    line: '.updateStatus(withStatus(site, { phase })',
    foundBy: 8,
  },
  {
    bug: 'keeps the Jobs of former generations',
    operator: siteOperator(({ rest, informers }) => {
      const known = informers.of(jobs);
      return {
        owns: [known],
        reconcile: async (site) => {
          const { namespace, generation } = site.metadata;
          const name = `${site.metadata.name}-${generation}`;
          if (known.lister.get(namespace, name) !== undefined) return;
          const containers = [{ name: 'migrate', image: site.spec.image }];
          const spec = { template: { spec: { restartPolicy: 'Never', containers } } };
          const job = { metadata: { name, namespace, labels: labelsOf(site) }, spec };
          await resource(rest, jobs).in(namespace).apply(setControllerReference(job, site), owner);
        },
      };
    }),
    options: plainOptions,
    check: 'convergence',
    story: /jobs\S* default\/\S+-\d/,
    line: '.apply(setControllerReference(job, site), owner)',
    foundBy: 2,
  },
];
