/** Servers with arbitrary JSON in responses to requests of discovery, of a mapper or of a scale client. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  expectNamedErrors,
  limitMs,
  load,
  requestsOf,
  type Scenario,
} from '../../../test/support/runtime/hostile-responses.ts';
import { Seeded } from '../../../test/support/runtime/random.ts';
import { ScaleClient } from '../dynamic/scale/scale-client.ts';
import type { RESTClient } from '../rest/client.ts';
import { DiscoveryClient } from './client.ts';
import { RESTMapper } from './mapping/rest-mapper.ts';
import { aggregatedRoutes, legacyRoutes, plain, type Route, StubServer } from './server.fixture.ts';

const verbs = ['get', 'update', 'patch'];
const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const given = {
  v1: [{ resource: 'pods', kind: 'Pod', shortNames: ['po'], categories: ['all'] }],
  'apps/v1': [
    {
      resource: 'deployments',
      kind: 'Deployment',
      subresources: [{ subresource: 'scale', responseKind: scale, verbs }],
    },
  ],
};
const others: Record<string, Route> = {
  '/version': plain({ major: '1', minor: '36+', gitVersion: 'v1.36.0' }),
  '/openapi/v3': plain({
    paths: { 'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=1' } },
  }),
  '/openapi/v3/apis/apps/v1': plain({ openapi: '3.0.0', info: {}, paths: {} }),
  '/openapi/v2': plain({ swagger: '2.0', info: {}, paths: {} }),
  '/apis/apps/v1/namespaces/shop/deployments/web/scale': plain({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 1 },
    status: { replicas: 1, selector: 'app=web' },
  }),
};

type Call = (discovery: DiscoveryClient, rest: RESTClient) => Promise<unknown>;

const limits = { timeoutMs: limitMs };
const mapper = (discovery: DiscoveryClient): RESTMapper =>
  new RESTMapper(discovery, { onWarning: () => undefined });
const deployments = { group: 'apps', resource: 'deployments' };
const web = { namespace: 'shop', name: 'web' };

const calls: Readonly<Record<string, Call>> = {
  serverVersion: (discovery) => discovery.serverVersion(limits),
  serverGroups: (discovery) => discovery.serverGroups(limits),
  serverResourcesForGroupVersion: (discovery) => discovery.serverResourcesForGroupVersion('apps/v1', limits),
  serverGroupsAndResources: (discovery) => discovery.serverGroupsAndResources(limits),
  serverPreferredResources: (discovery) => discovery.serverPreferredResources(limits),
  openAPIV3: (discovery) => discovery.openAPIV3(limits),
  openAPIV3Document: (discovery) => discovery.openAPIV3Document('apps/v1', limits),
  openAPIV2: (discovery) => discovery.openAPIV2(limits),
  mapping: (discovery) => mapper(discovery).mapping({ group: 'apps', kind: 'Deployment' }, limits),
  mappingFor: (discovery) => mapper(discovery).mappingFor('po', limits),
  categoryMappings: (discovery) => mapper(discovery).categoryMappings('all', limits),
  'get of a scale': (discovery, rest) =>
    new ScaleClient(rest, mapper(discovery)).get(deployments, web, limits),
};

const servers = { aggregated: aggregatedRoutes(given), legacy: legacyRoutes(given) };
const cases = Object.entries(servers).flatMap(([form, routes]) =>
  Object.entries(calls).map(([name, call]): [string, string, Scenario] => [
    name,
    form,
    {
      server: () => new StubServer({ ...routes, ...others }).send,
      call: (rest) => call(new DiscoveryClient(rest), rest),
      mistake: /^deployments are cluster-scoped/,
    },
  ]),
);

describe.each(cases)('%s with %s discovery', { timeout: 30_000 }, (name, _, scenario) => {
  beforeAll(() => load(scenario));
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('settles, with an error of this package if any, whatever one of its responses is', async () => {
    expect((await requestsOf(scenario)).size).toBeGreaterThan(0);
    await expectNamedErrors(scenario, new Seeded(name.length), { values: 18, places: 12 });
  });
});
