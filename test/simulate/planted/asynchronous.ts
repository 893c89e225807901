/** Asynchronous work: operators whose work is not that of a reconcile. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { ownerReference } from '@kgen/runtime/objects';
import { mapOf, owner, plainOptions, siteOperator, wait } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

export const asynchronousWork: readonly PlantedBug[] = [
  {
    bug: 'writes after the reconcile has ended, by a promise that nothing waits for',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        const side = mapOf(site, { image: site.spec.image }, `${site.metadata.name}-side`);
        void maps
          .in(site.metadata.namespace)
          .apply(side, owner)
          .catch(() => undefined);
      },
    })),
    options: plainOptions,
    check: 'floating',
    story: /patch configmaps at \S+: await it/,
    line: '.apply(side, owner)',
    foundBy: 0,
  },
  {
    bug: 'writes what was declared before a wait, without its signal',
    operator: siteOperator(({ plain, informers }) => {
      const known = new Map<string, Promise<void>>();
      return {
        owns: [informers.of(configMaps)],
        reconcile: (site) => {
          const { uid, namespace } = site.metadata;
          const write = async (): Promise<void> => {
            await wait(2_000);
            await resource(plain, configMaps).in(namespace).apply(mapOf(site), owner);
          };
          // Of the first state only: it forgets that there was another one meanwhile.
          if (known.has(uid)) return;
          known.set(
            uid,
            write()
              .catch(() => undefined)
              .finally(() => known.delete(uid)),
          );
        },
      };
    }),
    options: plainOptions,
    check: 'floating',
    story: /patch configmaps at \S+: await it/,
    line: 'resource(plain, configMaps)',
    foundBy: 0,
  },
  {
    bug: 'remembers an owner by its name, also after another object has the name',
    operator: siteOperator(({ rest, informers }) => {
      const owners = new Map<string, ReturnType<typeof ownerReference>>();
      return {
        owns: [informers.of(configMaps)],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const known = owners.get(name) ?? ownerReference(site, { controller: true });
          owners.set(name, known);
          const metadata = { name, namespace, ownerReferences: [known] };
          const map = { metadata, data: { image: site.spec.image } };
          await resource(rest, configMaps).in(namespace).apply(map, owner);
        },
      };
    }),
    options: plainOptions,
    check: 'silence',
    story: /configmaps default\/\S+/,
    line: '.apply(map, owner)',
    foundBy: 8,
  },
];
