import { describe, expect, it } from 'vitest';
import { isDecodeError } from '../api/errors.ts';
import { isNotFound } from '../api/failure-reasons.ts';
import type { ResourceFacts } from '../api/resource.ts';
import { DynamicClient } from './dynamic-client.ts';
import { MetadataClient } from './metadata/metadata-client.ts';
import { type Recorded, recorder } from './recorder.fixture.ts';
import type { ResourceName } from './target.ts';
import type { Unstructured } from './unstructured.ts';
import type { DynamicResourceClient } from './verbs.ts';

const myapps = { group: 'my.domain', version: 'v1', resource: 'myapps' };
const json = 'application/json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const applyPatch = 'application/apply-patch+yaml';

const web = {
  apiVersion: 'my.domain/v1',
  kind: 'MyApp',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { replicas: 1 },
} satisfies Unstructured;
const stored = { ...web, metadata: { ...web.metadata, uid: 'u1', resourceVersion: '5' } };

type ClientCall = (client: DynamicResourceClient) => unknown;

/** Returns the first request. */
async function sent(
  request: ClientCall,
  inShop = true,
  value: unknown = stored,
): Promise<Recorded | undefined> {
  const { rest, requests } = recorder({ value });
  const access = new DynamicClient(rest).resource(myapps);
  await request(inShop ? access.namespace('shop') : access);
  return requests[0];
}

const path = '/apis/my.domain/v1/namespaces/shop/myapps';

interface Case {
  readonly request: ClientCall;
  readonly want: readonly [line: string, type?: string, body?: unknown];
  readonly value?: unknown;
  /** Not in a namespace. */
  readonly everywhere?: true;
}

const by = { fieldManager: 'me' };
const list = { apiVersion: 'my.domain/v1', kind: 'MyAppList', metadata: { resourceVersion: '9' }, items: [] };

const cases: Readonly<Record<string, Case>> = {
  get: { request: (c) => c.get('web'), want: [`GET ${path}/web`] },
  'get of the cluster': {
    request: (c) => c.get('web', { resourceVersion: '0' }),
    everywhere: true,
    want: ['GET /apis/my.domain/v1/myapps/web?resourceVersion=0'],
  },
  find: { request: (c) => c.find('web'), want: [`GET ${path}/web`] },
  list: {
    request: (c) => c.list({ labelSelector: { app: 'web' }, limit: 5, continue: 't' }),
    value: list,
    want: [`GET ${path}?continue=t&labelSelector=app%3Dweb&limit=5`],
  },
  'list of everything': {
    request: (c) => c.list({ fieldSelector: 'spec.x=y' }),
    everywhere: true,
    value: list,
    want: ['GET /apis/my.domain/v1/myapps?fieldSelector=spec.x%3Dy'],
  },
  create: {
    request: (c) => c.create(web, { ...by, dryRun: 'All', fieldValidation: 'Strict' }),
    want: [`POST ${path}?dryRun=All&fieldManager=me&fieldValidation=Strict`, json, web],
  },
  'create of an object that does not say its namespace': {
    request: (c) => c.create({ ...web, metadata: { generateName: 'web-' } }),
    want: [`POST ${path}`, json, { ...web, metadata: { generateName: 'web-', namespace: 'shop' } }],
  },
  update: { request: (c) => c.update(stored), want: [`PUT ${path}/web`, json, stored] },
  updateStatus: {
    request: (c) => c.updateStatus(stored),
    want: [`PUT ${path}/web/status`, json, stored],
  },
  getStatus: { request: (c) => c.getStatus('web'), want: [`GET ${path}/web/status`] },
  'merge patch': {
    request: (c) => c.patch('web', { spec: null }, { type: 'merge', ...by }),
    want: [`PATCH ${path}/web?fieldManager=me`, merge, { spec: null }],
  },
  'JSON patch': {
    request: (c) => c.patch('web', [{ op: 'remove', path: '/spec' }], { type: 'json' }),
    want: [`PATCH ${path}/web`, jsonPatch, [{ op: 'remove', path: '/spec' }]],
  },
  'strategic merge patch': {
    request: (c) => c.patch('web', { spec: { $patch: 'delete' } }, { type: 'strategic' }),
    want: [`PATCH ${path}/web`, strategic, { spec: { $patch: 'delete' } }],
  },
  patchStatus: {
    request: (c) => c.patchStatus('web', { status: { ready: true } }, { type: 'merge' }),
    want: [`PATCH ${path}/web/status`, merge, { status: { ready: true } }],
  },
  apply: {
    request: (c) => c.apply(web, { ...by, force: true }),
    want: [`PATCH ${path}/web?fieldManager=me&force=true`, applyPatch, web],
  },
  applyStatus: {
    request: (c) => c.applyStatus(web, by),
    want: [`PATCH ${path}/web/status?fieldManager=me&force=false`, applyPatch, web],
  },
  delete: {
    request: (c) => c.delete('web', { propagationPolicy: 'Orphan', preconditions: { uid: 'u1' } }),
    want: [
      `DELETE ${path}/web`,
      json,
      {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        preconditions: { uid: 'u1' },
        propagationPolicy: 'Orphan',
      },
    ],
  },
  deleteCollection: {
    request: (c) => c.deleteCollection({ labelSelector: 'app=web' }),
    value: { kind: 'Status', apiVersion: 'v1', status: 'Success' },
    want: [`DELETE ${path}?labelSelector=app%3Dweb`],
  },
  'get of a subresource': {
    request: (c) => c.subresource('scale').get('web'),
    want: [`GET ${path}/web/scale`],
  },
  'create of a subresource of a kind that is known': {
    request: (c) => c.subresource('eviction').create('web', {}),
    want: [
      `POST ${path}/web/eviction`,
      json,
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web', namespace: 'shop' } },
    ],
  },
  'create of a subresource of any kind': {
    request: (c) => c.subresource('token').create('web', { apiVersion: 'x/v1', kind: 'Other' }),
    want: [
      `POST ${path}/web/token`,
      json,
      { apiVersion: 'x/v1', kind: 'Other', metadata: { name: 'web', namespace: 'shop' } },
    ],
  },
  'update of a subresource': {
    request: (c) => c.subresource('approval').update('web', web),
    want: [`PUT ${path}/web/approval`, json, web],
  },
  'patch of a subresource': {
    request: (c) => c.subresource('scale').patch('web', { spec: { replicas: 2 } }, { type: 'merge' }),
    want: [`PATCH ${path}/web/scale`, merge, { spec: { replicas: 2 } }],
  },
  'apply of a subresource': {
    request: (c) => c.subresource('status').apply('web', { ...web, metadata: {} }, by),
    want: [`PATCH ${path}/web/status?fieldManager=me&force=false`, applyPatch, web],
  },
};

describe('requests of a dynamic client', () => {
  it.each(Object.entries(cases))('%s', async (_, { request: call, want, value, everywhere }) => {
    const [line, type, body] = want;
    const request = await sent(call, everywhere !== true, value);
    expect(request).toEqual({ line, accept: json, type, body });
  });
});

const managed = { ...web, metadata: { ...web.metadata, managedFields: [{ manager: 'x' }] } };
/** A value that only plain JavaScript can pass. */
const loose = (value: unknown): never => value as never;

const refused: Readonly<Record<string, { request: ClientCall; message: RegExp; everywhere?: true }>> = {
  'no kind': {
    request: (c) => c.create(loose({ ...web, kind: undefined })),
    message: /^kind of the object is missing/,
  },
  'an empty kind': {
    request: (c) => c.update({ ...web, kind: '' }),
    message: /^kind of the object is missing/,
  },
  'an apiVersion of another resource': {
    request: (c) => c.create({ ...web, apiVersion: 'apps/v1' }),
    message: /apiVersion of the object is "apps\/v1", the client is for "my.domain\/v1"/,
  },
  'another namespace': {
    request: (c) => c.create({ ...web, metadata: { namespace: 'other' } }),
    message: /metadata.namespace of the object is "other", the client is for "shop"/,
  },
  'a namespace without one of the client, in create': {
    request: (c) => c.create(web),
    message: /the client has no namespace: call namespace\(\)/,
    everywhere: true,
  },
  'the same in update': { request: (c) => c.update(web), message: /has no namespace/, everywhere: true },
  'the same in apply': { request: (c) => c.apply(web, by), message: /has no namespace/, everywhere: true },
  'the same in updateStatus': {
    request: (c) => c.updateStatus(web),
    message: /has no namespace/,
    everywhere: true,
  },
  'update without a name': {
    request: (c) => c.update(loose({ ...web, metadata: {} })),
    message: /metadata.name of the object is missing/,
  },
  'apply without a name': {
    request: (c) => c.apply(loose({ ...web, metadata: {} }), by),
    message: /metadata.name of the object is missing/,
  },
  'apply without a manager': { request: (c) => c.apply(web, loose({})), message: /fieldManager/ },
  'apply of what was read': {
    request: (c) => c.apply(managed, by),
    message: /managedFields of the object is set/,
  },
  'applyStatus of what was read': {
    request: (c) => c.applyStatus(managed, by),
    message: /managedFields of the object is set/,
  },
  // @ts-expect-error there is no default
  'patch without a type': { request: (c) => c.patch('web', {}), message: /has no type/ },
  'patchStatus without a type': {
    // @ts-expect-error there is no default
    request: (c) => c.patchStatus('web', {}, {}),
    message: /has no type/,
  },
  'patch of a subresource without a type': {
    // @ts-expect-error there is no default
    request: (c) => c.subresource('scale').patch('web', {}),
    message: /has no type/,
  },
  'a patch of an unknown type': {
    request: (c) => c.patch('web', {}, loose({ type: 'x' })),
    message: /unknown patch type: "x"/,
  },
  'a patch body of the wrong form': {
    request: (c) => c.patch('web', loose({}), { type: 'json' }),
    message: /the body of a json patch must be an array/,
  },
  'an empty name': { request: (c) => c.get(''), message: /the name of the object of myapps is empty/ },
  'a name that is missing': {
    request: (c) => c.delete(loose(undefined)),
    message: /the name of the object of myapps to delete/,
  },
  'a name with a slash': { request: (c) => c.get('a/b'), message: /must not contain '\/'/ },
  'an unsafe subresource': {
    request: (c) => c.subresource('..').get('web'),
    message: /the subresource must not be '..'/,
  },
};

describe('throws before any request', () => {
  it.each(Object.entries(refused))('for %s', async (_, { request, message, everywhere }) => {
    const { rest, requests } = recorder({ value: stored });
    const access = new DynamicClient(rest).resource(myapps);
    const requested = Promise.resolve(request(everywhere ? access : access.namespace('shop')));
    await expect(requested).rejects.toThrow(message);
    await expect(requested).rejects.toBeInstanceOf(TypeError);
    expect(requests).toEqual([]);
  });
});

const facts: ResourceFacts = {
  group: 'my.domain',
  version: 'v1',
  kind: 'MyApp',
  listKind: 'MyAppList',
  plural: 'myapps',
  singular: 'myapp',
  scope: 'Cluster',
  verbs: [],
};
const mapping = {
  resource: myapps,
  kind: { group: 'my.domain', version: 'v1', kind: 'MyApp' },
  scope: 'Cluster',
} as const;

describe('a resource', () => {
  it.each([
    ['a descriptor', facts],
    ['a mapping', mapping],
    ['group, version, plural, kind and scope', { ...myapps, kind: 'MyApp', scope: 'Cluster' as const }],
  ])('is accepted as %s, which has its kind', async (_, name) => {
    const { rest, requests } = recorder({ value: stored });
    const client = new DynamicClient(rest).resource(name);
    await client.create(loose({ metadata: { name: 'web' } }));
    expect(requests[0]).toMatchObject({
      line: 'POST /apis/my.domain/v1/myapps',
      body: { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name: 'web' } },
    });
    await expect(client.create({ ...web, kind: 'Other', metadata: {} })).rejects.toThrow(
      'kind of the object',
    );
    expect(() => client.namespace('shop')).toThrow('myapps are cluster-scoped');
  });

  it('of cluster scope ignores a namespace in its objects', async () => {
    const { rest, requests } = recorder({ value: stored });
    const client = new DynamicClient(rest).resource(mapping);
    await client.create(web);
    await client.apply(web, by);
    await client.updateStatus(web);
    expect(requests.map(({ line }) => line)).toEqual([
      'POST /apis/my.domain/v1/myapps',
      'PATCH /apis/my.domain/v1/myapps/web?fieldManager=me&force=false',
      'PUT /apis/my.domain/v1/myapps/web/status',
    ]);
  });

  it('with the scope Cluster has no namespace', async () => {
    const { rest, requests } = recorder({ value: stored });
    const name: ResourceName = { ...myapps, scope: 'Cluster' };
    await new DynamicClient(rest).resource(name).get('web');
    await new MetadataClient(rest).resource(name).get('web');
    const line = 'GET /apis/my.domain/v1/myapps/web';
    expect(requests).toMatchObject([{ line }, { line }]);
    for (const client of [new DynamicClient(rest), new MetadataClient(rest)]) {
      expect(() => client.resource(name).namespace('shop')).toThrow('myapps are cluster-scoped');
    }
  });

  it('with the scope Namespaced requires a namespace', async () => {
    const { rest, requests } = recorder({ value: stored });
    const access = new DynamicClient(rest).resource({ ...myapps, scope: 'Namespaced' });
    await expect(access.get('web')).rejects.toThrow('the namespace to get in is missing');
    expect(requests).toEqual([]);
  });

  it.each<[string, (access: DynamicResourceClient, signal: AbortSignal) => Promise<unknown>]>([
    ['get', (access) => access.get('web')],
    ['get', (access) => access.find('web')],
    ['get', (access) => access.getTable('web')],
    ['get', (access, signal) => access.waitFor('web', () => true, { signal })],
    ['create', (access) => access.create(loose({ metadata: { name: 'web' } }))],
    ['patch', (access) => access.patch('web', {}, { type: 'merge' })],
    ['delete', (access) => access.delete('web')],
    ['delete', (access, signal) => access.deleteAndWait('web', { signal })],
    ['deletecollection', (access) => access.deleteCollection()],
    ['get', (access) => access.subresource('status').get('web')],
  ])('that is namespaced requires a namespace to %s', async (verb, request) => {
    const { rest, requests } = recorder({ value: stored });
    const access = new DynamicClient(rest).resource({ ...mapping, scope: 'Namespaced' });
    const message = `myapps are namespaced: the namespace to ${verb} in is missing`;
    const stop = new AbortController();
    await expect(request(access, stop.signal)).rejects.toThrow(message);
    expect(requests).toEqual([]);
    const sent = request(access.namespace('shop'), stop.signal).catch(() => undefined);
    await expect.poll(() => requests).not.toEqual([]);
    stop.abort();
    await sent;
  });

  it.each<[unknown, string | RegExp]>([
    [undefined, /^resource must be \{ group, version, resource \}, .*, got undefined$/],
    ['pods', /^resource must be \{ group, version, resource \}, .*, got "pods"$/],
    [{}, /^resource must be the plural of a kind, such as 'deployments', got undefined$/],
    [{ resource: 'pods' }, /^the group of the resource pods is missing; the core group is '' or core$/],
    [{ group: '', version: '', resource: 'pods' }, 'the version of the resource pods is empty'],
    [{ group: '', version: 'v1', resource: '' }, /^resource must be the plural .* got ""$/],
    [{ group: '', version: '..', resource: 'pods' }, "must not be '..'"],
    [{ group: '', version: 'v1', resource: null }, /^resource must be the plural .* got null$/],
    [{ plural: 'pods' }, /^the group of the resource pods is missing/],
    [{ group: '', version: 'v1', resource: 'pods', scope: 'cluster' }, "must be 'Namespaced' or 'Cluster'"],
    [
      { group: '', version: 'v1', resource: 'pods', kind: 5 },
      'the kind of the resource pods must be a string, got number',
    ],
    [{ resource: {}, scope: 'Cluster' }, /^resource must be the plural .* got undefined$/],
  ])('throws for an invalid resource: %j', (name, message) => {
    const { rest } = recorder();
    expect(() => new DynamicClient(rest).resource(loose(name))).toThrow(message);
    expect(() => new DynamicClient(rest).resource(loose(name))).toThrow(TypeError);
  });

  it.each(['', '.', 'a/b'])('throws for the namespace %j', (namespace) => {
    const { rest } = recorder();
    const access = new DynamicClient(rest).resource(myapps);
    expect(() => access.namespace(namespace)).toThrow(TypeError);
  });
});

describe('responses of a dynamic client', () => {
  const request = (value: unknown, status = 200): DynamicResourceClient =>
    new DynamicClient(recorder({ value, status }).rest).resource(myapps);

  it.each<[string, object, unknown]>([
    ['say nothing', {}, ['my.domain/v1', 'MyApp']],
    ['say their kind', { kind: 'Other' }, ['my.domain/v1', 'Other']],
    ['say both', { apiVersion: 'x/v1', kind: 'Other' }, ['x/v1', 'Other']],
  ])('of lists have items of the kind of the list if they %s', async (_, message, want) => {
    const items = [{ ...message, metadata: { name: 'a' } }];
    const [item] = (await request({ ...list, items }).list()).items;
    expect([item?.apiVersion, item?.kind]).toEqual(want);
  });

  it('of lists without a list kind keep items unchanged', async () => {
    const items = [{ metadata: { name: 'a' } }];
    expect((await request({ kind: 'List', items }).list()).items).toEqual([
      { apiVersion: 'my.domain/v1', metadata: { name: 'a' } },
    ]);
  });

  it('that are objects with items are not treated as lists', async () => {
    const object = { ...stored, items: [1, 2] };
    expect(await request(object).get('web')).toEqual(object);
    expect(await request(object).delete('web')).toEqual(object);
  });

  it('keep members with names such as __proto__', async () => {
    const object: unknown = JSON.parse(
      '{"kind":"MyApp","metadata":{"name":"a"},"__proto__":{"polluted":true}}',
    );
    const read = await request(object).get('a');
    expect(Object.keys(read)).toContain('__proto__');
    expect(Reflect.get({}, 'polluted')).toBe(undefined);
  });

  it('that are not objects are rejected', async () => {
    await expect(request([]).get('web')).rejects.toSatisfy(isDecodeError);
    await expect(request(stored).list()).rejects.toSatisfy(isDecodeError);
  });

  it('with status Failure are errors', async () => {
    const status = {
      kind: 'Status',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      details: { name: 'web' },
    };
    await expect(request(status, 404).get('web')).rejects.toSatisfy(isNotFound);
    expect(await request(status, 404).find('web')).toBe(undefined);
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740992],
    ['-9223372036854775808', -(2 ** 63)],
    ['0.1', 0.1],
  ])('contain the number nearest to %s', async (text, want) => {
    const { rest } = recorder({ text: `{"kind":"MyApp","metadata":{},"n":${text}}` });
    expect(await new DynamicClient(rest).resource(myapps).get('web')).toHaveProperty('n', want);
  });
});

describe('connections of a dynamic client', () => {
  it('belong to the REST client of its creation', async () => {
    const { rest } = recorder({ value: stored });
    const client = new DynamicClient(rest);
    expect(client.rest).toBe(rest);
    await client.close();
    expect(await client.resource(myapps).get('web')).toEqual(stored);
  });

  it('are created from a configuration', async () => {
    const client = new DynamicClient({ server: 'http://unused', namespace: 'shop' });
    expect(client.rest.namespace).toBe('shop');
    await client.close();
  });
});
