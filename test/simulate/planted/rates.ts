/** Rates: operators that never rest. */
import { Controller, desiredStateChanged, Manager } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { type ClusterConfig, InformerFactory, resource } from '@kgen/runtime';
import type { SimulatedOptions } from '@kgen/testing';
import { mapOf, owner, plainOptions, siteOperator, sites, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

export const rates: readonly PlantedBug[] = [
  {
    bug: 'reads every second without end',
    operator: siteOperator(({ rest, informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const known = await resource(rest, configMaps).in(namespace).find(name);
        if (known?.data?.['image'] !== site.spec.image)
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        return { requeueAfterMs: 1_000 };
      },
    })),
    options: plainOptions,
    check: 'silence',
    story: /at rest, the operator sends \d+ requests in 20 s/,
    line: '',
    foundBy: 0,
  },
  {
    bug: 'writes the time of each reconcile to a status',
    operator: siteOperator(({ informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      predicate: desiredStateChanged,
      reconcile: async (site) => {
        await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        await own
          .in(site.metadata.namespace)
          .updateStatus(withStatus(site, { time: new Date().toISOString() }));
        return { requeueAfterMs: 10_000 };
      },
    })),
    options: plainOptions,
    check: 'silence',
    story: /update sites\/status default\/\S+/,
    line: '.updateStatus(withStatus(site, { time:',
    foundBy: 0,
  },
  {
    bug: 'has two controllers that fight over one field',
    operator: (config: ClusterConfig, options: SimulatedOptions): Manager => {
      const manager = new Manager(config, { name: 'fight', ...options });
      const informers = new InformerFactory(manager);
      for (const level of ['info', 'debug']) {
        const controller = new Controller({
          name: level,
          for: informers.of(sites),
          owns: [informers.of(configMaps)],
          reconcile: async (site) => {
            if (site.metadata.deletionTimestamp !== undefined) return;
            const { namespace } = site.metadata;
            const intent = mapOf(site, { level });
            await resource(manager.rest, configMaps)
              .in(namespace)
              .apply(intent, { fieldManager: level, force: true });
          },
        });
        manager.add(controller);
      }
      return manager;
    },
    options: plainOptions,
    check: 'requests',
    story: /patch configmaps default\/\S+/,
    line: '.apply(intent, { fieldManager: level',
    foundBy: 0,
  },
];
