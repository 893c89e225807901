/** Intermittent states: operators that do not continue work that was interrupted. */
import { configMaps, services } from '@kgen/kubernetes/core/v1';
import { resource } from '@kgen/runtime';
import { addFinalizer, hasFinalizer, removeFinalizer, setControllerReference } from '@kgen/runtime/objects';
import {
  ignoreNotFound,
  labelsOf,
  mapOf,
  owner,
  plainOptions,
  siteOperator,
  sites,
  wait,
  withStatus,
} from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const finalizer = 'web.example.com/registry';

export const interruptions: readonly PlantedBug[] = [
  {
    bug: 'does not repeat the second of two writes after a crash',
    operator: siteOperator(({ rest, informers, maps }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const isNew = cached.lister.get(namespace, name) === undefined;
          await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
          const spec = { clusterIP: 'None', selector: labelsOf(site), ports: [{ port: 80 }] };
          const service = setControllerReference({ metadata: { name, namespace }, spec }, site);
          if (isNew) await resource(rest, services).in(namespace).apply(service, owner);
        },
      };
    }),
    options: plainOptions,
    check: 'convergence',
    story: /services default\/\S+ (is missing|should exist)/,
    line: '.apply(mapOf(site), owner)',
    foundBy: 3,
  },
  {
    bug: 'adds its finalizer after the object in another namespace',
    operator: siteOperator(({ rest, maps }) => {
      const client = resource(rest, sites);
      const registry = resource(rest, configMaps).in('registry');
      return {
        owns: [],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const record = { metadata: { name: `${namespace}.${name}` }, data: { image: site.spec.image } };
          await registry.apply(record, owner);
          if (!hasFinalizer(site, finalizer))
            await client.in(namespace).update(addFinalizer(site, finalizer));
        },
        reconcileDeleted: async (site) => {
          const { name, namespace } = site.metadata;
          if (!hasFinalizer(site, finalizer)) return;
          await maps.in('registry').delete(`${namespace}.${name}`).catch(ignoreNotFound);
          await client.in(namespace).update(removeFinalizer(site, finalizer));
        },
      };
    }),
    options: { ...plainOptions, namespaces: ['registry'], without: ['tamper'] },
    check: 'deletion',
    story: /configmaps registry\/\S+ still exists/,
    line: 'registry.apply(record, owner)',
    foundBy: 10,
  },
  {
    bug: 'writes its status before the work, which it then skips',
    operator: siteOperator(({ informers, own, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { generation } = site.metadata;
        if (site.status?.observedGeneration === generation) return;
        await own
          .in(site.metadata.namespace)
          .updateStatus(withStatus(site, { observedGeneration: generation }));
        await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
      },
    })),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'convergence',
    story: /configmaps default\/\S+ (is missing|should exist)|configmaps default\/\S+ data\.image/,
    line: '.updateStatus(withStatus(site, { observedGeneration',
    foundBy: 17,
  },
  {
    bug: 'takes a time-out for the end of its work',
    operator: siteOperator(({ rest, informers, own }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { name, namespace, generation } = site.metadata;
        if (site.status?.observedGeneration === generation) return;
        const aborted = new AbortController();
        const client = resource(rest, configMaps).in(namespace);
        const work = async (): Promise<void> => {
          await client.apply(mapOf(site), { ...owner, signal: aborted.signal });
          await client.apply(mapOf(site, {}, `${name}-ready`), { ...owner, signal: aborted.signal });
        };
        await Promise.race([work(), wait(2_000).then(() => aborted.abort())]);
        await own
          .in(site.metadata.namespace)
          .updateStatus(withStatus(site, { observedGeneration: generation }));
      },
    })),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'convergence',
    story: /configmaps default\/\S+ (is missing|should exist)|configmaps default\/\S+ data\.image/,
    line: '.updateStatus(withStatus(site, { observedGeneration',
    foundBy: 36,
  },
];
