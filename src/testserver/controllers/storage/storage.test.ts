import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { array, at, type JsonObject, strings, text } from '../../../schema/values/json.ts';
import { call, start } from '../../client.fixture.ts';
import { startTestServer, type TestServer } from '../../server/testserver.ts';

const root = '/api/v1/namespaces/default';
const claims = `${root}/persistentvolumeclaims`;
const volumes = '/api/v1/persistentvolumes';

async function post(server: TestServer, path: string, body: JsonObject): Promise<JsonObject> {
  const response = await call(server, path, { method: 'POST', body });
  expect([response.code, response.body]).toEqual([201, expect.anything()]);
  return response.body;
}

function patch(server: TestServer, path: string, body: JsonObject) {
  return call(server, path, { method: 'PATCH', body, type: 'application/merge-patch+json' });
}

async function get(server: TestServer, path: string): Promise<JsonObject> {
  return (await call(server, path)).body;
}

function claim(name: string, spec: JsonObject = {}): JsonObject {
  const resources = { requests: { storage: '1Gi' } };
  return { metadata: { name }, spec: { accessModes: ['ReadWriteOnce'], resources, ...spec } };
}

function pod(name: string, claimName: string): JsonObject {
  return {
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image: 'main' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    },
  };
}

/** Returns the phase of a claim and the capacity of its volume. */
async function stateOf(server: TestServer, name: string): Promise<readonly [string, string]> {
  const found = await get(server, `${claims}/${name}`);
  const volume = await get(server, `${volumes}/${text(found, 'spec', 'volumeName')}`);
  return [text(found, 'status', 'phase'), text(volume, 'spec', 'capacity', 'storage')];
}

const classes = [
  { name: 'fast', provisioner: 'disks.example.com', reclaimPolicy: 'Retain', mountOptions: ['noatime'] },
  { name: 'cloud', provisioner: 'kubernetes.io/aws-ebs' },
  { name: 'manual', provisioner: 'kubernetes.io/no-provisioner' },
] as const;

describe('volumes that drivers provision', () => {
  let server: TestServer;

  beforeAll(async () => {
    const objects = classes.map(({ name, ...rest }) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name },
      ...rest,
    }));
    server = await startTestServer({
      defaultStorageClass: 'Immediate',
      objects,
    });
  });

  afterAll(() => server.stop());

  test.each([
    ['a class by default', {}, 'volumes.test-server', 'Delete', undefined],
    ['a named class', { storageClassName: 'fast' }, 'disks.example.com', 'Retain', ['noatime']],
    [
      'a class of a driver that was part of Kubernetes',
      { storageClassName: 'cloud' },
      'ebs.csi.aws.com',
      'Delete',
      undefined,
    ],
    ['a raw device', { volumeMode: 'Block' }, 'volumes.test-server', 'Delete', undefined],
  ])('are created for a claim of %s', async (title, spec, driver, policy, mountOptions) => {
    const name = title.toLowerCase().replaceAll(' ', '-');
    await post(server, claims, claim(name, spec));
    await expect.poll(() => stateOf(server, name)).toEqual(['Bound', '1Gi']);
    const bound = await get(server, `${claims}/${name}`);
    const volume = await get(server, `${volumes}/${text(bound, 'spec', 'volumeName')}`);
    expect(text(bound, 'metadata', 'annotations', 'volume.kubernetes.io/storage-provisioner')).toBe(driver);
    expect(volume).toMatchObject({
      metadata: { name: `pvc-${text(bound, 'metadata', 'uid')}` },
      spec: { csi: { driver }, persistentVolumeReclaimPolicy: policy, claimRef: { name } },
      status: { phase: 'Bound' },
    });
    expect(at(volume, 'spec', 'mountOptions')).toEqual(mountOptions);
  });

  test.each([
    ['a class without a provisioner', { storageClassName: 'manual' }],
    ['a class that does not exist', { storageClassName: 'none' }],
    ['an empty class', { storageClassName: '' }],
  ])('are not created for a claim of %s', async (title, spec) => {
    const name = title.replaceAll(' ', '-');
    await post(server, claims, claim(name, spec));
    await post(server, claims, claim(`after-${name}`));
    await expect.poll(() => stateOf(server, `after-${name}`)).toEqual(['Bound', '1Gi']);
    expect(await stateOf(server, name)).toEqual(['Pending', '']);
  });

  test('grow with the request of their claim, and are deleted with it', async () => {
    await post(server, claims, claim('data'));
    await expect.poll(() => stateOf(server, 'data')).toEqual(['Bound', '1Gi']);
    await patch(server, `${claims}/data`, { spec: { resources: { requests: { storage: '2Gi' } } } });
    await expect.poll(() => stateOf(server, 'data')).toEqual(['Bound', '2Gi']);
    const bound = await get(server, `${claims}/data`);
    expect(text(bound, 'status', 'capacity', 'storage')).toBe('2Gi');
    await call(server, `${claims}/data`, { method: 'DELETE' });
    const volume = `${volumes}/${text(bound, 'spec', 'volumeName')}`;
    await expect.poll(async () => (await call(server, volume)).code).toBe(404);
  });

  test('do not grow if their class does not allow it', async () => {
    await post(server, claims, claim('fixed', { storageClassName: 'fast' }));
    await expect.poll(() => stateOf(server, 'fixed')).toEqual(['Bound', '1Gi']);
    const size = { spec: { resources: { requests: { storage: '2Gi' } } } };
    const { code, body } = await patch(server, `${claims}/fixed`, size);
    expect([code, text(body, 'message')]).toEqual([
      403,
      'persistentvolumeclaims "fixed" is forbidden: only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    ]);
  });

  test('have the attributes class of their claim', async () => {
    const kinds = '/apis/storage.k8s.io/v1/volumeattributesclasses';
    const gold = { metadata: { name: 'gold' }, driverName: 'disks.example.com', parameters: { iops: '9' } };
    await post(server, kinds, gold);
    await post(server, claims, claim('tuned', { storageClassName: 'fast' }));
    await expect.poll(() => stateOf(server, 'tuned')).toEqual(['Bound', '1Gi']);
    await patch(server, `${claims}/tuned`, { spec: { volumeAttributesClassName: 'gold' } });
    const current = async () =>
      text(await get(server, `${claims}/tuned`), 'status', 'currentVolumeAttributesClassName');
    await expect.poll(current).toBe('gold');
    await call(server, `${kinds}/gold`, { method: 'DELETE' });
    expect(strings(await get(server, `${kinds}/gold`), 'metadata', 'finalizers')).toEqual([
      'kubernetes.io/vac-protection',
    ]);
  });
});

test('claims of a class that waits for a consumer are bound once a pod is scheduled', async () => {
  const server = await start({
    controllers: true,
    defaultStorageClass: 'WaitForFirstConsumer',
    time: 'virtual',
  });
  await post(server, claims, claim('data'));
  await server.time.advance(60_000);
  expect(await stateOf(server, 'data')).toEqual(['Pending', '']);
  await post(server, `${root}/pods`, pod('web', 'data'));
  await server.time.advance(1_000);
  expect(await stateOf(server, 'data')).toEqual(['Bound', '1Gi']);
  const found = await get(server, `${claims}/data`);
  expect(text(found, 'metadata', 'annotations', 'volume.kubernetes.io/selected-node')).toBe('test-node');
});

test('claims without a class get the default class that is created later', async () => {
  const server = await start({ controllers: true, time: 'virtual' });
  await post(server, claims, claim('data'));
  await server.time.advance(1_000);
  await post(server, '/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'late', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'disks.example.com',
  });
  await server.time.advance(1_000);
  expect(await stateOf(server, 'data')).toEqual(['Bound', '1Gi']);
});

test('a restored server continues with the bindings of the snapshot', async () => {
  const server = await start({ controllers: true, defaultStorageClass: 'Immediate', time: 'virtual' });
  await post(server, claims, claim('data'));
  await server.time.advance(1_000);
  const snapshot = server.snapshot();
  await call(server, `${claims}/data`, { method: 'DELETE' });
  await server.time.advance(1_000);
  expect(array(await get(server, volumes), 'items')).toEqual([]);
  server.restore(snapshot);
  await server.time.advance(1_000);
  expect(await stateOf(server, 'data')).toEqual(['Bound', '1Gi']);
  await call(server, `${claims}/data`, { method: 'DELETE' });
  await server.time.advance(1_000);
  expect(array(await get(server, volumes), 'items')).toEqual([]);
});
