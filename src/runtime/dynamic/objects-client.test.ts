import { describe, expect, it, vi } from 'vitest';
import { isTimeoutError } from '../api/errors.ts';
import type { KubernetesObject } from '../api/meta.ts';
import { isNoMatch } from '../discovery/mapping/errors.ts';
import type { KindMapper } from './client-for.ts';
import { ObjectsClient } from './objects-client.ts';
import { type Recorded, recorder } from './recorder.fixture.ts';

const web = { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name: 'web' }, spec: { replicas: 1 } };
const inHome = { ...web, metadata: { name: 'web', namespace: 'home' } };
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', namespace: 'ignored' } };
const path = '/apis/my.domain/v1/namespaces/home/myapps';

const mapper: KindMapper = {
  mapping: async ({ group, version = 'v1', kind }) => ({
    resource: { group, version, resource: `${kind.toLowerCase()}s` },
    kind: { group, version, kind },
    scope: kind === 'Node' ? 'Cluster' : 'Namespaced',
  }),
};

type ClientCall = (objects: ObjectsClient) => Promise<unknown>;

/** Returns the requests of a call, with responses that are the object. */
async function sent(
  request: ClientCall,
  options = {},
  value: unknown = inHome,
): Promise<readonly Recorded[]> {
  const { rest, requests } = recorder({ value });
  await request(new ObjectsClient(rest, { mapper, ...options }));
  return requests;
}

describe('an ObjectsClient', () => {
  const by = { fieldManager: 'me' };
  it.each<[string, ClientCall, string, unknown]>([
    ['get', (objects) => objects.get(web), `GET ${path}/web`, undefined],
    ['find', (objects) => objects.find(web), `GET ${path}/web`, undefined],
    ['create', (objects) => objects.create(web), `POST ${path}?fieldManager=me`, inHome],
    ['update', (objects) => objects.update(web), `PUT ${path}/web?fieldManager=me`, inHome],
    [
      'patch',
      (objects) => objects.patch(web, { spec: null }, { type: 'merge' }),
      `PATCH ${path}/web?fieldManager=me`,
      { spec: null },
    ],
    ['apply', (objects) => objects.apply(web), `PATCH ${path}/web?fieldManager=me&force=false`, inHome],
    ['delete', (objects) => objects.delete(web), `DELETE ${path}/web`, undefined],
    [
      'apply with options of the call',
      (objects) => objects.apply(web, { fieldManager: 'you', force: true, dryRun: 'All' }),
      `PATCH ${path}/web?dryRun=All&fieldManager=you&force=true`,
      inHome,
    ],
    ['get of a cluster-scoped object', (objects) => objects.get(node), 'GET /api/v1/nodes/n1', undefined],
  ])('sends the request of %s', async (_, request, line, body) => {
    expect(await sent(request, by)).toMatchObject([{ line, body }]);
  });

  it('uses the namespace of the object, of the client, or of the configuration, in this order', async () => {
    const get: ClientCall = (objects) => objects.get(web);
    const inShop = { ...web, metadata: { name: 'web', namespace: 'shop' } };
    expect(await sent(get)).toMatchObject([{ line: `GET ${path}/web` }]);
    expect(await sent(get, { namespace: 'own' })).toMatchObject([{ line: expect.stringContaining('/own/') }]);
    expect(await sent((objects) => objects.get(inShop), { namespace: 'own' })).toMatchObject([
      { line: expect.stringContaining('/shop/') },
    ]);
  });

  it('creates objects without a name', async () => {
    const unnamed = { ...web, metadata: { generateName: 'web-' } };
    expect(await sent((objects) => objects.create(unnamed))).toMatchObject([
      { line: `POST ${path}`, body: { metadata: { generateName: 'web-', namespace: 'home' } } },
    ]);
  });

  it('does not change its arguments', async () => {
    const frozen = Object.freeze({ ...web, metadata: Object.freeze({ name: 'web' }) });
    await sent((objects) => objects.create(frozen));
    expect(frozen).toEqual(web);
  });

  // Plain JavaScript may pass anything.
  const loose = (value: unknown): KubernetesObject => value as KubernetesObject;
  it.each<[string, ClientCall, string]>([
    ['no object', (objects) => objects.apply(loose(undefined), by), 'metadata.name of the object is missing'],
    [
      'no name',
      (objects) => objects.delete({ ...web, metadata: {} }),
      'metadata.name of the object is missing',
    ],
    ['an empty name', (objects) => objects.delete({ ...web, metadata: { name: '' } }), 'is missing'],
    ['no kind', (objects) => objects.create({ ...web, kind: '' }), 'the object has no apiVersion and kind'],
    ['no apiVersion', (objects) => objects.create({ kind: 'A' }), 'the object has no apiVersion and kind'],
    ['no field manager', (objects) => objects.apply(web), 'fieldManager is missing'],
    [
      'an object that was read',
      (objects) => objects.apply({ ...web, metadata: { name: 'web', managedFields: [] } }, by),
      'metadata.managedFields of the object is set',
    ],
    [
      'no type of patch',
      (objects) => Reflect.apply(objects.patch, objects, [web, {}]),
      'the patch has no type',
    ],
  ])('rejects with TypeError for %s', async (_, request, message) => {
    const { rest, requests } = recorder();
    const call = request(new ObjectsClient(rest, { mapper }));
    await expect(call).rejects.toThrow(message);
    await expect(call).rejects.toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });

  it('finds resources by discovery, which it reads once, and again for a kind that is missing', async () => {
    const kind = (name: string) => ({
      resource: `${name.toLowerCase()}s`,
      responseKind: { group: 'my.domain', version: 'v1', kind: name },
      scope: 'Namespaced',
      verbs: ['get'],
    });
    const served = [kind('MyApp')];
    const list = (name: string) => ({
      apiVersion: 'apidiscovery.k8s.io/v2',
      kind: 'APIGroupDiscoveryList',
      items:
        name === '/api'
          ? []
          : [{ metadata: { name: 'my.domain' }, versions: [{ version: 'v1', resources: served }] }],
    });
    const lines: string[] = [];
    const objects = new ObjectsClient(
      { server: 'http://unused' },
      {
        transport: async ({ path: at }) => {
          lines.push(at);
          const value = at === '/api' || at === '/apis' ? list(at) : web;
          const type =
            value === web
              ? 'application/json'
              : 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
          const body = (async function* () {
            yield Buffer.from(JSON.stringify(value));
          })();
          return {
            status: 200,
            headers: { 'content-type': type },
            body,
            cancel: () => undefined,
          };
        },
      },
    );
    await objects.get(web);
    await objects.get(web);
    expect(lines.filter((line) => line === '/apis')).toHaveLength(1);
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: Date.now() + 60_000 });
    served.push(kind('Other'));
    await objects.get({ ...web, kind: 'Other' });
    expect(lines.filter((line) => line === '/apis')).toHaveLength(2);
    expect(lines.at(-1)).toBe('/apis/my.domain/v1/namespaces/default/others/web');
    await expect(objects.get({ ...web, kind: 'None' })).rejects.toSatisfy(isNoMatch);
    vi.useRealTimers();
    await objects.close();
  });

  it('counts discovery in timeoutMs', async () => {
    vi.useFakeTimers();
    const slow: KindMapper = {
      mapping: async (kind, options) => {
        expect(options?.timeoutMs).toBe(100);
        await vi.advanceTimersByTimeAsync(60);
        return mapper.mapping(kind);
      },
    };
    const { rest } = recorder({ lines: [] });
    const call = new ObjectsClient(rest, { mapper: slow }).get(web, { timeoutMs: 100 });
    const settled = vi.fn();
    call.then(settled, settled);
    await vi.advanceTimersByTimeAsync(39);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(call).rejects.toSatisfy(isTimeoutError);
    vi.useRealTimers();
  });

  it('aborts discovery with the signal of the call', async () => {
    const reason = new Error('enough');
    const late: KindMapper = {
      mapping: async (_, options) => Promise.reject(options?.signal === signal && reason),
    };
    const { signal } = new AbortController();
    const { rest } = recorder();
    await expect(new ObjectsClient(rest, { mapper: late }).get(web, { signal })).rejects.toBe(reason);
  });
});
