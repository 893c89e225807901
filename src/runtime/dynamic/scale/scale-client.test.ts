import { describe, expect, it, vi } from 'vitest';
import { isTimeoutError } from '../../api/errors.ts';
import { isNotFound } from '../../api/failure-reasons.ts';
import type { ResourceFacts } from '../../api/resource.ts';
import { isNoMatch } from '../../discovery/mapping/errors.ts';
import { type RecordedResponse, recorder } from '../recorder.fixture.ts';
import { ScaleClient } from './scale-client.ts';
import type { MappedSubresources, ResourceMapper, ScaleVerbs } from './scale-types.ts';

const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const old = { group: 'extensions', version: 'v1beta1', resource: 'deployments' };
const path = '/apis/apps/v1/namespaces/shop/deployments/web/scale';
const oldPath = '/apis/extensions/v1beta1/namespaces/shop/deployments/web/scale';
const json = 'application/json';
const merge = 'application/merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

const metadata = { name: 'web', namespace: 'shop', resourceVersion: '5' };
const web = { namespace: 'shop', name: 'web' };
const scale = {
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata,
  spec: { replicas: 2 },
  status: { replicas: 1, selector: 'app=web' },
} as const;
const oldScale = {
  ...scale,
  apiVersion: 'extensions/v1beta1',
  status: { replicas: 1, selector: { app: 'web' }, targetSelector: 'app=web' },
};

/** The scale of the same kind in another form. */
const sentScale = { ...scale, metadata: { name: 'web', namespace: 'shop' }, status: undefined };

const mapped = (over: Partial<MappedSubresources> = {}): MappedSubresources => ({
  resource: deployments,
  kind: { group: 'apps', version: 'v1', kind: 'Deployment' },
  scope: 'Namespaced',
  ...over,
});

const facts: ResourceFacts = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  listKind: 'DeploymentList',
  plural: 'deployments',
  singular: 'deployment',
  scope: 'Namespaced',
  verbs: [],
};

function mapperOf(found: MappedSubresources): ResourceMapper & { readonly requested: unknown[] } {
  const requested: unknown[] = [];
  const mappingFor: ResourceMapper['mappingFor'] = async (...args) => {
    requested.push(args);
    return found;
  };
  return { requested, mappingFor };
}

function client(mapper: ResourceMapper | undefined, ...responses: readonly RecordedResponse[]) {
  const { rest, requests } = recorder(...responses);
  return { scales: new ScaleClient(rest, mapper), requests };
}

type ClientCall = (scales: ScaleVerbs) => Promise<unknown>;

const by = { fieldManager: 'me' };

describe('requests for scales', () => {
  it.each<[string, ClientCall, readonly [line: string, type?: string, body?: unknown]]>([
    ['get', (s) => s.get(deployments, web), [`GET ${path}`]],
    [
      'get of a cluster-scoped object',
      (s) => s.get(deployments, { name: 'web' }),
      ['GET /apis/apps/v1/deployments/web/scale'],
    ],
    ['get of a descriptor', (s) => s.get({ ...facts, plural: 'deployments' }, web), [`GET ${path}`]],
    [
      'get in the core group, named core',
      (s) => s.get({ group: 'core', version: 'v1', resource: 'things' }, web),
      ['GET /api/v1/namespaces/shop/things/web/scale'],
    ],
    [
      'get of a descriptor in the core group, named core',
      (s) => s.get({ ...facts, group: 'core', plural: 'things' }, web),
      ['GET /api/v1/namespaces/shop/things/web/scale'],
    ],
    ['get of a mapping', (s) => s.get(mapped(), web), [`GET ${path}`]],
    [
      'get of a resource named with its scope',
      (s) => s.get({ ...deployments, scope: 'Cluster' }, { name: 'web' }),
      ['GET /apis/apps/v1/deployments/web/scale'],
    ],
    [
      'update',
      (s) => s.update(deployments, scale, { dryRun: 'All' }),
      [`PUT ${path}?dryRun=All`, json, scale],
    ],
    [
      'patch',
      (s) => s.patch(deployments, web, { spec: { replicas: 3 } }),
      [`PATCH ${path}`, merge, { spec: { replicas: 3 } }],
    ],
    [
      'JSON patch',
      (s) =>
        s.patch(deployments, web, [{ op: 'replace', path: '/spec/replicas', value: 3 }], { type: 'json' }),
      [`PATCH ${path}`, 'application/json-patch+json', [{ op: 'replace', path: '/spec/replicas', value: 3 }]],
    ],
    [
      'apply',
      (s) => s.apply(deployments, { metadata: { ...web }, spec: { replicas: 3 } }, by),
      [
        `PATCH ${path}?fieldManager=me&force=false`,
        applyPatch,
        { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: web, spec: { replicas: 3 } },
      ],
    ],
    ['get of an old group', (s) => s.get(old, web), [`GET ${oldPath}`]],
    [
      'update of an old group',
      (s) => s.update(old, scale),
      [
        `PUT ${oldPath}`,
        json,
        { ...scale, apiVersion: 'extensions/v1beta1', status: { replicas: 1, targetSelector: 'app=web' } },
      ],
    ],
    [
      'update of an old group without a status',
      (s) => s.update(old, { metadata: { ...web }, spec: { replicas: 3 } }),
      [
        `PUT ${oldPath}`,
        json,
        { apiVersion: 'extensions/v1beta1', kind: 'Scale', metadata: web, spec: { replicas: 3 } },
      ],
    ],
    [
      'apply of an old group',
      (s) => s.apply(old, { metadata: { ...web }, spec: { replicas: 3 } }, by),
      [
        `PATCH ${oldPath}?fieldManager=me&force=false`,
        applyPatch,
        { apiVersion: 'extensions/v1beta1', kind: 'Scale', metadata: web, spec: { replicas: 3 } },
      ],
    ],
  ])('%s', async (_, request, [line, type, body]) => {
    const { scales, requests } = client(undefined, { value: scale });
    await request(scales);
    expect(requests).toEqual([{ line, accept: json, type, body }]);
  });
});

describe('a resource name with a scope', () => {
  it('throws for a namespace that contradicts the scope', async () => {
    const { scales, requests } = client(undefined, { value: scale });
    await expect(scales.get({ ...deployments, scope: 'Cluster' }, web)).rejects.toThrow(
      'deployments are cluster-scoped',
    );
    expect(requests).toEqual([]);
  });
});

describe('responses of the scale client', () => {
  it.each<[string, object, object]>([
    ['of autoscaling/v1', scale, scale],
    ['of an old group', oldScale, scale],
    [
      'of an old group with a map alone',
      { ...oldScale, status: { replicas: 1, selector: { app: 'web', a: 'b' } } },
      { ...scale, status: { replicas: 1, selector: 'a=b,app=web' } },
    ],
    [
      'with a selector that cannot be a map',
      { ...oldScale, status: { replicas: 1, selector: { app: 'web' }, targetSelector: 'app in (a,b)' } },
      { ...scale, status: { replicas: 1, selector: 'app in (a,b)' } },
    ],
    ['without a selector', { ...scale, status: { replicas: 0 } }, { ...scale, status: { replicas: 0 } }],
    ['without a status', { ...scale, status: undefined }, { ...scale, status: undefined }],
  ])('%s are of autoscaling/v1', async (_, value, want) => {
    const { scales } = client(undefined, { value });
    expect(await scales.get(old, web)).toEqual(want);
  });

  it('reject for resources without a scale', async () => {
    const { scales } = client(undefined, { status: 404, text: '404 page not found' });
    await expect(scales.get(deployments, web)).rejects.toSatisfy(isNotFound);
  });
});

describe('a scaled resource without a version', () => {
  const apps = { group: 'apps', resource: 'deployments' };

  it('is looked up, and its scale has the kind of the response', async () => {
    const kind = { group: 'apps', version: 'v1beta2', kind: 'Scale' };
    const mapper = mapperOf(mapped({ subresources: new Map([['scale', { kind }]]) }));
    const { scales, requests } = client(mapper, { value: { ...oldScale, apiVersion: 'apps/v1beta2' } });
    expect(await scales.update(apps, scale)).toEqual(scale);
    expect(mapper.requested).toEqual([[apps, { signal: undefined, timeoutMs: undefined }]]);
    expect(requests[0]).toMatchObject({ line: `PUT ${path}`, body: { apiVersion: 'apps/v1beta2' } });
  });

  it('is looked up in the core group, named core', async () => {
    const core = mapped({ resource: { group: '', version: 'v1', resource: 'things' } });
    const { scales, requests } = client(mapperOf(core), { value: scale });
    await scales.get({ group: 'core', resource: 'things' }, web);
    expect(requests[0]?.line).toBe('GET /api/v1/namespaces/shop/things/web/scale');
  });

  it('requires a namespace if it is namespaced only', async () => {
    const namespaced = client(mapperOf(mapped()), { value: scale });
    await expect(namespaced.scales.get(apps, { name: 'web' })).rejects.toThrow(
      /deployments are namespaced: the namespace to get in is missing/,
    );
    const cluster = client(mapperOf(mapped({ scope: 'Cluster' })), { value: scale });
    await expect(cluster.scales.get(apps, web)).rejects.toThrow(/are cluster-scoped/);
    expect(namespaced.requests).toEqual([]);
    expect(cluster.requests).toEqual([]);
    await cluster.scales.get(apps, { name: 'web' });
    expect(cluster.requests[0]?.line).toBe('GET /apis/apps/v1/deployments/web/scale');
  });

  it('is scaled in another version if the preferred one has no scale', async () => {
    const beta = { ...deployments, version: 'v1beta3' };
    const scalable = mapped({
      resource: beta,
      subresources: new Map([['scale', { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' } }]]),
    });
    const other = mapped({ ...scalable, resource: { ...beta, resource: 'deploymentsets' } });
    const preferred = mapped({ subresources: new Map() });
    const mapper = { ...mapperOf(preferred), mappingsFor: async () => [preferred, other, scalable] };
    const { scales, requests } = client(mapper, { value: scale });
    expect(await scales.get(apps, web)).toEqual(scale);
    expect(requests.map(({ line }) => line)).toEqual([`GET ${path.replace('v1', 'v1beta3')}`]);
  });

  it('throws NoMatchError without a scale in any version', async () => {
    const mapper = mapperOf(mapped({ subresources: new Map() }));
    const absent = { kind: 'Status', reason: 'NotFound', message: 'deployments.apps "web" not found' };
    const refused = client(mapper, {
      status: 404,
      value: { ...absent, code: 404, details: { name: 'web' } },
    });
    const failure = await refused.scales.get(apps, web).catch((error) => error);
    expect(isNoMatch(failure)).toBe(true);
    expect(failure.message).toBe('the server has no scale of deployments (apps/v1)');
    const since = client(mapper, { value: scale });
    expect(await since.scales.get(apps, web)).toEqual(scale);
  });

  it('is not confused with one of another group', async () => {
    const { scales, requests } = client(mapperOf(mapped()), { value: scale });
    await expect(scales.get({ group: 'app', resource: 'deployments' }, web)).rejects.toThrow(
      /no resource deployments in group "app".*deployments \(apps\/v1\)/,
    );
    expect(requests).toEqual([]);
  });

  it('is looked up by an own mapper by default', async () => {
    const { scales, requests } = client(undefined, { status: 404, text: '404 page not found' });
    await expect(scales.get(apps, web)).rejects.toThrow();
    expect(requests.map(({ line }) => line)).toContain('GET /apis');
  });
});

describe('throws before any request', () => {
  it.each<[string, ClientCall, RegExp]>([
    // @ts-expect-error a name is needed
    ['for an update without a name', (s) => s.update(deployments, { metadata: {} }), /metadata.name/],
    [
      'for an empty name',
      (s) => s.get(deployments, { ...web, name: '' }),
      /name of the object of deployments is empty/,
    ],
    [
      'for an empty namespace',
      (s) => s.get(deployments, { ...web, namespace: '' }),
      /the namespace of deployments is empty/,
    ],
    [
      'for an apply without a manager',
      (s) => s.apply(deployments, { metadata: { ...web } }, {}),
      /fieldManager/,
    ],
  ])('%s', async (_, request, message) => {
    const { scales, requests } = client(undefined, { value: sentScale });
    await expect(request(scales)).rejects.toThrow(message);
    expect(requests).toEqual([]);
  });

  it('counts discovery in timeoutMs', async () => {
    vi.useFakeTimers();
    const slow: ResourceMapper = {
      mappingFor: async () => {
        await vi.advanceTimersByTimeAsync(60);
        return mapped();
      },
    };
    const { rest } = recorder({ lines: [] });
    const call = new ScaleClient(rest, slow).get({ group: 'apps', resource: 'deployments' }, web, {
      timeoutMs: 100,
    });
    const settled = vi.fn();
    call.then(settled, settled);
    await vi.dynamicImportSettled();
    await vi.advanceTimersByTimeAsync(39);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(call).rejects.toSatisfy(isTimeoutError);
    vi.useRealTimers();
  });
});
