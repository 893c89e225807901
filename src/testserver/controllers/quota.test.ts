import { expect, test } from 'vitest';
import { at, type JsonObject } from '../../schema/values/json.ts';
import { call, crd, foosPath, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const root = '/api/v1/namespaces/default';

async function create(server: TestServer, kind: string, plural: string, value: JsonObject): Promise<number> {
  const body = { apiVersion: 'v1', kind, ...value };
  return (await call(server, `${root}/${plural}`, { method: 'POST', body })).code;
}

function claimSpec(storageClassName: string, volumeAttributesClassName = ''): JsonObject {
  const resources = { requests: { storage: '1Gi' } };
  const attributes = volumeAttributesClassName === '' ? {} : { volumeAttributesClassName };
  return { accessModes: ['ReadWriteOnce'], resources, storageClassName, ...attributes };
}

const deviceSpec = {
  devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu', count: 2 } }] },
} as const;

const attributesScope = {
  scopeSelector: {
    matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['gold'] }],
  },
} as const;

function pod(name: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { name }, spec: { containers: [{ name: 'main', image: 'main' }], ...spec } };
}

test.each([
  [
    'custom resources',
    { 'count/foos.test.example.com': '1' },
    foosPath,
    { kind: 'Foo', apiVersion: 'test.example.com/v1' },
    {},
  ],
  [
    'claims of a storage class',
    { 'fast.storageclass.storage.k8s.io/persistentvolumeclaims': '1' },
    `${root}/persistentvolumeclaims`,
    { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
    claimSpec('fast'),
  ],
  [
    'storage of a class',
    { 'fast.storageclass.storage.k8s.io/requests.storage': '1Gi' },
    `${root}/persistentvolumeclaims`,
    { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
    claimSpec('fast'),
  ],
  [
    'devices of a class',
    { 'gpu.deviceclass.resource.k8s.io/devices': '3' },
    '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims',
    { kind: 'ResourceClaim', apiVersion: 'resource.k8s.io/v1' },
    deviceSpec,
  ],
  [
    'claims of an attributes class',
    { persistentvolumeclaims: '1' },
    `${root}/persistentvolumeclaims`,
    { kind: 'PersistentVolumeClaim', apiVersion: 'v1' },
    claimSpec('fast', 'gold'),
    attributesScope,
  ],
] as const)('quotas limit %s', async (_, hard, path, type, spec, scopes: JsonObject = {}) => {
  const server = await start({ controllers: ['resourceQuotas'], crds: [{ yaml: crd }] });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'few' },
    spec: { hard, ...scopes },
  });
  const post = async (name: string): Promise<number> =>
    (await call(server, path, { method: 'POST', body: { ...type, metadata: { name }, spec } })).code;
  expect(await post('first')).toBe(201);
  expect(await post('second')).toBe(403);
  const used = async (): Promise<unknown> =>
    at((await call(server, `${root}/resourcequotas/few`)).body, 'status', 'used');
  await expect
    .poll(used)
    .toEqual(
      'gpu.deviceclass.resource.k8s.io/devices' in hard
        ? { 'gpu.deviceclass.resource.k8s.io/devices': '2' }
        : hard,
    );
});

test('quotas limit the growth of objects', async () => {
  const server = await start({ controllers: ['resourceQuotas'] });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'few' },
    spec: { hard: { services: '2', 'services.nodeports': '0' } }, // one is that of the API server
  });
  expect(
    await create(server, 'Service', 'services', {
      metadata: { name: 'web' },
      spec: { ports: [{ port: 80 }] },
    }),
  ).toBe(201);
  const patch = async (spec: JsonObject): Promise<number> =>
    (
      await call(server, `${root}/services/web`, {
        method: 'PATCH',
        type: 'application/merge-patch+json',
        body: { spec },
      })
    ).code;
  expect(await patch({ sessionAffinity: 'ClientIP' })).toBe(200);
  expect(await patch({ type: 'NodePort' })).toBe(403);
});

test('quotas have the usage in their status, and count only the pods of their scopes', async () => {
  const server = await start({ controllers: ['resourceQuotas'] });
  const used = async (name: string): Promise<unknown> =>
    at((await call(server, `${root}/resourcequotas/${name}`)).body, 'status', 'used');
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'all' },
    spec: { hard: { pods: '3', 'count/configmaps': '2' } },
  });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'short' },
    spec: { hard: { pods: '1' }, scopes: ['Terminating'] },
  });
  await create(server, 'ResourceQuota', 'resourcequotas', {
    metadata: { name: 'critical' },
    spec: {
      hard: { pods: '0' },
      scopeSelector: {
        matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-node-critical'] }],
      },
    },
  });
  expect(await create(server, 'ConfigMap', 'configmaps', { metadata: { name: 'a' } })).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('long'))).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('short', { activeDeadlineSeconds: 5 }))).toBe(201);
  expect(await create(server, 'Pod', 'pods', pod('shorter', { activeDeadlineSeconds: 5 }))).toBe(403);
  expect(
    await create(server, 'Pod', 'pods', pod('high', { priorityClassName: 'system-node-critical' })),
  ).toBe(403);
  await expect.poll(() => used('all')).toEqual({ pods: '2', 'count/configmaps': '1' });
  await expect.poll(() => used('short')).toEqual({ pods: '1' });
  await call(server, `${root}/pods/short`, { method: 'DELETE' });
  await expect.poll(() => used('short')).toEqual({ pods: '0' });
});
