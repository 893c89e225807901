/** Identity: operators that mistake one object for another one, or replace it by another one. */
import { configMaps } from '@kgen/kubernetes/core/v1';
import { clusterRoles } from '@kgen/kubernetes/rbac.authorization.k8s.io/v1';
import { isAlreadyExists, resource, type Stored } from '@kgen/runtime';
import { addFinalizer, hasFinalizer, removeFinalizer } from '@kgen/runtime/objects';
import {
  ignoreNotFound,
  labelsOf,
  mapOf,
  optionsWith,
  owner,
  plainOptions,
  type Site,
  siteOperator,
  sites,
} from '../sites.ts';
import type { PlantedBug } from './bug.ts';

const finalizer = 'web.example.com/maps';
const hosts = optionsWith([{ hosts: ['a.example.com', 'b.example.com'] }, { hosts: ['c.example.com'] }]);

export const mistakenIdentities: readonly PlantedBug[] = [
  {
    bug: 'deletes and creates again in place of an update',
    operator: siteOperator(({ rest, informers, maps }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const known = cached.lister.get(namespace, name);
          if (known?.data?.['image'] === site.spec.image) return;
          await maps.in(namespace).delete(name).catch(ignoreNotFound);
          await resource(rest, configMaps).in(namespace).create(mapOf(site));
        },
      };
    }),
    options: plainOptions,
    check: 'deletions',
    story: /delete configmaps default\/\S+/,
    line: '.delete(name)',
    foundBy: undefined,
  },
  {
    bug: 'has one cluster-scoped object for two namespaces',
    operator: siteOperator(({ rest }) => ({
      owns: [],
      reconcile: async (site) => {
        const rules = [
          { apiGroups: [''], resources: ['pods'], resourceNames: [site.spec.image], verbs: ['get'] },
        ];
        await resource(rest, clusterRoles).apply(
          { metadata: { name: roleOf(site.metadata.name) }, rules },
          owner,
        );
      },
      finalize: async ({ metadata: { name } }) => {
        if ((await resource(rest, clusterRoles).find(roleOf(name))) !== undefined)
          await resource(rest, clusterRoles).delete(roleOf(name));
      },
    })),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'restart',
    story: /clusterroles\S* site-\S+/,
    line: 'resource(rest, clusterRoles)',
    foundBy: 1,
  },
  {
    bug: 'takes objects whose names have the same prefix for its own',
    operator: siteOperator(({ informers, maps }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          const declared = (site.spec.hosts ?? []).map((host) => mapOf(site, { host }, `${name}-${host}`));
          for (const map of declared) await maps.in(site.metadata.namespace).apply(map, owner);
          const names = declared.map(({ metadata }) => metadata.name);
          for (const { metadata } of cached.lister.list({ namespace }))
            if (metadata.name.startsWith(name) && !names.includes(metadata.name))
              await maps.in(namespace).delete(metadata.name).catch(ignoreNotFound);
        },
      };
    }),
    options: hosts,
    check: 'ownership',
    story: /configmaps default\/\S+-\S+example\.com/,
    line: '.delete(metadata.name)',
    foundBy: 1,
  },
  {
    bug: 'selects its children by a label in all namespaces',
    operator: siteOperator(({ informers, maps }) => {
      const cached = informers.of(configMaps);
      return {
        owns: [cached],
        reconcile: async (site) => {
          const declared = (site.spec.hosts ?? []).map((host) =>
            mapOf(site, { host }, `${site.metadata.name}-${host}`),
          );
          for (const map of declared) await maps.in(site.metadata.namespace).apply(map, owner);
          const names = declared.map(({ metadata }) => metadata.name);
          for (const { metadata } of cached.lister.list({ labelSelector: labelsOf(site) }))
            if (!names.includes(metadata.name))
              await maps.in(metadata.namespace).delete(metadata.name).catch(ignoreNotFound);
        },
      };
    }),
    options: hosts,
    check: 'ownership',
    story: /delete configmaps \S+\/\S+example\.com/,
    line: '.delete(metadata.name)',
    foundBy: 1,
  },
  {
    bug: 'takes over a ConfigMap that a user has created with the same name',
    operator: siteOperator(({ informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => void (await maps.in(site.metadata.namespace).apply(mapOf(site), owner)),
    })),
    options: plainOptions,
    check: 'bystanders',
    story: /configmaps default\/\S+/,
    line: '.apply(mapOf(site), owner)',
    foundBy: undefined,
  },
  {
    bug: 'takes AlreadyExists for its own object, which it deletes with the site',
    operator: siteOperator(({ rest, maps }) => {
      const client = resource(rest, configMaps);
      return {
        owns: [],
        reconcile: async (site) => {
          const { name, namespace } = site.metadata;
          if (!hasFinalizer(site, finalizer))
            await resource(rest, sites).in(namespace).update(addFinalizer(site, finalizer));
          const map = { metadata: { name: nameOf(site), namespace }, data: { name } };
          await client
            .in(namespace)
            .create(map)
            .catch((error: unknown) => {
              if (!isAlreadyExists(error)) throw error;
            });
        },
        reconcileDeleted: async (site) => {
          const { namespace } = site.metadata;
          if (!hasFinalizer(site, finalizer)) return;
          await maps.in(namespace).delete(nameOf(site)).catch(ignoreNotFound);
          await resource(rest, sites).in(namespace).update(removeFinalizer(site, finalizer));
        },
      };
    }),
    options: { ...plainOptions, without: ['tamper'] },
    check: 'bystanders',
    story: /configmaps default\/\S+-map/,
    line: '.delete(nameOf(site))',
    foundBy: undefined,
  },
];

function roleOf(name: string): string {
  return `site-${name}`;
}

function nameOf({ metadata: { name } }: Stored<Site>): string {
  return `${name}-map`;
}
