/** Unobserved states: operators that are not woken by something on which their result depends. */
import { createHash } from 'node:crypto';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { configMaps, secrets } from '@kgen/kubernetes/core/v1';
import { resource, type Stored } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import {
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

const credentials = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'credentials', namespace: 'default' },
  data: { key: btoa('first') },
};

const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  data: { level: 'info' },
};

const index = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'index', namespace: 'default' },
};

export const unobservedStates: readonly PlantedBug[] = [
  {
    bug: 'does not watch the objects that it creates',
    operator: siteOperator(({ maps }) => ({
      owns: [],
      reconcile: async (site) => void (await maps.in(site.metadata.namespace).apply(mapOf(site), owner)),
    })),
    options: plainOptions,
    check: 'convergence',
    story: /configmaps default\/\S+ (is missing|should exist)|data\.image is "tampered"/,
    line: '.apply(mapOf(site), owner)',
    foundBy: 36,
  },
  {
    bug: 'does not remove its entry of an index if the object is deleted while it is down',
    operator: siteOperator(({ rest, informers }) => {
      const client = resource(rest, configMaps).in('default');
      const patch = ({ namespace, name }: Stored<Site>['metadata'], image: string | null) =>
        client.patch('index', { data: { [`${namespace}.${name}`]: image } });
      informers.of(sites).handle({ delete: ({ metadata }) => patch(metadata, null) });
      return { owns: [], reconcile: async (site) => void (await patch(site.metadata, site.spec.image)) };
    }),
    options: { ...plainOptions, objects: [index], without: ['tamper'] },
    check: 'convergence',
    story: /configmaps default\/index: data\S* is .* and should be absent/,
    line: "client.patch('index'",
    foundBy: 1,
  },
  {
    bug: 'does not watch the Secret to which its object refers',
    operator: siteOperator(({ rest, informers, maps }) => ({
      owns: [informers.of(configMaps)],
      reconcile: async (site) => {
        const { namespace } = site.metadata;
        const found = await resource(rest, secrets)
          .in(namespace)
          .find(site.spec.reference ?? 'none');
        const checksum = createHash('sha256')
          .update(found?.data?.['key'] ?? '')
          .digest('hex');
        await maps.in(site.metadata.namespace).apply(mapOf(site, { checksum }), owner);
      },
    })),
    options: {
      ...optionsWith([{ reference: 'credentials' }, { reference: 'none' }]),
      objects: [credentials],
    },
    check: 'restart',
    story: /configmaps default\/\S+ data\.checksum/,
    line: '.apply(mapOf(site, { checksum }), owner)',
    foundBy: 48,
  },
  {
    bug: 'does not watch the ConfigMap whose content it copies into a Deployment',
    operator: siteOperator(({ rest, informers }) => ({
      owns: [informers.of(deployments)],
      reconcile: async (site) => {
        const { name, namespace } = site.metadata;
        const { image, reference = 'none' } = site.spec;
        const found = await resource(rest, configMaps).in(namespace).find(reference);
        const [labels, annotations] = [labelsOf(site), { level: found?.data?.['level'] ?? '' }];
        const template = {
          metadata: { labels, annotations },
          spec: { containers: [{ name: 'web', image }] },
        };
        const spec = { replicas: 1, selector: { matchLabels: labels }, template };
        const deployment = setControllerReference({ metadata: { name, namespace }, spec }, site);
        await resource(rest, deployments).in(namespace).apply(deployment, owner);
      },
    })),
    options: {
      ...optionsWith([{ reference: 'settings' }, { reference: 'none' }]),
      objects: [settings],
    },
    check: 'restart',
    story: /deployments\S* default\/\S+ spec\.template\.metadata\.annotations\.level/,
    line: '.apply(deployment, owner)',
    foundBy: 20,
  },
];
