/** Manifests as objects: built from types, applied, created and deleted on the server in memory. */

import { customResourceDefinitions } from '@kgen/kubernetes/apiextensions.k8s.io/v1';
import { deployments } from '@kgen/kubernetes/apps/v1';
import { type ConfigMap, configMaps, namespaces } from '@kgen/kubernetes/core/v1';
import type { CustomResourceDefinition } from '@kgen/runtime/gen/v1';
import {
  applyManifests,
  createManifests,
  deleteManifests,
  isManifestsError,
  manifest,
} from '@kgen/runtime/manifests';
import { dumpAllYaml } from '@kgen/runtime/yaml';
import { startTestServer } from '@kgen/testserver';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { redisClusters } from '../../generated/crds/cache.example.com/v1/index.ts';

const fieldManager = 'me';

async function started() {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  return server.config;
}

describe('manifest', () => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } };

  it('adds apiVersion and kind, in front', async () => {
    const objects = [
      manifest(namespaces, { metadata: { name: 'shop' } }),
      manifest(deployments, {
        metadata: { name: 'web', labels: undefined },
        spec: { selector: { matchLabels: { app: 'web' } }, template },
      }),
      manifest(redisClusters, { metadata: { name: 'carts' }, spec: { version: '7.4' } }),
    ];
    expect(await dumpAllYaml(objects)).toBe(`\
apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
---
apiVersion: cache.example.com/v1
kind: RedisCluster
metadata:
  name: carts
spec:
  version: "7.4"
`);
  });

  it('has the type of the kind, with apiVersion and kind', () => {
    const settings = manifest(configMaps, { metadata: { name: 'a' }, data: { x: '1' } });
    const identity: { readonly apiVersion: 'v1'; readonly kind: 'ConfigMap' } = settings;
    const typed: ConfigMap = settings;
    expect({ ...identity, data: typed.data }).toEqual(settings.metadata && settings);
  });

  it('refuses members of other kinds and incomplete objects when it is compiled', () => {
    // @ts-expect-error: an unknown member
    manifest(configMaps, { metadata: { name: 'a' }, dat: {} });
    // @ts-expect-error: a RedisCluster has a spec with a version
    manifest(redisClusters, { metadata: { name: 'carts' }, spec: {} });
    // @ts-expect-error: a cluster-scoped object has no namespace
    manifest(namespaces, { metadata: { name: 'shop', namespace: 'shop' } });
    // @ts-expect-error: the kind of another resource
    const wrong = () => manifest(configMaps, { kind: 'Secret', metadata: { name: 'a' } });
    expect(wrong).toThrow('kind of the object is "Secret", the client is for "ConfigMap"');
  });
});

const settings = manifest(configMaps, { metadata: { name: 'a' }, data: { x: '1' } });
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'files.my.domain' },
  spec: {
    group: 'my.domain',
    names: { kind: 'File', listKind: 'FileList', plural: 'files', singular: 'file' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { files: { type: 'array', items: { type: 'string' } } },
          },
        },
      },
    ],
  },
};
/** A kind may have a member with the name of the input `{ files }`. */
const file = { apiVersion: 'my.domain/v1', kind: 'File', metadata: { name: 'f' }, files: ['a', 'b'] };

describe('objects', () => {
  it('are applied, with definitions first, and deleted', async () => {
    const config = await started();
    const objects = [
      file,
      settings,
      definition,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' }, data: undefined },
    ];
    const applied = await applyManifests(config, objects, { fieldManager });
    expect(applied.map(({ action, place }) => [action, place])).toEqual([
      ['created', 'manifests[2]'],
      ['created', 'manifests[1]'],
      ['created', 'manifests[3]'],
      ['created', 'manifests[0]'],
    ]);
    const again = await applyManifests(config, objects, { fieldManager });
    expect(again.map(({ action }) => action)).toEqual(Array(4).fill('unchanged'));
    const deleted = await deleteManifests(config, objects);
    expect(deleted.map(({ action }) => action)).toEqual(Array(4).fill('deleted'));
  });

  it('are accepted one at a time', async () => {
    const config = await started();
    await applyManifests(config, definition, { fieldManager });
    const [created] = await createManifests(config, file, { source: 'file' });
    expect(created).toMatchObject({ action: 'created', place: 'file', object: { kind: 'File', name: 'f' } });
    expect(await deleteManifests(config, settings)).toMatchObject([{ action: 'absent' }]);
  });

  it('are accepted as items of a list, and with integers beyond 2^53', async () => {
    const config = await started();
    const list = { apiVersion: 'v1', kind: 'List', items: [settings, { ...settings, metadata: {} }] };
    const results = await createManifests(config, [list], { dryRun: 'All' }).catch((error: unknown) => error);
    expect(isManifestsError(results) && results.results.map(({ place, action }) => [place, action])).toEqual([
      ['manifests[0] items[1]', 'failed'],
      ['manifests[0] items[0]', 'created'],
    ]);
    const large = { ...file, count: 2n ** 64n };
    await expect(applyManifests(config, large, { fieldManager })).rejects.toThrow(
      'manifests: not a Kubernetes object: count: 18446744073709551616 does not fit into 64 bits',
    );
  });
});

const cyclic: Record<string, unknown> = { ...file };
cyclic['self'] = cyclic;

test.each<[string, unknown, string]>([
  ['null', [null], 'manifests[0]: not a Kubernetes object: it is not a map'],
  ['undefined', [settings, undefined], 'manifests[1]: not a Kubernetes object: it is not a map'],
  ['a path', ['a.yaml'], 'pass { files: "a.yaml" } to read a file'],
  [
    'no apiVersion',
    { kind: 'Pod', metadata: { name: 'a' } },
    'manifests: not a Kubernetes object: it has no apiVersion',
  ],
  ['no kind', [{ apiVersion: 'v1' }], 'manifests[0]: not a Kubernetes object: it has no kind'],
  ['a cycle', [cyclic], 'manifests[0]: not a Kubernetes object: Converting circular structure'],
  ['an empty array', [], 'manifests: no objects to create'],
  [
    'other options',
    { file: 'a.yaml' },
    'manifests must be a string of YAML or JSON, { files: … }, an object',
  ],
  ['a number', 5, 'manifests must be a string'],
])('objects are rejected by their place: %s', async (_, input, message) => {
  const config = await started();
  // @ts-expect-error: JavaScript passes any value
  await expect(createManifests(config, input)).rejects.toThrow(message);
});

test('objects without apiVersion or kind do not compile', () => {
  const check = (config: Parameters<typeof applyManifests>[0]): unknown => [
    // @ts-expect-error: a ConfigMap without kind
    applyManifests(config, { apiVersion: 'v1', metadata: { name: 'a' } }, { fieldManager }),
    // @ts-expect-error: a literal of a type whose apiVersion is optional
    applyManifests(config, [{ metadata: { name: 'a' } } satisfies ConfigMap], { fieldManager }),
    applyManifests(config, [settings, definition, { ...file, kind: 'File' }], { fieldManager }),
  ];
  expect(check).toBeInstanceOf(Function);
  expect(customResourceDefinitions.kind).toBe('CustomResourceDefinition');
});
