import { describe, expect, test } from 'vitest';
import { array, type JsonObject, strings, text } from '../../../schema/values/json.ts';
import { call, start } from '../../client.fixture.ts';
import type { TestServer } from '../../server/testserver.ts';

const core = '/api/v1/namespaces/default';
const slicesPath = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

async function post(server: TestServer, path: string, body: JsonObject): Promise<void> {
  expect((await call(server, path, { method: 'POST', body })).code).toBe(201);
}

async function merge(server: TestServer, path: string, body: JsonObject): Promise<void> {
  const type = 'application/merge-patch+json';
  expect((await call(server, path, { method: 'PATCH', body, type })).code).toBe(200);
}

async function slicesOf(server: TestServer, service: string): Promise<readonly JsonObject[]> {
  const { body } = await call(server, `${slicesPath}?labelSelector=kubernetes.io/service-name=${service}`);
  return array(body, 'items').map((item) => item as JsonObject); // seam: items of a list are objects
}

/** Returns the number of endpoints of each slice by its manager. */
async function sizes(server: TestServer, service: string): Promise<readonly string[]> {
  const found = await slicesOf(server, service);
  const manager = (slice: JsonObject): string =>
    text(slice, 'metadata', 'labels', 'endpointslice.kubernetes.io/managed-by').split(/[-.]/)[0] ?? '';
  return found.map((slice) => `${manager(slice)} ${array(slice, 'endpoints').length}`).toSorted();
}

async function withPod(server: TestServer): Promise<void> {
  await post(server, `${core}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await post(server, `${core}/pods`, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'main', image: 'web:1' }] },
  });
  await expect.poll(() => sizes(server, 'web')).toEqual(['endpointslice 1']);
}

describe('slices of services', () => {
  test('are created again, and changes of them are undone', async () => {
    const server = await start({ controllers: true });
    await withPod(server);
    const [first] = await slicesOf(server, 'web');
    const path = `${slicesPath}/${text(first, 'metadata', 'name')}`;
    await call(server, path, { method: 'DELETE' });
    await expect.poll(() => sizes(server, 'web')).toEqual(['endpointslice 1']);
    await merge(server, path, { endpoints: [] });
    await expect.poll(() => sizes(server, 'web')).toEqual(['endpointslice 1']);
    const labels = { 'endpointslice.kubernetes.io/managed-by': 'other' };
    await merge(server, path, { metadata: { labels } });
    await expect.poll(() => sizes(server, 'web')).toEqual(['endpointslice 1', 'other 1']);
    await call(server, `${core}/endpoints/web`, { method: 'DELETE' });
    await expect.poll(async () => (await call(server, `${core}/endpoints/web`)).code).toBe(200);
  });

  test('mirror Endpoints as long as the service has no selector', async () => {
    const server = await start({ controllers: true });
    await post(server, `${core}/services`, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    await post(server, `${core}/endpoints`, {
      metadata: { name: 'web' },
      subsets: [{ addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80 }] }],
    });
    const mirrored = ['endpointslicemirroring 1', 'endpointslicemirroring 1'];
    await expect.poll(() => sizes(server, 'web')).toEqual(mirrored);
    for (const slice of await slicesOf(server, 'web')) {
      await call(server, `${slicesPath}/${text(slice, 'metadata', 'name')}`, { method: 'DELETE' });
    }
    await expect.poll(() => sizes(server, 'web')).toEqual(mirrored);
    await call(server, `${core}/endpoints/web`, { method: 'DELETE' });
    await expect.poll(() => sizes(server, 'web')).toEqual([]);
  });
});

describe('cluster IPs', () => {
  test('have an IPAddress', async () => {
    const server = await start({ controllers: true });
    const service = { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.9' } };
    await post(server, `${core}/services`, service);
    await expect.poll(async () => (await call(server, `${addresses}/10.0.0.9`)).code).toBe(200);
    await call(server, `${core}/services/web`, { method: 'DELETE' });
    await expect.poll(async () => (await call(server, `${addresses}/10.0.0.9`)).code).toBe(404);
  });

  test('keep the range that contains them', async () => {
    const server = await start({ controllers: true, time: 'virtual' });
    await post(server, cidrs, { metadata: { name: 'more' }, spec: { cidrs: ['10.9.0.0/24'] } });
    const finalizers = async (name: string): Promise<readonly string[]> =>
      strings((await call(server, `${cidrs}/${name}`)).body, 'metadata', 'finalizers');
    await expect.poll(() => finalizers('more')).toEqual(['networking.k8s.io/service-cidr-finalizer']);
    for (const name of ['more', 'kubernetes']) await call(server, `${cidrs}/${name}`, { method: 'DELETE' });
    await server.time.advance(11_000);
    expect((await call(server, `${cidrs}/more`)).code).toBe(404);
    const left = await call(server, `${cidrs}/kubernetes`);
    const [ready] = array(left.body, 'status', 'conditions');
    expect([text(ready, 'status'), text(ready, 'reason')]).toEqual(['False', 'Terminating']);
  });
});

test('a server begins with the flow control of a real one', async () => {
  const server = await start({ controllers: true });
  const count = async (plural: string): Promise<number> => {
    const { body } = await call(server, `/apis/flowcontrol.apiserver.k8s.io/v1/${plural}`);
    return array(body, 'items').length;
  };
  expect(await Promise.all(['flowschemas', 'prioritylevelconfigurations'].map(count))).toEqual([11, 8]);
  expect((await call(server, `${core}/endpoints/kubernetes`)).code).toBe(200);
});
