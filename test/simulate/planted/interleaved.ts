/** Interleavings of two controllers: one writes what the other one has read before. */
import { Controller } from '@kgen/controller';
import { configMaps } from '@kgen/kubernetes/core/v1';
import { mapOf, owner, plainOptions, siteOperator } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

export const interleaved: readonly PlantedBug[] = [
  {
    bug: 'replaces, in a second controller, what the first one has written since the second one has read it',
    operator: siteOperator(({ manager, informers, maps }) => {
      manager.add(
        new Controller({
          name: 'checksums',
          for: informers.of(configMaps),
          reconcile: async ({ metadata: { name, namespace, labels } }) => {
            if (labels?.['site'] !== name) return;
            const { metadata, data } = await maps.in(namespace).get(name);
            const checksum = `sum of ${data?.['image']}`;
            if (data?.['checksum'] === checksum || metadata.deletionTimestamp !== undefined) return;
            const { resourceVersion: _, ...own } = metadata;
            await maps.in(namespace).update({ metadata: own, data: { ...data, checksum } });
          },
        }),
      );
      return {
        owns: [],
        reconcile: async (site) => {
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        },
      };
    }),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'convergence',
    story: /data\S* is /,
    line: '.update({ metadata: own, data',
    foundBy: 49,
  },
];
