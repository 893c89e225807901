/** Lost keys: operators that replace what others have written. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { resource, type Stored } from '@kgen/runtime';
import { mapOf, owner, plainOptions, type Site, siteOperator, sites } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const routes = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'routes', namespace: 'default' },
};

const withRoutes = { ...plainOptions, objects: [routes], without: ['tamper'] } as const;

export const lostKeys: readonly PlantedBug[] = [
  {
    bug: 'replaces the data of a shared ConfigMap, about which its objects fight',
    operator: siteOperator(({ rest, informers }) => {
      const cached = informers.of(configMaps);
      const known = informers.of(sites);
      return {
        owns: [],
        watches: [
          { informer: cached, map: () => known.lister.list({}).map(({ metadata }) => keyOf(metadata)) },
        ],
        reconcile: async (site) => {
          const map = cached.lister.get('default', 'routes');
          const { name } = site.metadata;
          if (map === undefined || map.data?.[name] === site.spec.image) return;
          await resource(rest, configMaps)
            .in('default')
            .update({ ...map, data: { [name]: site.spec.image } });
        },
      };
    }),
    options: withRoutes,
    check: 'requests',
    story: /update configmaps default\/routes/,
    line: '.update({ ...map, data: {',
    foundBy: 0,
  },
  {
    bug: 'writes a key of a shared ConfigMap without its resource version',
    operator: siteOperator(({ rest, informers }) => {
      const client = resource(rest, configMaps).in('default');
      const known = informers.of(sites);
      return {
        owns: [],
        concurrency: 3,
        reconcile: async (site) => {
          const { image } = site.spec;
          const keyIn = ({ namespace, name: own }: Stored<Site>['metadata']) => `${namespace}.${own}`;
          const name = keyIn(site.metadata);
          const { metadata, data } = await client.get('routes');
          const living = known.lister.list({}).map((each) => keyIn(each.metadata));
          const kept = Object.entries(data ?? {}).filter(([key]) => living.includes(key));
          const { resourceVersion: _, ...rest } = metadata;
          if (data?.[name] !== image)
            await client.update({ metadata: rest, data: { ...Object.fromEntries(kept), [name]: image } });
        },
      };
    }),
    options: withRoutes,
    check: 'convergence',
    story: /configmaps default\/routes: data\S* is /,
    line: 'client.update({ metadata: rest',
    foundBy: 1,
  },
  {
    bug: 'replaces the labels that users have set on their object',
    operator: siteOperator(({ rest, informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { namespace, name, labels } = site.metadata;
        await maps.in(site.metadata.namespace).apply(mapOf(site), owner);
        const own = { 'app.kubernetes.io/managed-by': 'sites' };
        const isSame = JSON.stringify(labels) === JSON.stringify(own);
        const metadata = { ...site.metadata, name, labels: own };
        if (!isSame)
          await resource(rest, sites)
            .in(namespace)
            .update({ ...site, metadata });
      },
    })),
    options: plainOptions,
    check: 'ownership',
    story: /Site \S+ has lost metadata\.labels\.team, which a user has set/,
    line: '.update({ ...site, metadata })',
    foundBy: 2,
  },
];

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }) {
  return { namespace, name };
}
