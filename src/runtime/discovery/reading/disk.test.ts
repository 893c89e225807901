import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DiscoveryClient, type DiscoveryClientOptions } from '../client.ts';
import { aggregatedRoutes, cluster, legacyRoutes, StubServer } from '../server.fixture.ts';
import { DiskStore, serverFolder } from './disk.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kgen-discovery-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const own = (...parts: readonly string[]): string => join(folder, 'stub_6443', ...parts);

function clientOf(server: StubServer, options: DiscoveryClientOptions = {}): DiscoveryClient {
  return new DiscoveryClient(
    { server: 'https://stub:6443' },
    { transport: server.send, cacheDir: folder, ...options },
  );
}

function filesBelow(at: string): string[] {
  const entries = readdirSync(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

const names = [
  'stub_6443/apps/v1/serverresources.json',
  'stub_6443/autoscaling/v1/serverresources.json',
  'stub_6443/autoscaling/v2/serverresources.json',
  'stub_6443/events.k8s.io/v1/serverresources.json',
  'stub_6443/servergroups.json',
  'stub_6443/v1/serverresources.json',
];

describe('the disk cache of discovery', () => {
  test('belongs to the server that is named beside a RESTClient', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const options = { cacheDir: folder, cacheServer: 'https://stub:6443' };
    await new DiscoveryClient(server.rest, options).serverGroupsAndResources();
    expect(filesBelow(folder)).toEqual(names);
    const { groups } = await clientOf(new StubServer({})).serverGroups();
    expect(groups).toHaveLength(4);
  });

  test.each([
    { name: 'aggregated', routes: aggregatedRoutes(cluster) },
    { name: 'list by list', routes: legacyRoutes(cluster) },
  ])('is used by the next process: $name', async ({ routes }) => {
    const first = await clientOf(new StubServer(routes)).serverGroupsAndResources();
    expect(filesBelow(folder)).toEqual(names);
    expect(statSync(own('servergroups.json')).mode & 0o777).toBe(0o660);
    expect(statSync(own('apps', 'v1')).mode & 0o027).toBe(0);
    const server = new StubServer({});
    const second = await clientOf(server).serverGroupsAndResources();
    expect(server.requested).toEqual([]);
    expect({ ...second, fetchedAt: 0 }).toEqual({ ...first, fetchedAt: 0 });
    const third = clientOf(server);
    expect((await third.serverResourcesForGroupVersion('apps/v1')).resources).toHaveLength(1);
    expect((await third.serverGroups()).groups).toHaveLength(4);
    expect(server.requested).toEqual([]);
  });

  test('has the format of kubectl', async () => {
    await clientOf(new StubServer(aggregatedRoutes(cluster))).serverGroups();
    const read = (...parts: readonly string[]): unknown => JSON.parse(readFileSync(own(...parts), 'utf8'));
    const groups = read('servergroups.json');
    expect(groups).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    expect(groups).toHaveProperty(['groups', '0'], {
      name: '',
      versions: [{ groupVersion: 'v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'v1', version: 'v1' },
    });
    expect(read('apps', 'v1', 'serverresources.json')).toEqual({
      kind: 'APIResourceList',
      apiVersion: 'v1',
      groupVersion: 'apps/v1',
      resources: [
        {
          name: 'deployments',
          singularName: 'deployment',
          namespaced: true,
          kind: 'Deployment',
          verbs: ['get', 'list', 'watch'],
          shortNames: ['deploy'],
          categories: ['all'],
        },
      ],
    });
  });

  test('is fetched again if a file is missing', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    await clientOf(server).serverGroups();
    rmSync(own('apps'), { recursive: true });
    const { resources } = await clientOf(server).serverGroupsAndResources();
    expect(resources).toHaveLength(5);
    expect(server.requested).toHaveLength(4);
    expect(filesBelow(folder)).toEqual(names);
  });

  test('is replaced after invalidate', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    await clientOf(server).serverGroups();
    Object.assign(server.routes, aggregatedRoutes({ 'new.io/v1': [{ resource: 'news', kind: 'News' }] }));
    const client = clientOf(server);
    expect((await client.serverGroups()).groups).toHaveLength(4);
    client.invalidate();
    expect((await client.serverGroups()).groups.map(({ name }) => name)).toEqual(['new.io']);
    expect((await clientOf(server).serverGroups()).groups.map(({ name }) => name)).toEqual(['new.io']);
    expect(server.requested).toHaveLength(4);
  });

  test('is not read if invalidate is called first', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    await clientOf(server).serverGroups();
    const client = clientOf(server);
    client.invalidate();
    await client.serverGroups();
    expect(server.requested).toHaveLength(4);
  });

  test('is not written if a response is missing', async () => {
    const server = new StubServer(aggregatedRoutes({ ...cluster, 'metrics.k8s.io/v1beta1': 'Stale' }));
    await clientOf(server).serverGroupsAndResources();
    expect(filesBelow(folder)).toEqual([]);
  });

  test('expires', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    await clientOf(server).serverGroups();
    const age = (seconds: number): void => {
      const then = Date.now() / 1000 - seconds;
      utimesSync(own('servergroups.json'), then, then);
    };
    const requests = async (options?: DiscoveryClientOptions): Promise<boolean> => {
      const fresh = new StubServer(aggregatedRoutes(cluster));
      await clientOf(fresh, options).serverGroups();
      return fresh.requested.length > 0;
    };
    age(6 * 3600 - 60);
    expect(await requests()).toBe(false);
    expect(await requests({ cacheTtlMs: 3_600_000 })).toBe(true);
    age(6 * 3600 + 60);
    expect(await requests()).toBe(true);
    age(-3600);
    expect(await requests()).toBe(true);
  });

  test.each<{ name: string; spoil: (path: string) => void }>([
    { name: 'half', spoil: (path) => writeFileSync(path, '{"kind":"APIGroupList","groups":[') },
    { name: 'empty', spoil: (path) => writeFileSync(path, '') },
    { name: 'foreign', spoil: (path) => writeFileSync(path, '{"kind":"PodList","items":[]}') },
    { name: 'without groups', spoil: (path) => writeFileSync(path, '{"kind":"APIGroupList","groups":null}') },
    {
      name: 'pipes',
      spoil: (path) => {
        rmSync(path);
        execFileSync('mkfifo', [path]);
      },
    },
    {
      name: 'folders',
      spoil: (path) => {
        rmSync(path);
        mkdirSync(path);
      },
    },
  ])('is ignored if it is $name', async ({ spoil }) => {
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    const server = new StubServer(aggregatedRoutes(cluster));
    await clientOf(server).serverGroups();
    spoil(own('servergroups.json'));
    expect((await clientOf(server).serverGroups()).groups).toHaveLength(4);
    expect(server.requested).toHaveLength(4);
  });

  test('causes one warning if it cannot be written', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    writeFileSync(join(folder, 'stub_6443'), 'in the way');
    const server = new StubServer(legacyRoutes(cluster));
    const client = clientOf(server);
    expect((await client.serverGroupsAndResources()).resources).toHaveLength(5);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(/^discovery is not cached in .*stub_6443: (EEXIST|ENOTDIR)/),
        'DiscoveryWarning',
      ],
    ]);
  });

  test('leaves no partial files if a file cannot be renamed', async () => {
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined);
    mkdirSync(own('servergroups.json', 'in-the-way'), { recursive: true });
    await clientOf(new StubServer(aggregatedRoutes(cluster))).serverGroups();
    expect(filesBelow(folder)).toEqual(names.filter((name) => !name.endsWith('servergroups.json')));
  });
});

describe('the folder of the disk cache', () => {
  test.each<{ server: string; want: string }>([
    { server: 'https://127.0.0.1:6443', want: '127.0.0.1_6443' },
    { server: 'http://stub', want: 'stub' },
    { server: 'https://[::1]:6443', want: '___1__6443' },
    { server: 'https://rancher.example/k8s/clusters/c-1/', want: 'rancher.example/k8s/clusters/c_1' },
    { server: 'https://stub/../../../etc', want: 'stub/_/_/_/etc' },
    { server: '../..', want: '_/_' },
    { server: '/etc/passwd', want: 'etc/passwd' },
    { server: '', want: '.' },
  ])('of $server is $want', ({ server, want }) => {
    expect(serverFolder(server)).toBe(want);
  });

  test('contains all files, whatever the names of groups', async () => {
    const store = new DiskStore({ folder: join(folder, 'in'), server: 'http://stub', ttlMs: 1000 });
    const resources = [
      { name: 'x', singularName: '', namespaced: true, kind: 'X', verbs: [], shortNames: [], categories: [] },
    ];
    const hostile = [
      '../v1',
      '../../v1',
      '/etc',
      'a/../../v1',
      `${'a'.repeat(300)}/v1`,
      'a/b/c',
      '.',
      '..',
      'C:\\x/v1',
    ];
    await store.save(
      undefined,
      hostile.map((groupVersion) => ({ groupVersion, resources })),
    );
    expect(filesBelow(folder)).toEqual([]);
    for (const groupVersion of hostile) expect(await store.list(groupVersion)).toBeUndefined();
  });

  test('keeps the permissions of existing folders', async () => {
    mkdirSync(own(), { recursive: true });
    chmodSync(own(), 0o700);
    await clientOf(new StubServer(aggregatedRoutes(cluster))).serverGroups();
    expect(statSync(own()).mode & 0o777).toBe(0o700);
    expect(existsSync(dirname(own('v1', 'x')))).toBe(true);
  });
});
