import { isForbidden, RESTClient } from '@kgen/runtime';
import { setControllerReference } from '@kgen/runtime/objects';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Json, object, text } from '../../schema/values/json.ts';
import { call, start } from '../client.fixture.ts';
import type { TestServer } from './testserver.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const apiVersion = `${apiGroup}/v1`;
const named = (name: string, namespace?: string) => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
});
const account = (name = 'operator', namespace = 'shop') => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: named(name, namespace),
});
type Rule = Readonly<Record<string, readonly string[]>>;
const role = (name: string, namespace: string | undefined, ...rules: readonly Rule[]) => ({
  apiVersion,
  kind: namespace === undefined ? 'ClusterRole' : 'Role',
  metadata: named(name, namespace),
  rules,
});
const binding = (name: string, namespace?: string, subject = 'operator', kind?: string) => ({
  apiVersion,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: named(name, namespace),
  roleRef: { apiGroup, kind: kind ?? (namespace === undefined ? 'ClusterRole' : 'Role'), name },
  subjects: [{ kind: 'ServiceAccount', name: subject, namespace: 'shop' }],
});
const core = (resource: string, ...verbs: readonly string[]): Rule => ({
  apiGroups: [''],
  resources: [resource],
  verbs,
});
const manifests = [
  account(),
  role('maps', 'shop', core('configmaps', 'get', 'list', 'create')),
  binding('maps', 'shop'),
];

function clientOf(config: TestServer['config']): RESTClient {
  const client = new RESTClient(config);
  onTestFinished(() => client.close());
  return client;
}

const maps = '/api/v1/namespaces/shop/configmaps';
const map = (name: string, metadata = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'shop', ...metadata },
});

describe('as', () => {
  test('installs manifests, and config is that of their service account', async () => {
    const server = await start({ as: manifests });
    const operator = clientOf(server.config);
    expect(server.config.namespace).toBe('shop');
    await operator.post(maps, { body: map('a') });
    await expect(operator.get('/api/v1/namespaces/shop/secrets')).rejects.toSatisfy(isForbidden);
    await expect(operator.get('/api/v1/configmaps')).rejects.toSatisfy(isForbidden);
    await clientOf(server.admin).get('/api/v1/namespaces/shop/secrets');
    expect(server.kubeconfig).toContain('namespace: shop');
    expect(server.permissions()).toMatchObject({
      account: 'shop/operator',
      forbidden: [
        { verb: 'list', resource: 'secrets', namespace: 'shop', count: 1 },
        { verb: 'list', resource: 'configmaps', namespace: '', count: 1 },
      ],
      unused: [
        { role: 'Role shop/maps', verb: 'get', resource: 'configmaps' },
        { role: 'Role shop/maps', verb: 'list', resource: 'configmaps' },
      ],
    });
  });

  test('reads a folder, and discovery and reviews of the account itself do not count', async () => {
    const server = await start({ as: 'examples/operators/foo/config/rbac' });
    const operator = clientOf(server.config);
    await operator.get('/apis');
    await operator.get('/version');
    const spec = { resourceAttributes: { verb: 'get', resource: 'secrets' } };
    await operator.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { body: { spec } });
    expect(server.config.namespace).toBe('foo-operator');
    expect(server.permissions().forbidden).toEqual([]);
    expect(server.permissions().unused).toContainEqual({
      ...{ role: 'Role foo-operator/foo-operator-leader-election', verb: 'get', path: '' },
      ...{ group: 'coordination.k8s.io', resource: 'leases', name: 'foo-operator' },
    });
  });

  test('chooses one of several service accounts', async () => {
    const server = await start({
      as: { manifests: [...manifests, account('other')], serviceAccount: 'shop/operator' },
    });
    expect(server.permissions().account).toBe('shop/operator');
  });

  test('without it, config is that of the administrator, and there is nothing to compare', async () => {
    const server = await start({});
    expect(server.admin).toBe(server.config);
    expect(() => server.permissions()).toThrow('`as`');
  });

  test('requests beyond the log count, also after a change of the roles', async () => {
    const server = await start({ as: manifests });
    const operator = clientOf(server.config);
    await operator.get(`${maps}/a`).catch(() => undefined);
    await expect(operator.get('/api/v1/namespaces/shop/secrets')).rejects.toSatisfy(isForbidden);
    server.requests.clear();
    await clientOf(server.admin).put(`/apis/${apiVersion}/namespaces/shop/roles/maps`, {
      body: role('maps', 'shop', core('configmaps', 'get'), core('secrets', 'list')),
    });
    const { forbidden, unused } = server.permissions();
    expect(forbidden.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['list secrets']);
    expect(unused.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual(['list secrets']);
  });

  const people = {
    ...role('maps-view', undefined, core('configmaps', 'get')),
    metadata: { name: 'maps-view', labels: { [`${apiGroup}/aggregate-to-view`]: 'true' } },
  };

  test('accepts roles for people, which are aggregated, and roles of the cluster', async () => {
    const view = binding('view', 'shop', 'operator', 'ClusterRole');
    const controllers = ['clusterRoleAggregation'] as const;
    const server = await start({ as: [...manifests, people, view], controllers });
    await clientOf(server.config).get('/api/v1/namespaces/shop/pods');
    const { forbidden, unused } = server.permissions();
    expect(forbidden).toEqual([]);
    expect(unused.every((rule) => rule.role === 'Role shop/maps')).toBe(true);
  });

  test.each<[string, Parameters<typeof start>[0], string]>([
    ['no service account', { as: manifests.slice(1) }, 'as: the manifests have no ServiceAccount'],
    [
      'several service accounts',
      { as: [...manifests, account('b'), account('c')] },
      "as: the manifests have 3 ServiceAccounts: choose one with { manifests, serviceAccount: 'shop/operator' }, or of shop/b, shop/c",
    ],
    [
      'another service account than that of the option',
      { as: { manifests, serviceAccount: 'shop/x' } },
      'as: the manifests have no ServiceAccount shop/x; they have shop/operator',
    ],
    [
      'a binding of an absent Role',
      { as: [account(), binding('maps', 'shop')] },
      'as[1]: RoleBinding shop/maps names the Role shop/maps, which does not exist',
    ],
    [
      'a binding of a Role in another namespace',
      { as: [account(), role('maps', 'default'), binding('maps', 'shop')] },
      'as[2]: RoleBinding shop/maps names the Role shop/maps, which does not exist',
    ],
    [
      'a binding of an absent ClusterRole',
      { as: [account(), binding('maps')] },
      'as[1]: ClusterRoleBinding maps names the ClusterRole maps, which does not exist',
    ],
    [
      'a binding of an absent service account',
      { as: [...manifests.slice(0, 2), binding('maps', 'shop', 'operater')] },
      'as[2]: RoleBinding shop/maps names the ServiceAccount shop/operater, which does not exist',
    ],
    [
      'a role without a binding',
      { as: [...manifests, role('nodes', undefined, core('nodes', 'get'))] },
      'as[3]: ClusterRole nodes is not bound: add a binding',
    ],
    [
      'an account without a role',
      { as: [account('idle')] },
      'as: no binding grants a role to the ServiceAccount shop/idle',
    ],
    ['a path without files', { as: 'no/such/*.yaml' }, 'no/such/*.yaml: no file matches the pattern'],
  ])('throws at the start for %s', async (_, options, message) => {
    await expect(start(options)).rejects.toThrow(message);
  });
});

describe('permissions', () => {
  const requested = (server: TestServer) =>
    server.permissions().forbidden.map(({ verb, resource, purpose }) => [verb, resource, purpose]);

  test('blocking owner references need the finalizers of their owner, without being refused', async () => {
    const server = await start({ as: manifests });
    const operator = clientOf(server.config);
    const owner = object((await operator.post(maps, { body: map('a') })) as Json);
    const uid = text(owner, 'metadata', 'uid');
    const owned = setControllerReference(map('b'), map('a', { uid }));
    await operator.post(maps, { body: owned });
    expect(server.permissions().forbidden).toMatchObject([
      {
        ...{ verb: 'update', resource: 'configmaps/finalizers', namespace: 'shop', name: 'a' },
        purpose: expect.stringContaining('OwnerReferencesPermissionEnforcement'),
        rule: { apiGroups: [''], resources: ['configmaps/finalizers'], verbs: ['update'] },
      },
    ]);
  });

  test('a stream of a list needs the permission to list, which clients use on other servers', async () => {
    const rule = core('configmaps', 'watch', 'list');
    const server = await start({ as: [account(), role('maps', undefined, rule), binding('maps')] });
    const query = 'watch=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
    const open = (parameters: string) => call(server, `/api/v1/configmaps?${query}${parameters}`);
    await open('');
    expect(server.permissions().unused).toMatchObject([{ verb: 'list' }]);
    await open('&sendInitialEvents=true');
    expect(server.permissions()).toMatchObject({ forbidden: [], unused: [] });
  });

  test('an apply of an object that does not exist needs the permission to create', async () => {
    const rule = core('configmaps', 'create', 'patch');
    const server = await start({ as: [account(), role('maps', 'shop', rule), binding('maps', 'shop')] });
    const options = { method: 'PATCH', type: 'application/apply-patch+yaml', body: map('a') };
    const apply = () => call(server, `${maps}/a?fieldManager=a`, options);
    expect((await apply()).code).toBe(201);
    expect(server.permissions()).toMatchObject({ forbidden: [], unused: [] });
  });

  test('rules that an operator grants to others are needed', async () => {
    const rules = [
      core('configmaps', 'get', 'list', 'create'),
      { apiGroups: [apiGroup], resources: ['roles'], verbs: ['create'] },
    ];
    const server = await start({ as: [account(), role('maps', 'shop', ...rules), binding('maps', 'shop')] });
    const operator = clientOf(server.config);
    const roles = `/apis/${apiVersion}/namespaces/shop/roles`;
    await operator.post(roles, { body: role('a', 'shop', core('configmaps', 'get', 'list')) });
    const denied = operator.post(roles, { body: role('b', 'shop', core('configmaps', 'watch')) });
    await expect(denied).rejects.toSatisfy(isForbidden);
    expect(requested(server)).toEqual([['watch', 'configmaps', 'to grant it to others']]);
    expect(server.permissions().unused).toMatchObject([{ verb: 'create', resource: 'configmaps' }]);
  });

  test('impersonation needs its verbs, and requests of the impersonated user do not count', async () => {
    const rule = {
      apiGroups: [''],
      resources: ['users'],
      resourceNames: ['jane', 'joe'],
      verbs: ['impersonate'],
    };
    const server = await start({ as: [account(), role('jane', undefined, rule), binding('jane')] });
    const act = (user: string) => clientOf({ ...server.config, impersonate: { user } }).get('/api/v1/nodes');
    await expect(act('jane')).rejects.toSatisfy(isForbidden);
    await expect(act('jim')).rejects.toSatisfy(isForbidden);
    expect(requested(server)).toEqual([['impersonate', 'users', '']]);
    expect(server.permissions().unused).toMatchObject([{ verb: 'impersonate', name: 'joe' }]);
  });

  test('commands in pods need the permissions to get and to create', async () => {
    const server = await start({
      as: [account(), role('exec', 'shop', core('pods/exec', 'get')), binding('exec', 'shop')],
    });
    const path = '/api/v1/namespaces/shop/pods/web/exec';
    const spec = { nodeName: 'a', containers: [{ name: 'a', image: 'a' }] };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: named('web', 'shop'), spec };
    await clientOf(server.admin).post('/api/v1/namespaces/shop/pods', { body });
    await expect(clientOf(server.config).get(path)).rejects.toSatisfy(isForbidden);
    expect(requested(server)).toEqual([['create', 'pods/exec', '']]);
    expect(server.permissions().unused).toEqual([]);
  });
});
