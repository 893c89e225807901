/** Entries of a ConfigMap that all sites share, which the finalizer of a site removes. */
import { type ConfigMap, configMaps } from '@kgen/kubernetes/core/v1';
import { isConflict, isNotFound, type Stored } from '@kgen/runtime';
import { plainOptions, type Site, siteOperator, sites } from '../sites.ts';

export const because = 'it repeats an update after a conflict, and keeps the entries of others';

const registry: ConfigMap & { readonly kind: 'ConfigMap' } = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'registry', namespace: 'default' },
};

export const options = { ...plainOptions, objects: [registry] };

type Entries = Readonly<Record<string, string>>;

export const operator = siteOperator(({ informers, maps }) => {
  const [cached, known] = [informers.of(configMaps), informers.of(sites)];
  const all = () => known.lister.list({}).map(({ metadata: { namespace, name } }) => ({ namespace, name }));
  const client = maps.in('default');
  const edit = async (change: (entries: Entries) => Entries): Promise<void> => {
    const map = await client.get('registry').catch(unlessNotFound);
    const [before, after] = [map?.data ?? {}, change(map?.data ?? {})];
    if (map === undefined || JSON.stringify(before) === JSON.stringify(after)) return;
    const written = await client.update({ ...map, data: after }).catch(unlessConflict);
    if (written === undefined) await edit(change);
  };
  return {
    owns: [],
    watches: [{ informer: cached, map: ({ metadata: { name } }) => (name === 'registry' ? all() : []) }],
    reconcile: (site) => edit((entries) => ({ ...entries, [keyOf(site)]: site.spec.image })),
    finalize: (site) => edit(({ [keyOf(site)]: _, ...others }) => others),
  };
});

function keyOf({ metadata: { namespace, name } }: Stored<Site>): string {
  return `${namespace}.${name}`;
}

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

function unlessConflict(error: unknown): undefined {
  if (!isConflict(error)) throw error;
}
