import { isForbidden, RESTClient } from '@kgen/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Json, object } from '../../schema/values/json.ts';
import { start } from '../client.fixture.ts';
import { realEnvironment } from '../environment/environment.ts';
import { issuer, Tokens } from '../identity/tokens.ts';
import type { Attributes } from '../request/attributes.ts';
import type { TestServer } from '../server/testserver.ts';
import type { TestUser } from '../server/users.ts';
import { Store } from '../store/store.ts';
import { authorize, type RoleSource } from './rbac.ts';

function clientOf(server: TestServer, user: TestUser): RESTClient {
  const client = new RESTClient(server.as(user));
  onTestFinished(() => client.close());
  return client;
}

const rbac = 'rbac.authorization.k8s.io';
const apiVersion = `${rbac}/v1`;
const role = {
  apiVersion,
  kind: 'Role',
  metadata: { name: 'reader' },
  rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
};
const binding = {
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name: 'reader' },
  roleRef: { apiGroup: rbac, kind: 'Role', name: 'reader' },
  subjects: [{ kind: 'ServiceAccount', namespace: 'shop', name: 'operator' }],
};
const path = '/api/v1/namespaces/default/configmaps';

describe('as', () => {
  test('returns the configuration of a user with the permissions of its roles', async () => {
    const server = await start({ objects: [binding, role] });
    const operator = clientOf(server, 'system:serviceaccount:shop:operator');
    expect(object((await operator.get(path)) as Json)).toMatchObject({ kind: 'ConfigMapList' });
    const denied = operator.post(path, {
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    });
    await expect(denied).rejects.toSatisfy(isForbidden);
    const message =
      'configmaps is forbidden: User "system:serviceaccount:shop:operator" cannot create resource "configmaps" in API group "" in the namespace "default"';
    await expect(denied).rejects.toThrow(message);
    expect(server.requests.map(({ method, user, forbidden }) => [method, user, forbidden])).toEqual([
      ['GET', 'system:serviceaccount:shop:operator', undefined],
      ['POST', 'system:serviceaccount:shop:operator', message],
    ]);
  });

  test.each<[TestUser, Json]>([
    ['jane', { username: 'jane', groups: ['system:authenticated'] }],
    [
      { user: 'jane', groups: ['devs'], uid: '1', extra: { team: ['red'] } },
      { username: 'jane', uid: '1', groups: ['devs', 'system:authenticated'], extra: { team: ['red'] } },
    ],
    [
      'system:serviceaccount:shop:operator',
      {
        username: 'system:serviceaccount:shop:operator',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
      },
    ],
  ])('authenticates %j with its groups', async (user, want) => {
    const server = await start({});
    const body = await clientOf(server, user).post('/apis/authentication.k8s.io/v1/selfsubjectreviews', {
      body: {},
    });
    expect(body).toMatchObject({ status: { userInfo: want } });
  });

  test('throws for a user without a name', async () => {
    const server = await start({});
    expect(() => server.as('')).toThrow(TypeError);
  });
});

test('an aggregated cluster role has the rules of the roles that its selectors match, and of later ones', async () => {
  const server = await start({ controllers: ['clusterRoleAggregation'] });
  const admin = new RESTClient(server.config);
  onTestFinished(() => admin.close());
  const rules = [{ verbs: ['get'], apiGroups: ['example.com'], resources: ['foos'] }];
  const metadata = { name: 'foo-view', labels: { [`${rbac}/aggregate-to-view`]: 'true' } };
  await admin.post(`/apis/${apiVersion}/clusterroles`, {
    body: { apiVersion, kind: 'ClusterRole', metadata, rules },
  });
  for (const name of ['view', 'edit', 'admin']) {
    await expect
      .poll(async () => JSON.stringify(await admin.get(`/apis/${apiVersion}/clusterroles/${name}`)))
      .toContain('example.com');
  }
  const view = JSON.stringify(await admin.get(`/apis/${apiVersion}/clusterroles/view`));
  expect(view).toContain('persistentvolumeclaims/status');
  expect(view).not.toContain('"secrets"');
});

describe('tokens of service accounts', () => {
  const account = { metadata: { namespace: 'shop', name: 'op', uid: 'u1' } };
  const claims = { account, audiences: [issuer], seconds: 600, bound: undefined, node: undefined };

  function issue(): {
    readonly tokens: Tokens;
    readonly store: Store;
    readonly token: string;
    advance(ms: number): void;
  } {
    const store = new Store();
    let ms = 1_000_000;
    const tokens = new Tokens(store, { ...realEnvironment, now: () => ms });
    store.put('serviceaccounts', 'shop/op', account);
    const advance = (by: number): void => {
      ms += by;
    };
    return { tokens, store, token: tokens.issue(claims), advance };
  }

  test('are valid until they expire by the time of the server', () => {
    const { tokens, token, advance } = issue();
    advance(599_999);
    expect(tokens.review(token, [issuer])).toMatchObject({ user: { name: 'system:serviceaccount:shop:op' } });
    advance(1);
    expect(tokens.review(token, [issuer])).toContain('expired');
  });

  test('are invalid after their account was deleted, also if one of the same name was created', () => {
    const { tokens, store, token } = issue();
    store.remove('serviceaccounts', 'shop/op');
    expect(tokens.review(token, [issuer])).toContain('invalid bearer token');
    store.put('serviceaccounts', 'shop/op', { metadata: { ...account.metadata, uid: 'u2' } });
    expect(tokens.review(token, [issuer])).toContain('invalid bearer token');
  });

  test.each([
    [
      'a changed payload',
      (parts: readonly string[]) => [parts[0], Buffer.from('{}').toString('base64url'), parts[2]],
    ],
    ['another signature', (parts: readonly string[]) => [parts[0], parts[1], 'AAAA']],
    ['no signature', (parts: readonly string[]) => [parts[0], parts[1], '']],
    ['four parts', (parts: readonly string[]) => [...parts, 'x']],
  ])('are invalid with %s', (_, change) => {
    const { tokens, token } = issue();
    expect(tokens.review(change(token.split('.')).join('.'), [issuer])).toBe('invalid bearer token');
  });

  test('of another server are invalid', () => {
    const [one, other] = [issue(), issue()];
    expect(other.tokens.review(one.token, [issuer])).toBe('invalid bearer token');
  });
});

/** Roles of a source: the rules of one cluster role bound to user u. */
const source = (rules: Json): RoleSource => ({
  role: () => ({ rules }),
  bindings: (namespace) =>
    namespace === ''
      ? [
          {
            metadata: { name: 'b' },
            subjects: [{ kind: 'User', name: 'u' }],
            roleRef: { kind: 'ClusterRole', name: 'r' },
          },
        ]
      : [],
});
const base = { group: '', resource: '', subresource: '', namespace: '', name: '' };

describe('authorize', () => {
  const all = ['*'];
  test.each<[string, Json, Partial<Attributes>, boolean]>([
    ['an equal rule', { verbs: ['get'], apiGroups: [''], resources: ['pods'] }, { resource: 'pods' }, true],
    ['another verb', { verbs: ['list'], apiGroups: [''], resources: ['pods'] }, { resource: 'pods' }, false],
    [
      'another group',
      { verbs: ['get'], apiGroups: ['apps'], resources: ['pods'] },
      { resource: 'pods' },
      false,
    ],
    [
      'wildcards',
      { verbs: all, apiGroups: all, resources: all },
      { resource: 'pods', subresource: 'log' },
      true,
    ],
    [
      'a subresource of an allowed resource',
      { verbs: all, apiGroups: all, resources: ['pods'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    [
      'the resource of an allowed subresource',
      { verbs: all, apiGroups: all, resources: ['pods/log'] },
      { resource: 'pods' },
      false,
    ],
    [
      'an equal subresource',
      { verbs: all, apiGroups: all, resources: ['pods/log'] },
      { resource: 'pods', subresource: 'log' },
      true,
    ],
    [
      'a subresource of any resource',
      { verbs: all, apiGroups: all, resources: ['*/scale'] },
      { resource: 'pods', subresource: 'scale' },
      true,
    ],
    [
      'all subresources of a resource, which no rule means',
      { verbs: all, apiGroups: all, resources: ['pods/*'] },
      { resource: 'pods', subresource: 'log' },
      false,
    ],
    [
      'a listed name',
      { verbs: all, apiGroups: all, resources: all, resourceNames: ['a'] },
      { resource: 'pods', name: 'a' },
      true,
    ],
    [
      'another name',
      { verbs: all, apiGroups: all, resources: all, resourceNames: ['a'] },
      { resource: 'pods', name: 'b' },
      false,
    ],
    [
      'no name',
      { verbs: all, apiGroups: all, resources: all, resourceNames: ['a'] },
      { resource: 'pods' },
      false,
    ],
    [
      'a path by a rule about resources',
      { verbs: all, apiGroups: all, resources: all },
      { path: '/metrics' },
      false,
    ],
    ['a path', { verbs: all, nonResourceURLs: ['/metrics'] }, { path: '/metrics' }, true],
    ['a path below another', { verbs: all, nonResourceURLs: ['/metrics'] }, { path: '/metrics/x' }, false],
    ['a path of a pattern', { verbs: all, nonResourceURLs: ['/api/*'] }, { path: '/api/v1' }, true],
    ['the parent of a pattern', { verbs: all, nonResourceURLs: ['/api/*'] }, { path: '/api' }, false],
    ['a resource by a rule about paths', { verbs: all, nonResourceURLs: all }, { resource: 'pods' }, false],
  ])('decides on %s', (_, rule, attributes, want) => {
    const user = { name: 'u', groups: [] };
    const { allowed } = authorize(source([rule]), { ...base, verb: 'get', user, ...attributes });
    expect(allowed).toBe(want);
  });

  test('allows everything to members of system:masters, without rules', () => {
    const user = { name: 'root', groups: ['system:masters'] };
    expect(authorize(source([]), { ...base, verb: 'get', user, resource: 'pods' }).allowed).toBe(true);
  });
});
