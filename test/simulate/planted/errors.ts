/** Errors: operators that take a failure for a success. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { isConflict, isNotFound, resource } from '@kgen/runtime';
import { mapOf, owner, plainOptions, siteOperator, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const withoutTamper = { ...plainOptions, without: ['tamper'] } as const;

export const errors: readonly PlantedBug[] = [
  {
    bug: 'takes NotFound of a patch for the end of the object',
    operator: siteOperator(({ rest, informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const client = resource(rest, configMaps).in(namespace);
        if (site.status?.phase === undefined) {
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
          await own.in(site.metadata.namespace).updateStatus(withStatus(site, { phase: 'Created' }));
        } else
          await client.patch(name, { data: mapOf(site).data }).catch((error: unknown) => {
            if (!isNotFound(error)) throw error;
          });
      },
    })),
    options: plainOptions,
    check: 'convergence',
    story: /configmaps \S+ (is missing|should exist)|is "tampered"/,
    line: '.apply(mapOf(site), owner)',
    foundBy: 5,
  },
  {
    bug: 'logs an error, and never repeats its write',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site, { log }) => {
        try {
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        } catch (error) {
          log.warn({ error: String(error) }, 'not applied');
        }
      },
    })),
    options: plainOptions,
    check: 'convergence',
    story: /configmaps default\/\S+ (is missing|should exist)|configmaps default\/\S+ data\.image/,
    line: '.apply(mapOf(site), owner)',
    foundBy: 22,
  },
  {
    bug: 'takes a conflict for the write of another one that did the same',
    operator: siteOperator(({ rest, informers }) => {
      const cached = informers.of(configMaps);
      const client = resource(rest, configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const known = cached.lister.get(namespace, name);
          const { image } = site.spec;
          if (known === undefined) await client.in(namespace).create(mapOf(site));
          else if (known.data?.['image'] !== image)
            await client
              .in(namespace)
              .update({ ...known, data: { image } })
              .catch((error: unknown) => {
                if (!isConflict(error)) throw error;
              });
        },
      };
    }),
    options: withoutTamper,
    check: 'convergence',
    story: /configmaps default\/\S+ data\.image/,
    line: '.update({ ...known, data: { image } })',
    foundBy: undefined,
  },
];
