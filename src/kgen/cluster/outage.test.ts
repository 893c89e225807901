import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type GenerateResult, generate } from '../generate/generate.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import {
  FakeCluster,
  failure,
  index,
  type Replies,
  type Reply,
  replies,
  temporaryFolder,
} from './cluster.fixture.ts';

/** Serves responses on a local port. Returns the path of a kubeconfig for it. */
async function serve(given: Replies): Promise<string> {
  const { transport } = new FakeCluster(given);
  const server = createServer(async ({ url = '', headers }, response) => {
    const { pathname: path, search } = new URL(url, 'http://localhost');
    const query = search === '' ? [] : [['hash', search] as const];
    const accept = headers.accept ?? '';
    const operation = { verb: 'get', resource: path };
    const reply = await transport({ method: 'GET', path, query, headers: { accept }, operation });
    response.writeHead(reply.status, reply.headers);
    for await (const part of reply.body) response.write(part);
    response.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // seam: a listening server has an address with a port
  const config = {
    'current-context': 'local',
    contexts: [{ name: 'local', context: { cluster: 'local' } }],
    clusters: [{ name: 'local', cluster: { server: `http://127.0.0.1:${port}` } }],
  };
  const path = join(temporaryFolder(), 'config');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

test('keeps files of a group that does not respond, and removes them when it is no longer served', async () => {
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const given = replies();
  const out = temporaryFolder();
  const kubeconfig = await serve(given);
  const run = async (): Promise<GenerateResult> => generate({ fromCluster: true, kubeconfig, out });
  const hasApps = (): boolean => existsSync(join(out, 'apps/v1/index.ts'));

  expect(await run()).toMatchObject({ ok: true });
  expect(hasApps()).toBe(true);

  given['/openapi/v3'] = {
    body: { paths: { 'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=A9' } } },
  };
  given['/openapi/v3/apis/apps/v1'] = failure(503, 'ServiceUnavailable');
  expect(await run()).toMatchObject({ ok: true, changes: { remove: [] } });
  expect(hasApps()).toBe(true);

  const alone = await generate({ fromCluster: true, kubeconfig, out, include: ['apps'] });
  expect(alone.problems.map(({ severity, what }) => `${severity}: ${what}`)).toEqual([
    'error: no selected part of the API responds, so there is nothing to generate: try again later',
    expect.stringMatching('^warning: apps/v1 does not respond'),
  ]);
  expect(hasApps()).toBe(true);

  given['/apis'] = {
    body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items: [] },
  };
  expect(await run()).toMatchObject({ ok: true });
  expect(hasApps()).toBe(false);
});

test('keeps types of a malformed document', async () => {
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const path = '/openapi/v3/apis/apps/v1';
  const kind = {
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
  };
  const documentOf = (schemas: JsonObject): Reply => ({
    body: {
      openapi: '3.0.0',
      info: { title: 'apps', version: '1' },
      paths: {
        '/apis/apps/v1/namespaces/{namespace}/deployments/{name}': { get: { 'x-kubernetes-action': 'get' } },
      },
      components: { schemas },
    },
  });
  const indexOf = (hash: string): Reply => index({ 'api/v1': 'C0', 'apis/apps/v1': hash });
  const given = replies();
  const out = temporaryFolder();
  const kubeconfig = await serve(given);
  const run = async (hash: string, schemas: JsonObject): Promise<GenerateResult> => {
    Object.assign(given, { '/openapi/v3': indexOf(hash), [path]: documentOf(schemas) });
    return generate({ fromCluster: true, kubeconfig, out });
  };
  const types = (): string => readFileSync(join(out, 'apps/v1/types.ts'), 'utf8');

  expect(
    await run('A1', { Deployment: { ...kind, properties: { size: { type: 'integer' } } } }),
  ).toMatchObject({ ok: true });
  const before = types();
  expect(before).toContain('size?: number');

  const broken = await run('A2', {
    Deployment: { ...kind, properties: { size: { $ref: '#/components/schemas/None' } } },
  });
  expect(broken.ok).toBe(true);
  const warnings = broken.problems.filter(({ what }) => what.startsWith('apps/v1 has no usable document'));
  expect(warnings).toMatchObject([{ severity: 'warning', where: { file: path } }]);
  expect(types()).toBe(before);
});

test('keeps types of a malformed document whose operations name no kind', async () => {
  vi.stubEnv('XDG_CACHE_HOME', temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const given = replies();
  const out = temporaryFolder();
  const kubeconfig = await serve(given);
  const run = async (): Promise<GenerateResult> => generate({ fromCluster: true, kubeconfig, out });
  expect(await run()).toMatchObject({ ok: true });
  const types = (): string => readFileSync(join(out, 'apps/v1/index.ts'), 'utf8');
  const before = types();
  Object.assign(given, {
    '/openapi/v3': index({ 'api/v1': 'C0', 'apis/apps/v1': 'A2' }),
    '/openapi/v3/apis/apps/v1': {
      body: {
        openapi: '3.0.0',
        paths: { '/apis/apps/v1/deployments': { get: {} } },
        components: { schemas: { Bad: { properties: { a: { $ref: '#/components/schemas/None' } } } } },
      },
    },
    '/apis': {
      body: {
        kind: 'APIGroupDiscoveryList',
        apiVersion: 'apidiscovery.k8s.io/v2',
        items: [
          {
            metadata: { name: 'apps' },
            versions: [
              {
                version: 'v1',
                resources: [
                  { resource: 'others', responseKind: { kind: 'Other' }, scope: 'Cluster', verbs: ['get'] },
                ],
              },
            ],
          },
        ],
      },
    },
  });
  const broken = await run();
  expect(broken).toMatchObject({ ok: true });
  expect(broken.groupVersions.map(({ group }) => group)).not.toContain('apps');
  expect(types()).toBe(before);
});
