/** The published API of a release, from a repository in memory. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { formatProblem } from '../common/problems.ts';
import { generate } from '../generate/generate.ts';
import type { JsonObject } from '../input/crd/crd-input.ts';
import type { FetchFunction } from '../input/sources/url.ts';
import { claim, operation, v3 } from '../openapi/openapi.fixture.ts';
import { loadRelease, type ReleaseOptions } from './release.ts';

const home = 'https://raw.githubusercontent.com/kubernetes/kubernetes/v1.33.0/api/';
const scope = { scope: 'Namespaced', singularResource: '', verbs: ['list'] };
const discovery = (version: string): JsonObject => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: `apidiscovery.k8s.io/${version}`,
  items: [
    {
      metadata: { name: 'apps' },
      versions: [
        {
          version: 'v1',
          resources: [{ ...scope, resource: 'deployments', responseKind: { kind: 'Deployment' } }],
        },
      ],
    },
  ],
});
const core = {
  kind: 'APIResourceList',
  groupVersion: 'v1',
  resources: [{ name: 'pods', singularName: 'pod', kind: 'Pod', namespaced: true, verbs: ['list'] }],
};
const pods = v3({ Pod: claim('v1/Pod') }, { '/api/v1/pods': { get: operation('list', 'v1/Pod') } });
const deployments = v3(
  { Deployment: claim('apps/v1/Deployment') },
  { '/apis/apps/v1/deployments': { get: operation('list', 'apps/v1/Deployment') } },
);
const version = v3({}, { '/version/': { get: {} } });

const published: Readonly<Record<string, unknown>> = {
  'discovery/aggregated_v2.json': discovery('v2'),
  'discovery/api__v1.json': core,
  'openapi-spec/v3/api__v1_openapi.json': pods.value,
  'openapi-spec/v3/apis__apps__v1_openapi.json': deployments.value,
  'openapi-spec/v3/version_openapi.json': version.value,
};

let cacheFolder = '';
beforeEach(() => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'kgen-release-'));
  onTestFinished(() => rmSync(cacheFolder, { recursive: true, force: true }));
});

/** Returns a `fetch` of a repository with the files, which records the requests. */
function repository(files: Readonly<Record<string, unknown>>, requested: string[] = []): FetchFunction {
  return async ({ href }) => {
    requested.push(href);
    const file = files[href.slice(home.length)];
    if (!href.startsWith(home) || file === undefined) return new Response('404', { status: 404 });
    return new Response(typeof file === 'string' ? file : JSON.stringify(file));
  };
}

/** Loads release 1.33 from files, and records the requests. */
async function load(files: Readonly<Record<string, unknown>>, more: Partial<ReleaseOptions> = {}) {
  const requested: string[] = [];
  const { value, problems } = await loadRelease({
    release: '1.33',
    needsDocuments: false,
    isIncluded: () => true,
    cacheFolder,
    fetch: repository(files, requested),
    ...more,
  });
  const kinds = value.api?.groupVersions.flatMap(({ resources }) => resources.map(({ kind }) => kind.kind));
  // Requests depend on cached responses, which are read in any order.
  return { value, requested: requested.sort(), kinds, stated: problems.map(formatProblem) };
}

const paths = (files: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(files)
    .map((path) => home + path)
    .sort();
const { 'openapi-spec/v3/version_openapi.json': _, ...ofGroups } = published;

test('reads discovery and the document of each group version, once', async () => {
  const first = await load(published);
  expect(first).toMatchObject({ stated: [], kinds: ['Pod', 'Deployment'], requested: paths(ofGroups) });
  expect(first.value.api?.kubernetesVersion).toBe('1.33');
  const again = await load({}, { release: 'v1.33.0' });
  expect(again).toMatchObject({ stated: [], kinds: first.kinds, requested: [] });
});

test('reads the other documents for types of paths, as far as they exist', async () => {
  const { requested, value } = await load(published, { needsDocuments: true });
  expect(requested).toEqual(
    expect.arrayContaining([...paths(published), `${home}openapi-spec/v3/apis__apps_openapi.json`]),
  );
  expect(value.documents.map(({ file }) => file)).toContain(`${home}openapi-spec/v3/version_openapi.json`);
});

test('reads older discovery of releases that lack the new one', async () => {
  const { 'discovery/aggregated_v2.json': __, ...rest } = published;
  const { kinds, stated } = await load({
    ...rest,
    'discovery/aggregated_v2beta1.json': discovery('v2beta1'),
  });
  expect({ kinds, stated }).toEqual({ kinds: ['Pod', 'Deployment'], stated: [] });
});

test('generates clients whose header names the release', async () => {
  vi.stubEnv('XDG_CACHE_HOME', cacheFolder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const out = join(cacheFolder, 'out');
  const { ok, groupVersions } = await generate({ kubernetes: '1.33', out, fetch: repository(published) });
  expect({ ok, groupVersions }).toMatchObject({
    ok: true,
    groupVersions: [{ group: '' }, { group: 'apps' }],
  });
  const header = readFileSync(join(out, 'apps/v1/index.ts'), 'utf8').split('\n')[0];
  expect(header).toMatch(/^\/\/ Generated by kgen \S+ for Kubernetes 1\.33\. DO NOT EDIT\.$/);
});

test('reads the release of the whole version', async () => {
  const { requested } = await load({}, { release: 'v1.33.4' });
  expect(requested[0]).toBe(`${home.replace('v1.33.0', 'v1.33.4')}discovery/aggregated_v2.json`);
});

const page = '<html>Sign in</html>';

test.each<[string, Readonly<Record<string, unknown>>, Partial<ReleaseOptions>, string]>([
  [
    'a release that does not exist',
    {},
    {},
    'error: Kubernetes has no release v1.33.0 with a published API \\(1.27 and later have one\\): correct --kubernetes',
  ],
  [
    'a page of a proxy',
    { ...published, 'openapi-spec/v3/api__v1_openapi.json': page },
    {},
    'error: the API of Kubernetes v1.33.0 cannot be read: .*api__v1_openapi.json is not the expected document: does a proxy respond\\?',
  ],
  [
    'a document of another sort',
    { 'discovery/aggregated_v2.json': pods.value },
    {},
    'aggregated_v2.json is not the expected document',
  ],
  [
    'a group version without a document',
    {
      'discovery/api__v1.json': core,
      'discovery/aggregated_v2.json': discovery('v2'),
      'openapi-spec/v3/api__v1_openapi.json': pods.value,
    },
    {},
    'the release has no document of apps/v1',
  ],
  [
    'no network',
    {},
    {
      fetch: () =>
        Promise.reject(
          new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) }),
        ),
    },
    'cannot be reached \\(ENOTFOUND\\).*behind a proxy set NODE_USE_ENV_PROXY=1, and without a network give saved documents with --openapi',
  ],
])('generates nothing and caches nothing for %s', async (_name, files, more, message) => {
  const { stated, value } = await load(files, more);
  expect(stated).toEqual([expect.stringMatching(message)]);
  expect(value).toEqual({ crds: [], documents: [], sources: 0, skipped: 0 });
  // The next run reads what is right.
  expect((await load(published)).stated).toEqual([]);
});

test('warns of a folder that cannot be written', async () => {
  const file = join(cacheFolder, 'file');
  writeFileSync(file, '');
  const { stated, kinds } = await load(published, { cacheFolder: file });
  expect(kinds).toEqual(['Pod', 'Deployment']);
  expect(stated).toEqual([expect.stringMatching('warning: the cache folder .* cannot be written')]);
  expect(readdirSync(cacheFolder)).toEqual(['file']);
});
