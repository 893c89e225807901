/** States that last for a moment, and writes of what belongs to others: invariants find them. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { invariants } from '@kgen/testing';
import { mapOf, optionsWith, owner, plainOptions, siteOperator, sites, withStatus } from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const onePrimary = invariants.onePerRole(configMaps, ({ metadata, data }) =>
  data?.['role'] === 'primary' ? metadata.ownerReferences?.[0]?.uid : undefined,
);

export const moments: readonly PlantedBug[] = [
  {
    bug: 'has two primaries until the former one is demoted',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const isFirst = (site.spec.suffix ?? 'first') === 'first';
        const [primary, other] = isFirst ? ['a', 'b'] : ['b', 'a'];
        const client = maps.in(namespace);
        await client.apply(mapOf(site, { role: 'primary' }, `${name}-${primary}`), owner);
        await client.apply(mapOf(site, { role: 'replica' }, `${name}-${other}`), owner);
      },
    })),
    options: { ...optionsWith([{ suffix: 'first' }, { suffix: 'second' }]), invariants: [onePrimary] },
    check: 'invariant',
    story: /\S+-[ab] and .*\S+-[ab] have the role/,
    line: "client.apply(mapOf(site, { role: 'primary' }",
    foundBy: 2,
  },
  {
    bug: 'writes its defaults into the spec of users',
    operator: siteOperator(({ own }) => ({
      owns: [],
      reconcile: async (site) => {
        if (site.spec.suffix !== undefined) return;
        await own.in(site.metadata.namespace).update({ ...site, spec: { ...site.spec, suffix: 'default' } });
      },
    })),
    options: { ...plainOptions, invariants: [invariants.specOfUsers(sites)] },
    check: 'invariant',
    story: /Site default\/\S+: the field manager \S+ has written spec\.suffix/,
    line: 'update({ ...site, spec:',
    foundBy: 0,
  },
  {
    bug: 'reports a generation that does not exist yet',
    operator: siteOperator(({ own }) => ({
      owns: [],
      reconcile: async (site) => {
        const observedGeneration = (site.metadata.generation ?? 0) + 1;
        await own.in(site.metadata.namespace).updateStatus(withStatus(site, { observedGeneration }));
      },
    })),
    options: { ...plainOptions, invariants: [invariants.observedGenerations(sites)] },
    check: 'invariant',
    story: /Site default\/\S+: observedGeneration is 2, and generation 1/,
    line: 'updateStatus(withStatus(site',
    foundBy: 0,
  },
];
