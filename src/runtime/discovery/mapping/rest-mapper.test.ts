import { afterEach, describe, expect, test, vi } from 'vitest';
import { isTransportError, TransportError } from '../../api/errors.ts';
import { DiscoveryClient } from '../client.ts';
import { aggregatedRoutes, cluster, type GivenGroups, plain, StubServer } from '../server.fixture.ts';
import type { RESTMapperOptions } from '../types.ts';
import { isAmbiguousMatch, isNoMatch } from './errors.ts';
import { resourceText } from './mappings.ts';
import { RESTMapper } from './rest-mapper.ts';

interface Play {
  readonly server: StubServer;
  readonly mapper: RESTMapper;
  /** Replaces the resources of the server. */
  readonly serve: (given: GivenGroups) => void;
}

function play(given: GivenGroups, options?: RESTMapperOptions): Play {
  const server = new StubServer(aggregatedRoutes(given));
  const mapper = new RESTMapper(new DiscoveryClient(server.rest), options);
  const serve = (changed: GivenGroups): void => void Object.assign(server.routes, aggregatedRoutes(changed));
  return { server, mapper, serve };
}

const widgets = {
  'example.com/v1': [
    {
      resource: 'widgets',
      kind: 'Widget',
      shortNames: ['po', 'wd'],
      subresources: [
        {
          subresource: 'status',
          responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
          verbs: ['get', 'patch', 'update'],
        },
        {
          subresource: 'scale',
          responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
          verbs: ['get', 'proxy'],
        },
        { subresource: 'nothing' },
      ],
    },
  ],
} satisfies GivenGroups;

afterEach(() => {
  vi.useRealTimers();
});

describe('a call', () => {
  test('rejects with the reason of an aborted signal, even if the result is cached', async () => {
    const { mapper } = play(cluster);
    const reason = new Error('enough');
    const options = { signal: AbortSignal.abort(reason) };
    await mapper.mappingFor('po');
    await expect(mapper.mappingFor('po', options)).rejects.toBe(reason);
    await expect(mapper.mapping({ group: '', kind: 'Pod' }, options)).rejects.toBe(reason);
    await expect(mapper.categoryMappings('all', options)).rejects.toBe(reason);
  });

  // Only plain JavaScript can pass such a value.
  const loose = (value: unknown): never => value as never;

  test.each<[unknown, string]>([
    [undefined, 'a kind must be { group, kind }'],
    [{ group: 'apps' }, 'a kind must be { group, kind }'],
    [{ group: 'apps', kind: 'Deployment', version: 1 }, 'a kind must be { group, kind }'],
    [{ kind: 'Deployment' }, "the group of the kind Deployment is missing; the core group is '' or core"],
  ])('throws for an invalid kind before any request: %j', async (query, message) => {
    const { mapper, server } = play(cluster);
    await expect(mapper.mapping(loose(query))).rejects.toThrow(message);
    await expect(mapper.mappings(loose(query))).rejects.toThrow(TypeError);
    expect(server.requested).toEqual([]);
  });

  test.each([undefined, null, {}, { resource: 'pods', group: 1 }, 5])(
    'throws for an invalid resource before any request: %j',
    async (query) => {
      const { mapper, server } = play(cluster);
      await expect(mapper.mappingFor(loose(query))).rejects.toThrow(/^a resource must be/);
      await expect(mapper.kindsFor(loose(query))).rejects.toThrow(TypeError);
      expect(server.requested).toEqual([]);
    },
  );
});

test.each([
  'pods.core',
  'pods.v1.core',
  { resource: 'pods', group: 'core' },
  { resource: 'pods', group: '' },
])('the core group may be named core in a resource: %j', async (resource) => {
  const { mapper } = play(cluster);
  const want = { group: '', version: 'v1', resource: 'pods' };
  expect(await mapper.resourceFor(resource)).toEqual(want);
});

test('a resource that is missing in the core group is reported as such', async () => {
  const { mapper } = play(cluster);
  await expect(mapper.resourceFor('deployments.core')).rejects.toThrow(
    /^the server has no resource "deployments" in the core group; did you mean deployments \(apps\/v1\)/,
  );
});

describe('a kind', () => {
  test('has a resource, a scope, verbs and subresources', async () => {
    const { mapper, server } = play({ ...cluster, ...widgets });
    expect(await mapper.mapping({ group: 'example.com', kind: 'Widget' })).toEqual({
      resource: { group: 'example.com', version: 'v1', resource: 'widgets' },
      kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
      scope: 'Namespaced',
      singular: 'widget',
      verbs: ['get', 'list', 'watch'],
      shortNames: ['po', 'wd'],
      categories: [],
      subresources: new Map([
        [
          'status',
          {
            kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
            verbs: ['get', 'patch', 'update'],
          },
        ],
        ['scale', { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get'] }],
      ]),
    });
    expect((await mapper.mapping({ group: '', kind: 'Node' })).scope).toBe('Cluster');
    expect(server.requested).toHaveLength(2);
  });

  test.each<{ query: { group: string; kind: string; version?: string }; want: string }>([
    { query: { group: '', kind: 'Event' }, want: 'events.v1.' },
    { query: { group: 'core', kind: 'Event' }, want: 'events.v1.' },
    { query: { group: 'events.k8s.io', kind: 'Event' }, want: 'events.v1.events.k8s.io' },
    {
      query: { group: 'autoscaling', kind: 'HorizontalPodAutoscaler' },
      want: 'horizontalpodautoscalers.v2.autoscaling',
    },
    {
      query: { group: 'autoscaling', kind: 'HorizontalPodAutoscaler', version: 'v1' },
      want: 'horizontalpodautoscalers.v1.autoscaling',
    },
    { query: { group: 'autoscaling', kind: 'Oldie' }, want: 'oldies.v1.autoscaling' },
  ])('$query is served by $want', async ({ query, want }) => {
    expect(resourceText(await play(cluster).mapper.mapping(query))).toBe(want);
  });

  test('has the preferred version, even if it is not the first', async () => {
    const versions = ['v2', 'v1'].map((version) => ({ groupVersion: `a.io/${version}`, version }));
    const list = plain({ resources: [{ name: 'xs', kind: 'X' }] });
    const server = new StubServer({
      '/apis': plain({ groups: [{ name: 'a.io', versions, preferredVersion: versions[1] }] }),
      '/apis/a.io/v1': list,
      '/apis/a.io/v2': list,
    });
    const mapper = new RESTMapper(new DiscoveryClient(server.rest));
    expect((await mapper.mapping({ group: 'a.io', kind: 'X' })).resource.version).toBe('v1');
    expect((await mapper.resourcesFor('xs')).map(({ version }) => version)).toEqual(['v1', 'v2']);
  });

  test('has mappings in all versions, the preferred first', async () => {
    const found = await play(cluster).mapper.mappings({
      group: 'autoscaling',
      kind: 'HorizontalPodAutoscaler',
    });
    expect(found.map(({ resource }) => resource.version)).toEqual(['v2', 'v1']);
  });

  test('is ambiguous if two resources serve it', async () => {
    const { mapper } = play({
      'a.io/v1': [
        { resource: 'xs', kind: 'X' },
        { resource: 'moreexes', kind: 'X', singular: 'morex' },
      ],
    });
    const failure = await mapper.mapping({ group: 'a.io', kind: 'X' }).catch((error: unknown) => error);
    expect(isAmbiguousMatch(failure)).toBe(true);
    expect(failure).toMatchObject({
      name: 'AmbiguousMatchError',
      message: 'kind "X" may be any of xs.v1.a.io, moreexes.v1.a.io: name one of them in full',
    });
  });
});

describe('a resource', () => {
  test.each<{ text: string; want: string }>([
    { text: 'pods', want: 'pods.v1.' },
    { text: 'pod', want: 'pods.v1.' },
    { text: 'po', want: 'pods.v1.' },
    { text: 'PO', want: 'pods.v1.' },
    { text: 'Pod', want: 'pods.v1.' },
    { text: 'pods.v1.', want: 'pods.v1.' },
    { text: 'po.v1.', want: 'pods.v1.' },
    { text: 'ev', want: 'events.v1.' },
    { text: 'events', want: 'events.v1.' },
    { text: 'events.events', want: 'events.v1.events.k8s.io' },
    { text: 'ev.events.k8s.io', want: 'events.v1.events.k8s.io' },
    { text: 'events.v1.events.k8s.io', want: 'events.v1.events.k8s.io' },
    { text: 'deploy', want: 'deployments.v1.apps' },
    { text: 'deploy.app', want: 'deployments.v1.apps' },
    { text: 'deployments.apps', want: 'deployments.v1.apps' },
    { text: 'Deployment.v1.apps', want: 'deployments.v1.apps' },
    { text: 'hpa', want: 'horizontalpodautoscalers.v2.autoscaling' },
    { text: 'hpa.v1.autoscaling', want: 'horizontalpodautoscalers.v1.autoscaling' },
    { text: 'oldie', want: 'oldies.v1.autoscaling' },
    { text: 'endpoints', want: 'endpoints.v1.' },
  ])('$text means $want', async ({ text, want }) => {
    const { mapper } = play(cluster, { onWarning: () => undefined });
    const mapping = await mapper.mappingFor(text);
    expect(resourceText(mapping)).toBe(want);
    expect(await mapper.resourceFor(text)).toBe(mapping.resource);
    expect(await mapper.kindFor(text)).toBe(mapping.kind);
    expect((await mapper.resourcesFor(text))[0]).toBe(mapping.resource);
    expect((await mapper.kindsFor(text))[0]).toBe(mapping.kind);
  });

  test('may be requested by its parts', async () => {
    const { mapper } = play(cluster);
    const texts = async (query: Parameters<RESTMapper['mappingsFor']>[0]): Promise<string[]> =>
      (await mapper.mappingsFor(query)).map(resourceText);
    expect(await texts({ resource: 'events' })).toEqual(['events.v1.', 'events.v1.events.k8s.io']);
    expect(await texts({ resource: 'events', group: '' })).toEqual(['events.v1.']);
    expect(await texts({ resource: 'hpa', version: 'v1' })).toEqual([
      'horizontalpodautoscalers.v1.autoscaling',
    ]);
  });

  test('is found by its kind if that is not its singular', async () => {
    const { mapper } = play({ 'a.io/v1': [{ resource: 'things', kind: 'OddThing', singular: 'thing' }] });
    expect(resourceText(await mapper.mappingFor('OddThing'))).toBe('things.v1.a.io');
  });

  test('is preferred to the short name of another, and a plural to a singular', async () => {
    const given: GivenGroups = {
      'a.io/v1': [{ resource: 'alphas', kind: 'Alpha', shortNames: ['beta'] }],
      'b.io/v1': [
        { resource: 'others', kind: 'Other', singular: 'betas' },
        { resource: 'betas', kind: 'Beta' },
      ],
    };
    const { mapper } = play(given);
    expect(resourceText(await mapper.mappingFor('beta'))).toBe('betas.v1.b.io');
    expect(resourceText(await mapper.mappingFor('betas'))).toBe('betas.v1.b.io');
  });

  test('is ambiguous if two in one group version have its name', async () => {
    const { mapper } = play({
      'a.io/v1': [
        { resource: 'xs', kind: 'X' },
        { resource: 'xes', kind: 'Ex', singular: 'x' },
      ],
    });
    await expect(mapper.mappingFor('x')).rejects.toThrow('"x" may be any of xs.v1.a.io, xes.v1.a.io: name');
    await expect(mapper.mappingFor({ resource: 'x', group: 'a.io' })).rejects.toThrow(
      'resource "x" in group "a.io" may be any of',
    );
  });

  test('by a short name of several resources is the first, with one warning', async () => {
    const warnings: string[] = [];
    const { mapper } = play({ ...cluster, ...widgets }, { onWarning: (text) => warnings.push(text) });
    await mapper.mappingFor('po');
    await mapper.mappingFor('po');
    await mapper.mappingFor('hpa');
    expect(warnings).toEqual([
      'the short name "po" is interpreted as pods.v1.; it could also be widgets.v1.example.com',
    ]);
  });

  test.each(['', '.apps', 'pods/web', 'po ds'])('is not found as %j', async (text) => {
    await expect(play(cluster).mapper.mappingFor(text)).rejects.toThrow(TypeError);
  });
});

test('returns the resources of a category, each in one version', async () => {
  const { mapper } = play(cluster);
  expect((await mapper.categoryMappings('all')).map(resourceText)).toEqual([
    'pods.v1.',
    'deployments.v1.apps',
  ]);
  expect(await mapper.categoryMappings('__proto__')).toEqual([]);
});

describe('a missing resource', () => {
  test.each<{ request: (mapper: RESTMapper) => Promise<unknown>; want: string }>([
    {
      request: (mapper) => mapper.mapping({ group: 'apps', kind: 'Deploymnet' }),
      want: 'the server has no kind "Deploymnet" in group "apps"; did you mean Deployment (apps/v1)?',
    },
    {
      request: (mapper) => mapper.mapping({ group: 'apps', kind: 'Deployment', version: 'v9' }),
      want: 'the server has no kind "Deployment" in group "apps", version "v9"; did you mean Deployment (apps/v1)?',
    },
    {
      request: (mapper) => mapper.mapping({ group: '', kind: 'Deployment' }),
      want: 'the server has no kind "Deployment" in the core group; did you mean Deployment (apps/v1)?',
    },
    {
      request: (mapper) => mapper.mappingFor('pdos'),
      want: 'the server has no resource "pdos"; did you mean pods (v1)?',
    },
    {
      request: (mapper) => mapper.mappingFor('pods.apps'),
      want: 'the server has no resource "pods" in group "apps"; did you mean pods (v1)?',
    },
    {
      request: (mapper) => mapper.kindsFor('entirely.v1.else'),
      want: 'the server has no resource "entirely" in group "else", version "v1"',
    },
    {
      request: (mapper) => mapper.mappingFor('things.shop.example.com'),
      want: 'the server has no resource "things" in group "shop.example.com"',
    },
  ])('$want', async ({ request, want }) => {
    const failure = await request(play(cluster).mapper).catch((error: unknown) => error);
    expect(isNoMatch(failure)).toBe(true);
    expect(failure).toMatchObject({ name: 'NoMatchError', message: want });
  });

  test('may be in a group that is unavailable', async () => {
    const { mapper } = play({ ...cluster, 'metrics.k8s.io/v1beta1': 'Stale' });
    await expect(mapper.mapping({ group: 'metrics.k8s.io', kind: 'PodMetrics' })).rejects.toThrow(
      /^the server has no kind "PodMetrics" in group "metrics.k8s.io"; it may be in a group version whose discovery failed: metrics.k8s.io\/v1beta1 \(get .*discovery is stale/,
    );
    await expect(mapper.mappingFor('podmetrics')).rejects.toMatchObject({
      failed: new Map([['metrics.k8s.io/v1beta1', expect.any(Error)]]),
    });
    await expect(mapper.mappingFor('podmetrics.metrics.k8s.io')).rejects.toMatchObject({
      failed: new Map([['metrics.k8s.io/v1beta1', expect.any(Error)]]),
    });
    await expect(mapper.mapping({ group: 'apps', kind: 'PodMetrics' })).rejects.toMatchObject({
      failed: new Map(),
    });
    expect(resourceText(await mapper.mappingFor('deploy'))).toBe('deployments.v1.apps');
  });

  test('is requested once more, because a definition may be new', async () => {
    const { mapper, server, serve } = play(cluster);
    await mapper.mappingFor('pods');
    serve({ ...cluster, ...widgets });
    const query = { group: 'example.com', kind: 'Widget' };
    const found = await Promise.all([mapper.mapping(query), mapper.mapping(query), mapper.mappingFor('wd')]);
    expect(found.map(resourceText)).toEqual(Array(3).fill('widgets.v1.example.com'));
    expect(server.requested).toHaveLength(4);
  });

  test('is not requested again if this call fetched the tables', async () => {
    const { mapper, server } = play(cluster);
    await expect(mapper.mappingFor('nothing')).rejects.toSatisfy(isNoMatch);
    expect(server.requested).toHaveLength(2);
  });

  test('is requested again after an interval only', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    const { mapper, server, serve } = play(cluster, { missIntervalMs: 1000 });
    await mapper.mappingFor('pods');
    vi.advanceTimersByTime(1);
    const miss = (): Promise<void> => expect(mapper.mappingFor('widgets')).rejects.toSatisfy(isNoMatch);
    await miss();
    expect(server.requested).toHaveLength(4);
    serve({ ...cluster, ...widgets });
    vi.advanceTimersByTime(999);
    await miss();
    expect(server.requested).toHaveLength(4);
    vi.advanceTimersByTime(1);
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    expect(server.requested).toHaveLength(6);
  });

  test('is not reported if the server does not respond', async () => {
    const { mapper, server } = play(cluster);
    await mapper.mappingFor('pods');
    server.routes['/apis'] = () => {
      throw new TransportError('refused', undefined, { code: 'ECONNREFUSED' });
    };
    await expect(mapper.mappingFor('widgets')).rejects.toSatisfy(isTransportError);
    expect(resourceText(await mapper.mappingFor('pods'))).toBe('pods.v1.');
  });
});

describe('reset', () => {
  test('drops cached results and requests in progress', async () => {
    const { mapper, server, serve } = play(cluster);
    const held = server.hold('/apis');
    const before = mapper.mappingFor('widgets').catch((error: unknown) => error);
    await held.arrived;
    mapper.reset();
    serve({ ...cluster, ...widgets });
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    held.response();
    expect(isNoMatch(await before)).toBe(true);
    const count = server.requested.length;
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    expect(server.requested).toHaveLength(count);
  });

  test('drops a request that a miss started', async () => {
    const { mapper, server, serve } = play(cluster, { missIntervalMs: 0 });
    await mapper.mappingFor('pods');
    const held = server.hold('/apis');
    const before = mapper.mappingFor('widgets').catch((error: unknown) => error);
    await held.arrived;
    mapper.reset();
    serve({ ...cluster, ...widgets });
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    held.response();
    expect(isNoMatch(await before)).toBe(true);
    const count = server.requested.length;
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    expect(server.requested).toHaveLength(count);
  });

  test('before the first call only drops the cache of the discovery client', async () => {
    const server = new StubServer(aggregatedRoutes(cluster));
    const discovery = new DiscoveryClient(server.rest);
    await discovery.serverGroups();
    const mapper = new RESTMapper(discovery);
    mapper.reset();
    Object.assign(server.routes, aggregatedRoutes(widgets));
    expect(resourceText(await mapper.mappingFor('widgets'))).toBe('widgets.v1.example.com');
    expect(server.requested).toHaveLength(4);
  });

  test('does not abort other calls if one call aborts', async () => {
    const { mapper } = play(cluster);
    const controller = new AbortController();
    const first = mapper.mappingFor('pods', { signal: controller.signal });
    const second = mapper.mappingFor('pods');
    controller.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(resourceText(await second)).toBe('pods.v1.');
  });
});
