import { describe, expect, it } from 'vitest';
import type { ResourceFacts } from '../../api/resource.ts';
import type { APIRequest } from '../../api/transport.ts';
import { Projection } from '../../codec/projection/projection.ts';
import { encodeQuery } from '../../rest/request/query.ts';
import * as requests from './verb-requests.ts';

const facts: Omit<ResourceFacts, 'group' | 'kind' | 'plural'> = {
  version: 'v1',
  listKind: 'List',
  singular: 'one',
  scope: 'Namespaced',
  verbs: [],
};
const myApps: ResourceFacts = { ...facts, group: 'my.domain', kind: 'MyApp', plural: 'myapps' };
const pods: ResourceFacts = { ...facts, group: '', kind: 'Pod', plural: 'pods', builtIn: true };
const nodes: ResourceFacts = { ...facts, group: '', kind: 'Node', plural: 'nodes', scope: 'Cluster' };

const apps = { resource: myApps, namespace: 'shop' };
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';
const json = 'application/json';

/** Returns a request as one line, and its body. */
function written({ method, path, query, headers, body }: APIRequest): readonly (string | undefined)[] {
  const line = `${method} ${path}${query.length === 0 ? '' : `?${encodeQuery(query)}`}`;
  return [line, headers['content-type'], body === undefined ? undefined : String(body)];
}

const app = { apiVersion: 'my.domain/v1', kind: 'MyApp', metadata: { name: 'web', namespace: 'shop' } };
const appBody = JSON.stringify(app);
const path = '/apis/my.domain/v1/namespaces/shop/myapps';

describe('requests', () => {
  const cases: Readonly<Record<string, { given: APIRequest; want: readonly [string, string?, string?] }>> = {
    get: { given: requests.getRequest(apps, 'web'), want: [`GET ${path}/web`] },
    'get of the core group, from the cache': {
      given: requests.getRequest({ resource: pods, namespace: 'shop' }, 'web', { resourceVersion: '0' }),
      want: ['GET /api/v1/namespaces/shop/pods/web?resourceVersion=0'],
    },
    'get of a cluster-scoped object': {
      given: requests.getRequest({ resource: nodes }, 'system:a'),
      want: ['GET /api/v1/nodes/system%3Aa'],
    },
    'list of all namespaces': {
      given: requests.listRequest({ resource: myApps }),
      want: ['GET /apis/my.domain/v1/myapps'],
    },
    'list with all options': {
      given: requests.listRequest(apps, {
        labelSelector: { tier: 'db', app: 'web' },
        fieldSelector: { 'metadata.name': 'a,b' },
        limit: 100,
        continue: 't',
        resourceVersion: '7',
        resourceVersionMatch: 'Exact',
        timeoutSeconds: 5,
      }),
      want: [
        `GET ${path}?continue=t&fieldSelector=metadata.name%3Da%5C%2Cb&labelSelector=app%3Dweb%2Ctier%3Ddb` +
          '&limit=100&resourceVersion=7&resourceVersionMatch=Exact&timeout=5s&timeoutSeconds=5',
      ],
    },
    'list with an empty selector': {
      given: requests.listRequest(apps, { labelSelector: {}, fieldSelector: '' }),
      want: [`GET ${path}`],
    },
    watch: {
      given: requests.watchRequest(
        apps,
        { labelSelector: 'a' },
        { resourceVersion: '0', sendInitialEvents: false },
      ),
      want: [`GET ${path}?labelSelector=a&resourceVersion=0&sendInitialEvents=false&watch=true`],
    },
    create: {
      given: requests.createRequest(apps, { metadata: { name: 'web' } }),
      want: [`POST ${path}`, json, appBody],
    },
    'create with options': {
      given: requests.createRequest(apps, app, {
        dryRun: 'All',
        fieldManager: 'me',
        fieldValidation: 'Strict',
      }),
      want: [`POST ${path}?dryRun=All&fieldManager=me&fieldValidation=Strict`, json, appBody],
    },
    'create of a cluster-scoped object': {
      given: requests.createRequest({ resource: nodes }, { metadata: { name: 'n' } }),
      want: ['POST /api/v1/nodes', json, '{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}'],
    },
    update: { given: requests.updateRequest(apps, app), want: [`PUT ${path}/web`, json, appBody] },
    'update of the status': {
      given: requests.updateRequest(apps, app, {}, 'status'),
      want: [`PUT ${path}/web/status`, json, appBody],
    },
    'update of the scale': {
      given: requests.updateRequest(apps, { metadata: { name: 'web' } }, {}, 'scale'),
      want: [
        `PUT ${path}/web/scale`,
        json,
        '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"web","namespace":"shop"}}',
      ],
    },
    'patch of a custom resource': {
      given: requests.patchRequest(apps, 'web', { spec: { a: null } }),
      want: [`PATCH ${path}/web`, merge, '{"spec":{"a":null}}'],
    },
    'patch of a built-in kind': {
      given: requests.patchRequest({ resource: pods, namespace: 'shop' }, 'web', {}),
      want: ['PATCH /api/v1/namespaces/shop/pods/web', 'application/strategic-merge-patch+json', '{}'],
    },
    'JSON patch of the status': {
      given: requests.patchRequest(apps, 'web', [{ op: 'remove', path: '/a' }], { type: 'json' }, 'status'),
      want: [`PATCH ${path}/web/status`, 'application/json-patch+json', '[{"op":"remove","path":"/a"}]'],
    },
    'patch of the scale of a built-in kind': {
      given: requests.patchRequest({ resource: pods, namespace: 'shop' }, 'web', {}, {}, 'scale'),
      want: ['PATCH /api/v1/namespaces/shop/pods/web/scale', merge, '{}'],
    },
    apply: {
      given: requests.applyRequest(apps, { metadata: { name: 'web' } }, { fieldManager: 'me' }),
      want: [`PATCH ${path}/web?fieldManager=me&force=false`, apply, appBody],
    },
    'apply by force': {
      given: requests.applyRequest(apps, app, { fieldManager: 'me', force: true, dryRun: 'All' }, 'status'),
      want: [`PATCH ${path}/web/status?dryRun=All&fieldManager=me&force=true`, apply, appBody],
    },
    delete: { given: requests.deleteRequest(apps, 'web'), want: [`DELETE ${path}/web`] },
    'delete with options': {
      given: requests.deleteRequest(apps, 'web', {
        gracePeriodSeconds: 0,
        preconditions: { uid: 'u', resourceVersion: '1' },
        propagationPolicy: 'Foreground',
        dryRun: 'All',
      }),
      want: [
        `DELETE ${path}/web`,
        json,
        '{"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":0,' +
          '"preconditions":{"uid":"u","resourceVersion":"1"},"propagationPolicy":"Foreground","dryRun":["All"]}',
      ],
    },
    'delete of a collection': {
      given: requests.deleteCollectionRequest(apps, { labelSelector: 'a=b', propagationPolicy: 'Orphan' }),
      want: [
        `DELETE ${path}?labelSelector=a%3Db`,
        json,
        '{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Orphan"}',
      ],
    },
  };

  it.each(Object.entries(cases))('%s', (_, { given, want: [line, type, body] }) => {
    expect(written(given)).toEqual([line, type, body]);
  });

  it('contain their options', () => {
    const { signal } = new AbortController();
    const impersonate = { user: 'jane' };
    const headers = { 'X-Trace': '1', Accept: 'application/json;as=Table' };
    expect(requests.getRequest(apps, 'web', { signal, timeoutMs: 5, impersonate, headers })).toEqual({
      method: 'GET',
      path: `${path}/web`,
      query: [],
      headers: { accept: 'application/json;as=Table', 'x-trace': '1' },
      operation: { verb: 'get', resource: 'myapps', namespace: 'shop', name: 'web' },
      signal,
      timeoutMs: 5,
      impersonate,
    });
  });

  it.each([
    [requests.createRequest(apps, app), { verb: 'create', name: 'web' }],
    [requests.createRequest(apps, { metadata: {} }), { verb: 'create', namespace: 'shop' }],
    [
      requests.updateRequest(apps, app, {}, 'status'),
      { verb: 'update', resource: 'myapps/status', name: 'web' },
    ],
    [requests.applyRequest(apps, app, { fieldManager: 'm' }), { verb: 'apply', name: 'web' }],
  ])('contain their operation', ({ operation }, want) => {
    expect(operation).toMatchObject(want);
  });

  it('do not change their arguments, and keep hostile keys as keys', () => {
    const hostile = JSON.parse('{"metadata":{"name":"web"},"__proto__":{"kind":"Other"}}');
    const { body } = requests.createRequest(apps, hostile);
    expect(String(body)).toBe(
      '{"apiVersion":"my.domain/v1","kind":"MyApp","metadata":{"name":"web","namespace":"shop"},' +
        '"__proto__":{"kind":"Other"}}',
    );
    expect(hostile.metadata).toEqual({ name: 'web' });
  });
});

describe('invalid requests throw TypeError', () => {
  const problems: Readonly<Record<string, readonly [make: () => APIRequest, want: RegExp]>> = {
    'an empty name': [() => requests.getRequest(apps, ''), /the name of the MyApp is empty/],
    'a name that leaves its path': [() => requests.deleteRequest(apps, '../pods'), /must not contain '\/'/],
    'an empty namespace': [
      () => requests.listRequest({ resource: myApps, namespace: '' }),
      /the namespace is empty/,
    ],
    'a namespace that leaves its path': [
      () => requests.listRequest({ resource: myApps, namespace: '..' }),
      /the namespace must not be '\.\.'/,
    ],
    'an object of another namespace': [
      () => requests.createRequest(apps, { metadata: { namespace: 'other' } }),
      /metadata.namespace of the object is "other", the client is for "shop"/,
    ],
    'an object of another kind': [
      () => requests.createRequest(apps, { kind: 'Pod' }),
      /kind of the object is "Pod"/,
    ],
    'an object of another version': [
      () => requests.updateRequest(apps, { ...app, apiVersion: 'my.domain/v2' }),
      /apiVersion of the object is "my.domain\/v2"/,
    ],
    'an update without a name': [
      () => requests.updateRequest(apps, {}),
      /metadata.name of the object is missing/,
    ],
    'an apply without a name': [
      () => requests.applyRequest(apps, { metadata: {} }, { fieldManager: 'me' }),
      /metadata.name of the object is missing/,
    ],
    'a JSON patch that is not an array': [
      () => requests.patchRequest(apps, 'web', {}, { type: 'json' }),
      /the body of a json patch must be an array/,
    ],
    'a merge patch that is an array': [
      () => requests.patchRequest(apps, 'web', []),
      /the body of a merge patch must be an object/,
    ],
    'a merge patch that is a string': [() => requests.patchRequest(apps, 'web', '{}'), /must be an object/],
    'a selector with a hole': [
      () => requests.deleteCollectionRequest(apps, { labelSelector: { app: String(undefined), 'x y': '' } }),
      /not a label key: "x y"/,
    ],
  };
  it.each(Object.entries(problems))('%s', (_, [make, want]) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(want);
  });
});

describe('objects with selected fields', () => {
  const whole = { ...app, metadata: { ...app.metadata, uid: 'u', resourceVersion: '7' }, spec: { size: 1 } };
  const selected = Projection.of({ status: { phase: true } }).pick(whole);
  const { metadata } = selected;

  it.each<[name: string, object: typeof app]>([
    ['as they are', selected],
    ['as a copy', { ...selected }],
    ['with other fields', Object.assign({ ...selected }, { spec: { size: 2 } })],
    ['with other metadata', { ...selected, metadata: { ...metadata, name: 'web' } }],
    ['by their metadata', { ...app, metadata }],
  ])('cannot be written by updates %s', (_, object) => {
    for (const subresource of [undefined, 'status']) {
      expect(() => requests.updateRequest(apps, object, {}, subresource)).toThrow(
        /^update myapps shop\/web: the object has only selected fields, .*"phase":true.* use patch or apply/,
      );
    }
  });

  it('name what is applied, patched and read', () => {
    const { name } = metadata;
    const given = [
      requests.applyRequest(apps, { ...app, metadata: { name } }, { fieldManager: 'me' }),
      requests.patchRequest(apps, name, { spec: { size: 2 } }),
      requests.getRequest(apps, name),
    ];
    expect(given.map((request) => request.path)).toEqual([`${path}/web`, `${path}/web`, `${path}/web`]);
  });
});
