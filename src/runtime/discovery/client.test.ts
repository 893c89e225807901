import { describe, expect, test, vi } from 'vitest';
import { holdTime, until } from '../../../test/support/runtime/no-time-passes.ts';
import { isApiError, isDecodeError, isTransportError, TransportError } from '../api/errors.ts';
import { isNotFound, isServiceUnavailable } from '../api/failure-reasons.ts';
import { DiscoveryClient } from './client.ts';
import {
  aggregated,
  aggregatedRoutes,
  cluster,
  failing,
  groupList,
  legacyRoutes,
  plain,
  StubServer,
} from './server.fixture.ts';
import type { ServerGroupsAndResources } from './types.ts';

function clientOf(server: StubServer): DiscoveryClient {
  return new DiscoveryClient(server.rest);
}

/** Returns `apps/v1 deployments Deployment`, one line per resource. */
function lines({ resources }: Pick<ServerGroupsAndResources, 'resources'>): string[] {
  return resources.flatMap((list) =>
    list.resources.map(({ name, kind }) => `${list.groupVersion} ${name} ${kind}`),
  );
}

const clusterLines = [
  'v1 pods Pod',
  'v1 nodes Node',
  'v1 events Event',
  'v1 endpoints Endpoints',
  'apps/v1 deployments Deployment',
  'autoscaling/v2 horizontalpodautoscalers HorizontalPodAutoscaler',
  'autoscaling/v1 horizontalpodautoscalers HorizontalPodAutoscaler',
  'autoscaling/v1 oldies Oldie',
  'events.k8s.io/v1 events Event',
];

describe('the whole discovery', () => {
  test('is fetched with two requests if it is aggregated', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const everything = await clientOf(server).serverGroupsAndResources();
    expect(lines(everything)).toEqual(clusterLines);
    expect(server.requested.toSorted()).toEqual(['/api', '/apis']);
    expect(everything.failed.size).toBe(0);
    expect(everything.groups.map(({ name }) => name)).toEqual(['', 'apps', 'autoscaling', 'events.k8s.io']);
    expect(everything.groups[2]?.preferredVersion).toEqual({ groupVersion: 'autoscaling/v2', version: 'v2' });
    expect(server.requests[0]?.headers['accept']).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json',
    );
  });

  test('is fetched list by list otherwise, with an equal result', async () => {
    const server = new StubServer(legacyRoutes(cluster));
    const client = clientOf(server);
    const everything = await client.serverGroupsAndResources();
    const expected = await clientOf(new StubServer(aggregatedRoutes(cluster))).serverGroupsAndResources();
    expect({ ...everything, fetchedAt: 0 }).toEqual({ ...expected, fetchedAt: 0 });
    expect(server.requested).toHaveLength(2 + 5);
    await client.serverGroupsAndResources();
    await client.serverResourcesForGroupVersion('apps/v1');
    expect(server.requested).toHaveLength(2 + 5);
  });

  test('may be aggregated at one endpoint only', async () => {
    const routes = { ...legacyRoutes(cluster), '/apis': aggregatedRoutes(cluster)['/apis'] ?? plain({}) };
    const server = new StubServer(routes);
    expect(lines(await clientOf(server).serverGroupsAndResources())).toEqual(clusterLines);
    expect(server.requested.toSorted()).toEqual(['/api', '/api/v1', '/apis']);
  });

  test('may have the older format', async () => {
    const server = new StubServer({
      '/api': aggregated(groupList({ v1: [{ resource: 'pods', kind: 'Pod' }] }), 'v2beta1'),
      '/apis': aggregated(groupList({}), 'v2beta1'),
    });
    expect(lines(await clientOf(server).serverGroupsAndResources())).toEqual(['v1 pods Pod']);
  });

  test('has no core group on a server without one', async () => {
    const server = new StubServer({ '/apis': aggregated(groupList({ 'a.io/v1': [] })) });
    const { groups } = await clientOf(server).serverGroups();
    expect(groups.map(({ name }) => name)).toEqual(['a.io']);
    await expect(clientOf(server).serverResourcesForGroupVersion('core/v1')).resolves.toEqual({
      groupVersion: 'v1',
      resources: [],
    });
  });
});

describe('a failure of discovery', () => {
  test('is returned beside the results: stale group versions', async () => {
    const server = new StubServer(aggregatedRoutes({ ...cluster, 'metrics.k8s.io/v1beta1': 'Stale' }));
    const client = clientOf(server);
    const everything = await client.serverGroupsAndResources();
    expect(lines(everything)).toEqual(clusterLines);
    expect([...everything.failed.keys()]).toEqual(['metrics.k8s.io/v1beta1']);
    expect(isServiceUnavailable(everything.failed.get('metrics.k8s.io/v1beta1'))).toBe(true);
    expect(everything.groups.at(-1)).toEqual({ name: 'metrics.k8s.io', versions: [] });
    await expect(client.serverResourcesForGroupVersion('metrics.k8s.io/v1beta1')).rejects.toThrow(
      'get /apis/metrics.k8s.io/v1beta1: 503 ServiceUnavailable: discovery is stale: the API service behind it does not respond',
    );
  });

  test('is not cached if it may be temporary', async () => {
    const server = new StubServer(aggregatedRoutes({ ...cluster, 'metrics.k8s.io/v1beta1': 'Stale' }));
    const client = clientOf(server);
    await client.serverGroups();
    await client.serverResourcesForGroupVersion('apps/v1');
    expect(server.requested).toHaveLength(2);
    Object.assign(server.routes, aggregatedRoutes({ 'metrics.k8s.io/v1beta1': [] }));
    await expect(client.serverResourcesForGroupVersion('metrics.k8s.io/v1beta1')).resolves.toEqual({
      groupVersion: 'metrics.k8s.io/v1beta1',
      resources: [],
    });
  });

  test('is retried list by list, and again by the next call', async () => {
    const server = new StubServer(legacyRoutes({ ...cluster, 'metrics.k8s.io/v1beta1': 'Stale' }));
    const client = clientOf(server);
    const path = '/apis/metrics.k8s.io/v1beta1';
    const { failed, resources } = await client.serverGroupsAndResources();
    expect([...failed.keys()]).toEqual(['metrics.k8s.io/v1beta1']);
    expect(resources).toHaveLength(5);
    expect(server.requested.filter((requested) => requested === path)).toHaveLength(3);
    server.routes[path] = plain({ kind: 'APIResourceList', resources: null });
    const count = server.requested.length;
    expect((await client.serverGroupsAndResources()).failed.size).toBe(0);
    expect(server.requested.slice(count)).toEqual([path]);
  });

  test('is not retried at once after a time-out', async () => {
    holdTime();
    const server = new StubServer({
      ...legacyRoutes(cluster),
      '/apis/apps/v1': () => new Promise(() => undefined),
    });
    const all = new DiscoveryClient(server.rest, { timeoutMs: 50 }).serverGroupsAndResources();
    // The limit of every other list has been cancelled by its response.
    await until(() => server.requested.includes('/apis/apps/v1') && vi.getTimerCount() === 1);
    vi.advanceTimersByTime(50);
    const { failed } = await all;
    expect([...failed.values()].map(({ message }) => message)).toEqual([
      'get /apis/apps/v1: timed out after 50 ms: no response from the server',
    ]);
    expect(server.requested.filter((requested) => requested === '/apis/apps/v1')).toHaveLength(1);
  });

  test('is requested once if it is forbidden', async () => {
    const server = new StubServer({ ...legacyRoutes(cluster), '/apis/apps/v1': failing(403, 'Forbidden') });
    const client = clientOf(server);
    await client.serverGroupsAndResources();
    expect([...(await client.serverGroupsAndResources()).failed.keys()]).toEqual(['apps/v1']);
    expect(server.requested.filter((requested) => requested === '/apis/apps/v1')).toHaveLength(1);
  });

  test('at the root rejects the call, and nothing is cached', async () => {
    const server = new StubServer({ ...aggregatedRoutes(cluster), '/apis': failing(500) });
    const client = clientOf(server);
    await expect(client.serverGroups()).rejects.toSatisfy(isApiError);
    server.routes['/apis'] = () => {
      throw new TransportError('refused', undefined, { code: 'ECONNREFUSED' });
    };
    await expect(client.serverGroups()).rejects.toSatisfy(isTransportError);
    Object.assign(server.routes, aggregatedRoutes(cluster));
    expect((await client.serverGroups()).groups).toHaveLength(4);
  });

  test('rejects for a group version that does not exist', async () => {
    const client = clientOf(new StubServer(aggregatedRoutes(cluster)));
    await expect(client.serverResourcesForGroupVersion('nobody.io/v1')).rejects.toSatisfy(isNotFound);
    await expect(client.serverResourcesForGroupVersion('../v1')).rejects.toThrow(
      'not a group version: "../v1"; write v1 or apps/v1, for example',
    );
  });
});

describe('the cache of discovery', () => {
  test('is dropped by invalidate; an ETag avoids transferring it again', async () => {
    const value = groupList({ 'apps/v1': [{ resource: 'deployments', kind: 'Deployment' }] });
    const server = new StubServer({
      '/api': failing(404, 'NotFound'),
      '/apis': (request) => {
        if (request.headers['if-none-match'] === '"1"') return { status: 304, value: '' };
        const reply = aggregated(value)(request);
        return { ...reply, headers: { ...('headers' in reply ? reply.headers : {}), etag: '"1"' } };
      },
    });
    const client = clientOf(server);
    const first = await client.serverGroupsAndResources();
    client.invalidate();
    const second = await client.serverGroupsAndResources();
    expect(server.requested.filter((path) => path === '/apis')).toHaveLength(2);
    expect(
      server.requests.at(-1)?.headers['if-none-match'] ?? server.requests.at(-2)?.headers['if-none-match'],
    ).toBe('"1"');
    expect(lines(second)).toEqual(lines(first));
    expect(second.fetchedAt).toBeGreaterThanOrEqual(first.fetchedAt);
  });

  test('is filled once by concurrent calls', async () => {
    const server = new StubServer(legacyRoutes(cluster));
    const client = clientOf(server);
    await Promise.all([
      client.serverGroupsAndResources(),
      client.serverGroups(),
      client.serverPreferredResources(),
      client.serverResourcesForGroupVersion('apps/v1'),
      client.serverResourcesForGroupVersion('apps/v1'),
    ]);
    expect(new Set(server.requested).size).toBe(server.requested.length);
  });

  test('survives an aborted call; the last abort ends the request', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const held = server.hold('/apis');
    const client = clientOf(server);
    const [one, two] = [new AbortController(), new AbortController()];
    const first = client.serverGroups({ signal: one.signal });
    const second = client.serverGroups({ signal: two.signal });
    await held.arrived;
    one.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(held.signal?.aborted).toBe(false);
    two.abort(new Error('me too'));
    await expect(second).rejects.toThrow('me too');
    expect(held.signal?.aborted).toBe(true);
    held.response();
    expect((await client.serverGroups()).groups).toHaveLength(4);
  });

  test('ignores a request that began before invalidate', async () => {
    const server = new StubServer(aggregatedRoutes({ 'old.io/v1': [] }));
    const held = server.hold('/apis');
    const client = clientOf(server);
    const before = client.serverGroups();
    await held.arrived;
    client.invalidate();
    Object.assign(server.routes, aggregatedRoutes(cluster));
    expect((await client.serverGroups()).groups).toHaveLength(4);
    held.response();
    expect((await before).groups.map(({ name }) => name)).toEqual(['old.io']);
    expect((await client.serverGroups()).groups).toHaveLength(4);
  });

  test('has a time-out for each request', async () => {
    const server = new StubServer({
      ...aggregatedRoutes(cluster),
      '/apis': () => new Promise(() => undefined),
    });
    holdTime();
    const client = new DiscoveryClient(server.rest, { timeoutMs: 5 });
    const first = client.serverGroups().catch(String);
    // The limit of `/api` has been cancelled by its response.
    await until(() => server.requested.includes('/apis') && vi.getTimerCount() === 1);
    vi.advanceTimersByTime(5);
    expect(await first).toContain('get /apis: timed out after 5 ms');
    const patient = new DiscoveryClient(server.rest);
    const second = patient.serverGroups({ timeoutMs: 5 }).catch(String);
    await until(() => server.requested.filter((path) => path === '/apis').length === 2);
    vi.advanceTimersByTime(5);
    expect(await second).toContain('timed out after 5 ms');
  });
});

describe('preferred resources', () => {
  test('are listed once each, in the preferred version or the first', async () => {
    const client = clientOf(new StubServer(aggregatedRoutes(cluster)));
    expect(lines(await client.serverPreferredResources())).toEqual(
      clusterLines.filter(
        (line) => line !== 'autoscaling/v1 horizontalpodautoscalers HorizontalPodAutoscaler',
      ),
    );
    const namespaced = lines(await client.serverPreferredNamespacedResources());
    expect(namespaced).not.toContain('v1 nodes Node');
    expect(namespaced).toContain('v1 pods Pod');
  });

  test('have the preferred version even if it is not the first', async () => {
    const one = { kind: 'APIResourceList', resources: [{ name: 'xs', kind: 'X', verbs: ['get'] }] };
    const versions = ['v2', 'v1'].map((version) => ({ groupVersion: `a.io/${version}`, version }));
    const server = new StubServer({
      '/apis': plain({ groups: [{ name: 'a.io', versions, preferredVersion: versions[1] }] }),
      '/apis/a.io/v1': plain(one),
      '/apis/a.io/v2': plain(one),
    });
    expect(lines(await clientOf(server).serverPreferredResources())).toEqual(['a.io/v1 xs X']);
  });
});

describe('version and OpenAPI documents', () => {
  const server = new StubServer({
    '/version': plain({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.3',
      platform: 'linux/amd64',
      goVersion: 1,
    }),
    '/openapi/v2': plain({ swagger: '2.0' }),
    '/openapi/v3': plain({
      paths: {
        'api/v1': { serverRelativeURL: '/openapi/v3/api/v1?hash=AB' },
        'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1' },
        version: { serverRelativeURL: '/openapi/v3/version?hash=CD' },
        'apis/evil.io/v1': { serverRelativeURL: 'https://evil.io/x' },
        'apis/evil.io/v2': { serverRelativeURL: '/openapi/v3/../../api/v1/secrets' },
        'apis/evil.io/v3': { serverRelativeURL: '//evil.io/openapi/v3/x' },
        'apis/evil.io/v4': null,
        'apis/evil.io/v5': { serverRelativeURL: '/openapi/v3/x?hash=1&watch=1' },
      },
    }),
    '/openapi/v3/api/v1': plain({ openapi: '3.0.0' }),
    '/openapi/v3/apis/apps/v1': plain({ openapi: '3.0.1' }),
  });
  const client = clientOf(server);

  test('are requested', async () => {
    expect(await client.serverVersion()).toEqual({
      major: '1',
      minor: '36',
      gitVersion: 'v1.36.3',
      platform: 'linux/amd64',
    });
    expect(await client.openAPIV2()).toEqual({ swagger: '2.0' });
    expect([...(await client.openAPIV3()).values()]).toEqual([
      { key: 'api/v1', groupVersion: 'v1', path: '/openapi/v3/api/v1', hash: 'AB' },
      { key: 'apis/apps/v1', groupVersion: 'apps/v1', path: '/openapi/v3/apis/apps/v1' },
      { key: 'version', path: '/openapi/v3/version', hash: 'CD' },
    ]);
    expect(await client.openAPIV3Document('v1')).toEqual({ openapi: '3.0.0' });
    expect(await client.openAPIV3Document('core/v1')).toEqual({ openapi: '3.0.0' });
    expect(server.requested.at(-1)).toBe('/openapi/v3/api/v1?hash=AB');
    expect(await client.openAPIV3Document('apps/v1')).toEqual({ openapi: '3.0.1' });
    await expect(client.openAPIV3Document('evil.io/v1')).rejects.toSatisfy(isNotFound);
  });

  test.each([{ value: {} }, { value: null }, { value: [] }, { value: { gitVersion: 1 } }])(
    'reject another value: $value',
    async ({ value }) => {
      const other = clientOf(new StubServer({ '/version': plain(value), '/openapi/v3': plain(value) }));
      await expect(other.serverVersion()).rejects.toSatisfy(isDecodeError);
      await expect(other.openAPIV3()).rejects.toSatisfy(isDecodeError);
    },
  );
});

describe('a call whose signal has aborted', () => {
  const reason = new Error('enough');
  const options = { signal: AbortSignal.abort(reason) };
  const calls: Readonly<Record<string, (client: DiscoveryClient) => Promise<unknown>>> = {
    serverGroups: (client) => client.serverGroups(options),
    serverResourcesForGroupVersion: (client) => client.serverResourcesForGroupVersion('v1', options),
    serverGroupsAndResources: (client) => client.serverGroupsAndResources(options),
    serverPreferredResources: (client) => client.serverPreferredResources(options),
    serverPreferredNamespacedResources: (client) => client.serverPreferredNamespacedResources(options),
    serverVersion: (client) => client.serverVersion(options),
  };

  test.each(Object.keys(calls))('rejects with its reason even if the result is cached: %s', async (name) => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const client = clientOf(server);
    await client.serverGroupsAndResources();
    await expect(calls[name]?.(client)).rejects.toBe(reason);
    expect(server.requested).toHaveLength(2);
  });
});

test('contains the progress in the error of a time-out', async () => {
  holdTime();
  let isStalled = false;
  async function* stalled(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{');
    isStalled = true;
    await new Promise<never>(() => undefined);
  }
  const response = { status: 200, headers: {}, body: stalled(), cancel: () => undefined };
  const stalling = new DiscoveryClient({ server: 'http://stub' }, { transport: async () => response });
  const failed = stalling.serverVersion({ timeoutMs: 5 }).catch(String);
  await until(() => isStalled);
  vi.advanceTimersByTime(5);
  expect(await failed).toContain('get /version: timed out after 5 ms: the response was not complete');
});

describe('creation of a discovery client', () => {
  test('uses a configuration with options of its connections', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const client = new DiscoveryClient(
      { server: 'http://stub' },
      { transport: server.send, timeoutMs: 1000 },
    );
    expect((await client.serverGroups()).groups).toHaveLength(4);
    await client.close();
  });

  test('requires the name of the server for a disk cache', () => {
    const { rest } = new StubServer({});
    expect(() => new DiscoveryClient(rest, { cacheDir: 'cache' })).toThrow('cacheDir requires cacheServer');
    expect(() => new DiscoveryClient({ server: 'http://stub' }, { cacheDir: '' })).toThrow(
      'cacheDir must not be empty',
    );
    // @ts-expect-error options of requests belong to the RESTClient
    expect(() => new DiscoveryClient(rest, { userAgent: 'x' })).toThrow('options belong to the RESTClient');
  });
});
