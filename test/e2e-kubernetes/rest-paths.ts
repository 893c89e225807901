import type { coreV1 } from '@kgen/kubernetes';
import { isConflict, isForbidden, isNotFound, RESTClient } from '@kgen/runtime';
import { describe, expect, it } from 'vitest';
import { apiErrorOf } from '../support/errors.ts';
import type { Env } from './env.ts';

const map = '/api/v1/namespaces/{namespace}/configmaps/{name}';

/** Registers tests of requests by path, with the types of the server's OpenAPI documents. */
export function restPathTests(env: Env): void {
  describe('a path', () => {
    it('returns the version', async () => {
      const version = await env.rest.get('/version');
      expect(await env.rest.get('/version/')).toEqual(version);
      expect(version.gitVersion).toMatch(/^v1\.\d+\.\d+/);
      expect(`${version.major}.${version.minor}`).toMatch(/^1\.\d+$/);
    });

    it('returns the health as a string', async () => {
      expect(await env.rest.get('/readyz')).toBe('ok');
      const verbose = await env.rest.get('/readyz', { query: { verbose: true } });
      expect(verbose).toMatch(/^\[\+\]ping ok\n/);
      expect(verbose).toContain('readyz check passed');
      const rest = await env.rest.get('/livez', { query: { verbose: true, exclude: ['etcd', 'log'] } });
      expect(rest).toContain('[+]etcd excluded: ok');
    });

    it('returns the discovery documents', async () => {
      const groups = await env.rest.get('/apis/');
      expect(groups.groups.map(({ name }) => name)).toContain('apps');
      const apps = await env.rest.get('/apis/apps/');
      expect(apps.preferredVersion?.version).toBe('v1');
      const resources = await env.rest.get('/apis/apps/v1/');
      expect(resources.resources.map(({ name }) => name)).toContain('deployments/scale');
      const core = await env.rest.get('/api/');
      expect(core.versions).toEqual(['v1']);
    });

    objectTests(env);
    otherTests(env);
  });
}

function objectTests(env: Env): void {
  it('supports every method of an object', async () => {
    const namespace = await env.namespace();
    const path = { namespace, name: 'web' };
    const created = await env.rest.post('/api/v1/namespaces/{namespace}/configmaps', {
      path: { namespace },
      query: { fieldManager: 'me', fieldValidation: 'Strict' },
      body: { metadata: { name: 'web' }, data: { a: '1' } },
    });
    expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { managedFields: [{ manager: 'me' }] } });
    const read: coreV1.ConfigMap = await env.rest.get(map, { path });
    expect(read).toEqual(created);
    const body = { ...read, data: { a: '2' } };
    expect((await env.rest.put(map, { path, body })).data).toEqual({ a: '2' });
    await apiErrorOf(isConflict, env.rest.put(map, { path, body }));
    await patchEveryWay(env, path);
    const response = await env.rest.delete(map, { path, body: { propagationPolicy: 'Background' } });
    expect(response.kind === 'Status' ? response.status : undefined).toBe('Success');
    const error = await apiErrorOf(isNotFound, env.rest.get(map, { path }));
    expect(error.message).toContain(
      `/api/v1/namespaces/${path.namespace}/configmaps/${path.name}: 404 NotFound`,
    );
  });

  it('supports selectors of a list', async () => {
    const namespace = await env.namespace();
    const list = await env.rest.get('/api/v1/namespaces/{namespace}/configmaps', {
      path: { namespace },
      query: { labelSelector: 'app=web', limit: 10 },
    });
    expect(list.kind).toBe('ConfigMapList');
    expect(list.items).toEqual([]);
  });
}

async function patchEveryWay({ rest }: Env, path: { namespace: string; name: string }): Promise<void> {
  const merged = await rest.patch(map, { path, body: { data: { a: null, b: '1' } } });
  expect(merged.data).toEqual({ b: '1' });
  const strategic = await rest.patch(map, {
    path,
    contentType: 'application/strategic-merge-patch+json',
    body: { data: { $patch: 'replace', c: '1' } },
  });
  expect(strategic.data).toEqual({ c: '1' });
  const stepped = await rest.patch(map, {
    path,
    contentType: 'application/json-patch+json',
    body: [{ op: 'add', path: '/data/d', value: '1' }],
  });
  expect(stepped.data).toEqual({ c: '1', d: '1' });
  const applied = await rest.patch(map, {
    path,
    query: { fieldManager: 'me', force: true },
    contentType: 'application/apply-patch+yaml',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: path.name }, data: { e: '1' } },
  });
  expect(applied.data).toEqual({ c: '1', d: '1', e: '1' });
}

function otherTests(env: Env): void {
  it('supports a deployment and its scale', async () => {
    const namespace = await env.namespace();
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    await env.rest.post('/apis/apps/v1/namespaces/{namespace}/deployments', {
      path: { namespace },
      body: { metadata: { name: 'web' }, spec: { replicas: 0, selector: { matchLabels: labels }, template } },
    });
    const scale = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale';
    const path = { namespace, name: 'web' };
    const scaled = await env.rest.patch(scale, { path, body: { spec: { replicas: 2 } } });
    expect(scaled.spec?.replicas).toBe(2);
    const all = await env.rest.get('/apis/apps/v1/deployments', {
      query: { fieldSelector: 'metadata.name=web' },
    });
    expect(all.items.some(({ metadata }) => metadata.namespace === namespace)).toBe(true);
  });

  it('returns a log', async () => {
    const namespace = await env.namespace();
    const containers = [{ name: 'web', image: 'web:1' }];
    await env.clientset.coreV1.pods(namespace).create({ metadata: { name: 'web' }, spec: { containers } });
    const log: string = await env.rest.get('/api/v1/namespaces/{namespace}/pods/{name}/log', {
      path: { namespace, name: 'web' },
      query: { tailLines: 10 },
    });
    expect(log).toBe('');
  });

  it('creates a review', async () => {
    const nonResourceAttributes = { verb: 'get', path: '/metrics' };
    const review = await env.rest.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      body: { spec: { nonResourceAttributes } },
    });
    expect(review.status?.allowed).toBe(true);
    const impersonate = { user: 'eve' };
    await apiErrorOf(isForbidden, env.rest.get('/api/v1/nodes', { impersonate }));
  });

  it('returns the keys that sign tokens', async () => {
    const jwks = await env.rest.get('/openid/v1/jwks/');
    expect(jwks).toMatchObject({ keys: [{ use: 'sig' }] });
    const discovery = await env.rest.get('/.well-known/openid-configuration/');
    expect(discovery).toMatchObject({ issuer: 'https://kubernetes.default.svc' });
  });

  it('returns unknown for an undocumented path', async () => {
    const rest = new RESTClient(env.config);
    try {
      const version: unknown = await rest.get('/version');
      expect(version).toEqual(await env.rest.get('/version/'));
    } finally {
      await rest.close();
    }
  });
}
