/** Discovery on a real server, compared with kubectl and with the server's unaggregated lists. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isServiceUnavailable, RESTClient } from '@kgen/runtime';
import {
  DiscoveryClient,
  type DiscoveryClientOptions,
  isNoMatch,
  RESTMapper,
  type ServerResources,
} from '@kgen/runtime/discovery';
import type { APIRequest, Transport } from '@kgen/runtime/rest';
import { type ControlPlane, startControlPlane } from '@kgen/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { buildTimeoutMs, findKubectl } from '../support/kubectl.ts';
import { apiService, definition } from './objects.ts';

const patience = { timeout: 60_000, interval: 100 };

/** Returns sorted lines such as `apps/v1 deployments/status Deployment`, with all properties. */
function linesOf({ resources }: ServerResources): string[] {
  const sorted = (names: readonly string[]): string => [...names].sort().join(',');
  return resources
    .flatMap(({ groupVersion, resources: list }) =>
      list.map(({ verbs, shortNames, categories, ...one }) =>
        [
          groupVersion,
          one.name,
          `${one.group ?? '-'}/${one.version ?? '-'} ${one.kind}`,
          one.singularName,
          one.namespaced,
          sorted(verbs),
          sorted(shortNames),
          sorted(categories),
        ].join(' '),
      ),
    )
    .sort();
}

/**
 * Returns sorted names such as `pods` and `deployments.apps`, as `kubectl api-resources -o name` prints them.
 */
function namesOf({ resources }: ServerResources): string[] {
  return resources
    .flatMap(({ groupVersion, resources: list }) => {
      const [group] = groupVersion.includes('/') ? groupVersion.split('/') : [];
      return list.map(({ name }) => (group === undefined ? name : `${name}.${group}`));
    })
    .sort();
}

/**
 * Registers the suite. Older versions are built without kubectl; only the default one is compared with it.
 */
export function discoverySuite(version?: string): void {
  const hasKubectl = version === undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kgen-discovery-'));
  const clients: { close(): Promise<void> }[] = [];
  let plane: ControlPlane;
  let admin: RESTClient;
  let kubectl: string | undefined;

  beforeAll(async () => {
    plane = await startControlPlane(version === undefined ? {} : { version });
    admin = new RESTClient(plane.config);
    kubectl = hasKubectl
      ? findKubectl(plane.assets, Boolean(process.env['KGEN_NOTHING_SKIPPED']))
      : undefined;
    writeFileSync(join(folder, 'config'), plane.kubeconfig);
  }, buildTimeoutMs);

  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await admin?.close();
    await plane?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function discovery(options?: DiscoveryClientOptions): DiscoveryClient {
    const client = new DiscoveryClient(plane.config, options);
    clients.push(client);
    return client;
  }

  /** Records each request and sends the result of `change`. */
  function detour(
    requested: APIRequest[],
    change: (request: APIRequest) => APIRequest = (request) => request,
  ): Transport {
    return (request) => {
      requested.push(request);
      return admin.stream(change(request));
    };
  }

  const withoutAggregation = (request: APIRequest): APIRequest => ({
    ...request,
    headers: { ...request.headers, accept: 'application/json' },
  });

  async function run(...given: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    if (kubectl === undefined) throw new Error('kubectl is not installed');
    const all = ['--kubeconfig', join(folder, 'config'), ...given];
    return promisify(execFile)(kubectl, all, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  }

  test('returns groups and versions in the order of the plain lists', async () => {
    const plain = await admin.get('/apis', { headers: { accept: 'application/json' } });
    const { groups, failed } = await discovery().serverGroups();
    expect(failed.size).toBe(0);
    expect(groups[0]).toEqual({
      name: '',
      versions: [{ groupVersion: 'v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'v1', version: 'v1' },
    });
    expect({ groups: groups.slice(1) }).toEqual({ groups: Object(plain).groups });
  });

  test('returns equal results in aggregated and plain discovery, and revalidates with ETags', async () => {
    const requested: APIRequest[] = [];
    const client = discovery({ transport: detour(requested) });
    const aggregated = await client.serverGroupsAndResources();
    expect(requested.map(({ path }) => path).sort()).toEqual(['/api', '/apis']);
    const plain = await discovery({ transport: detour([], withoutAggregation) }).serverGroupsAndResources();
    expect(linesOf(aggregated)).toEqual(linesOf(plain));
    expect(linesOf(aggregated).length).toBeGreaterThan(100);
    client.invalidate();
    expect(linesOf(await client.serverGroupsAndResources())).toEqual(linesOf(plain));
    expect(requested.slice(2).map(({ headers }) => headers['if-none-match'])).toEqual([
      expect.stringMatching(/^"/),
      expect.stringMatching(/^"/),
    ]);
  });

  test('returns the version and the OpenAPI documents', async () => {
    const client = discovery();
    expect((await client.serverVersion()).gitVersion).toMatch(/^v1\.\d+\.\d+/);
    const paths = await client.openAPIV3();
    expect(paths.get('apis/apps/v1')).toMatchObject({ groupVersion: 'apps/v1', hash: expect.any(String) });
    expect(await client.openAPIV3Document('apps/v1')).toHaveProperty('openapi');
    expect(await client.openAPIV2()).toHaveProperty('swagger', '2.0');
  });

  if (hasKubectl) {
    describe('kubectl', () => {
      beforeEach(({ skip }) => {
        if (kubectl === undefined)
          skip('kubectl is not installed: run `node test/envtest/build.mjs kubectl`');
      });

      test('lists the same resources', async () => {
        const { stdout } = await run('api-resources', '-o', 'name', '--cache-dir', join(folder, 'names'));
        expect(namesOf(await discovery().serverPreferredResources())).toEqual(
          stdout.trim().split('\n').sort(),
        );
      });

      test.each([
        'pods',
        'po',
        'Pod',
        'events',
        'ev.events.k8s.io',
        'deploy',
        'deployments.v1.apps',
        'deploy.app',
        'horizontalpodautoscalers.v1.autoscaling',
        'horizontalpodautoscaler.v1.autoscaling',
        'hpa',
        'sc',
        'storageclass.storage',
        'crd',
        'ns',
        'cm.v1.',
      ])('resolves %s to the same resource', async (text) => {
        const { stderr } = await run('get', text, '-A', '-v6', '--cache-dir', join(folder, 'get'));
        const paths = [...stderr.matchAll(/https:\/\/[^/\s]+(\/[^?\s"]+)\?limit=500/g)].map(
          ([, path]) => path,
        );
        const { resource } = await new RESTMapper(discovery()).mappingFor(text);
        const root = resource.group === '' ? '/api' : `/apis/${resource.group}`;
        expect(paths).toEqual([`${root}/${resource.version}/${resource.resource}`]);
      });

      test('writes a cache that kubectl reads', async () => {
        const cacheDir = join(folder, 'theirs');
        await run('get', 'pods', '--cache-dir', cacheDir);
        const requested: APIRequest[] = [];
        const client = discovery({ cacheDir: join(cacheDir, 'discovery'), transport: detour(requested) });
        expect(linesOf(await client.serverGroupsAndResources())).toEqual(
          linesOf(await discovery().serverGroupsAndResources()),
        );
        expect(requested).toEqual([]);
      });

      test('reads a cache that kubectl writes', async () => {
        const cacheDir = join(folder, 'ours');
        await discovery({ cacheDir: join(cacheDir, 'discovery') }).serverGroupsAndResources();
        const entries = readdirSync(join(cacheDir, 'discovery'));
        const fresh = await run('api-resources', '-o', 'wide', '--cache-dir', join(folder, 'fresh'));
        const kept = await run('api-resources', '--cached', '-o', 'wide', '-v6', '--cache-dir', cacheDir);
        expect(kept.stdout).toBe(fresh.stdout);
        expect(kept.stderr).not.toMatch(/https:\/\/[^/\s]+\/apis?\b/);
        expect(readdirSync(join(cacheDir, 'discovery'))).toEqual(entries);
      });
    });
  }

  test('finds a definition that is installed later', async () => {
    const mapper = new RESTMapper(discovery());
    expect((await mapper.mappingFor('po')).resource.resource).toBe('pods');
    await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
    // The server publishes the resource a moment after the definition is established.
    await vi.waitFor(async () => {
      await discovery().serverResourcesForGroupVersion('late.example.com/v1');
      const { groups } = await discovery().serverGroups();
      expect(groups.map(({ name }) => name)).toContain('late.example.com');
    }, patience);
    const mapping = await mapper.mapping({ group: 'late.example.com', kind: 'Comet' });
    expect(mapping).toMatchObject({ resource: { resource: 'comets', version: 'v1' }, scope: 'Cluster' });
    expect([...mapping.subresources.keys()].sort()).toEqual(['scale', 'status']);
    expect(mapping.subresources.get('scale')?.kind).toEqual({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
    });
    expect(await mapper.mappingFor('cmt')).toBe(mapping);
    expect((await mapper.categoryMappings('sky')).map(({ kind }) => kind.kind)).toEqual(['Comet']);
  });

  describe('an aggregated API that is unavailable', () => {
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    const groupVersion = 'down.example.com/v1';

    beforeAll(async () => {
      await admin.post(path, { body: apiService });
      await vi.waitFor(async () => {
        expect([...(await discovery().serverGroups()).failed.keys()]).toEqual([groupVersion]);
      }, patience);
    });

    afterAll(async () => {
      await admin.delete(`${path}/{name}`, { path: { name: apiService.metadata.name } });
    });

    test.each<{ name: string; change: (request: APIRequest) => APIRequest }>([
      { name: 'aggregated', change: (request) => request },
      { name: 'list by list', change: withoutAggregation },
    ])('is reported beside all others: $name', async ({ change }) => {
      const client = discovery({ transport: detour([], change) });
      const { failed, resources } = await client.serverGroupsAndResources();
      expect([...failed.keys()]).toEqual([groupVersion]);
      expect(isServiceUnavailable(failed.get(groupVersion))).toBe(true);
      expect(resources.length).toBeGreaterThan(20);
      const mapper = new RESTMapper(client);
      expect((await mapper.mappingFor('deploy')).resource.group).toBe('apps');
      const failure = await mapper
        .mapping({ group: 'down.example.com', kind: 'Star' })
        .catch((error) => error);
      expect(isNoMatch(failure)).toBe(true);
      expect(failure.message).toContain(
        `it may be in a group version whose discovery failed: ${groupVersion}`,
      );
    });
  });
}
