import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { apiVersionOf } from '../common/names.ts';
import { formatProblem } from '../common/problems.ts';
import { type Pattern, parsePattern } from '../model/select.ts';
import {
  crd,
  crdReplies,
  crdsPath,
  FakeCluster,
  failure,
  index,
  load,
  openapi,
  type Replies,
  replies,
  stale,
  temporaryFolder,
} from './cluster.fixture.ts';

type Loaded = Awaited<ReturnType<typeof load>>;

const files = ({ value }: Loaded): readonly string[] => (value?.documents ?? []).map(({ file }) => file);
const names = ({ value }: Loaded): readonly string[] => (value?.crds ?? []).map(({ name }) => name);
const versions = ({ value }: Loaded): readonly string[] => (value?.discovery ?? []).map(apiVersionOf);
const texts = ({ problems }: Loaded): readonly string[] => problems.map(formatProblem);
const patterns = (...all: readonly string[]): readonly Pattern[] =>
  all.flatMap((text) => parsePattern(text) ?? []);

const documents = ['/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1'];
const widgetsPath = `${crdsPath}/widgets.example.com`;
/** Small responses without hash or ETag. */
const always = ['/openapi/v3', '/version', crdsPath].sort();

async function loadFresh(
  given: Replies,
  options: Partial<Parameters<typeof load>[1]> = {},
): ReturnType<typeof load> {
  return load(new FakeCluster(given), { cacheFolder: temporaryFolder(), ...options });
}

describe('a cluster', () => {
  test('is read in full, with CRDs from their objects', async () => {
    const cluster = new FakeCluster(replies());
    const progress: string[] = [];
    const onProgress = (done: number, total: number): void => void progress.push(`${done}/${total}`);
    const loaded = await load(cluster, { cacheFolder: temporaryFolder(), onProgress });
    expect(texts(loaded)).toEqual([]);
    expect(files(loaded)).toEqual(documents);
    expect(names(loaded)).toEqual(['widgets.example.com']);
    expect(versions(loaded)).toEqual(['v1', 'apps/v1', 'example.com/v1']);
    expect(loaded.value?.kubernetesVersion).toBe('1.36');
    expect(loaded.value?.crds[0]?.input).toMatchObject({
      file: widgetsPath,
    });
    expect(cluster.takeSent()).toEqual([...always, '/api', '/apis', ...documents, widgetsPath].sort());
    expect(progress).toEqual(['1/2', '2/2']);
  });

  test('receives only read requests', async () => {
    const cluster = new FakeCluster(replies());
    await load(cluster, { cacheFolder: temporaryFolder(), needsDocuments: true });
    expect(new Set(cluster.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  test('returns all documents if the documents are needed', async () => {
    const loaded = await loadFresh(replies(), { needsDocuments: true, include: patterns('apps') });
    expect(files(loaded)).toEqual([
      '/openapi/v3/api/v1',
      '/openapi/v3/apis/apps',
      '/openapi/v3/apis/apps/v1',
      '/openapi/v3/apis/example.com/v1',
    ]);
  });

  test.each([
    { include: ['apps'], exclude: [], want: ['/openapi/v3/apis/apps/v1'], crds: [] },
    { include: ['*/*/Pod'], exclude: [], want: ['/openapi/v3/api/v1'], crds: [] },
    { include: [], exclude: ['core', 'apps/v1/Deployment'], want: [], crds: ['widgets.example.com'] },
    { include: ['nothing'], exclude: [], want: [], crds: [] },
  ])('is read only as far as patterns require: %o', async ({ include, exclude, want, crds }) => {
    const options = { include: patterns(...include), exclude: patterns(...exclude) };
    const loaded = await loadFresh(replies(), options);
    expect(loaded.value?.unread.length).toBe(3 - versions(loaded).length);
    expect({ files: files(loaded), crds: names(loaded), problems: loaded.problems }).toEqual({
      files: want,
      crds,
      problems: [],
    });
  });
});

describe('the cache', () => {
  test('avoids fetching documents of an unchanged cluster', async () => {
    const cluster = new FakeCluster(replies());
    const cacheFolder = temporaryFolder();
    const cold = await load(cluster, { cacheFolder });
    cluster.takeSent();
    const warm = await load(cluster, { cacheFolder });
    expect(cluster.takeSent()).toEqual(always);
    expect(JSON.stringify(warm)).toBe(JSON.stringify(cold));
  });

  test('fetches only changed documents again', async () => {
    const cluster = new FakeCluster(replies());
    const cacheFolder = temporaryFolder();
    await load(cluster, { cacheFolder });
    cluster.takeSent();
    Object.assign(cluster.replies, crdReplies([crd('widgets', 'Widget', 2)]), {
      '/openapi/v3': index({ 'api/v1': 'C0', 'apis/apps/v1': 'A9' }),
      '/openapi/v3/apis/apps/v1': openapi('changed', 'apis/apps/v1'),
    });
    const loaded = await load(cluster, { cacheFolder });
    expect(cluster.takeSent()).toEqual([...always, '/openapi/v3/apis/apps/v1', widgetsPath].sort());
    expect(loaded.value?.documents[1]?.value['info']).toMatchObject({ title: 'changed' });
    expect(loaded.value?.crds[0]?.versions[0]?.schema).toMatchObject({ description: 'generation 2' });
  });

  test('is ignored if it is malformed', async () => {
    const cluster = new FakeCluster(replies());
    const cacheFolder = temporaryFolder();
    const cold = await load(cluster, { cacheFolder });
    const all = cluster.takeSent();
    const folder = join(cacheFolder, readdirSync(cacheFolder)[0] ?? '');
    const entries = readdirSync(folder).map((name) => join(folder, name));
    expect(entries).toHaveLength(5);
    for (const entry of entries) {
      const bytes = readFileSync(entry);
      writeFileSync(entry, entry.length % 2 === 0 ? bytes.subarray(0, -1) : Buffer.concat([bytes, bytes]));
    }
    const again = await load(cluster, { cacheFolder });
    expect(cluster.takeSent()).toEqual(all);
    expect(JSON.stringify(again)).toBe(JSON.stringify(cold));
  });

  test('is readable by its owner only and has no credentials', async () => {
    const cacheFolder = join(temporaryFolder(), 'made');
    await load(new FakeCluster(replies()), { cacheFolder });
    const found = readdirSync(cacheFolder, { recursive: true, encoding: 'utf8' }).map((name) =>
      join(cacheFolder, name),
    );
    const modes = [cacheFolder, ...found].map((path) => {
      const stat = statSync(path);
      return `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o777).toString(8)}`;
    });
    expect([...new Set(modes)].sort()).toEqual(['file 600', 'folder 700']);
    expect(found.every((path) => /\/[0-9a-f]{64}$/.test(path))).toBe(true);
    const contents = found
      .filter((path) => statSync(path).isFile())
      .map((path) => readFileSync(path, 'utf8'));
    expect(contents.filter((text) => text.includes('secret-token'))).toEqual([]);
  });

  test('causes a warning if it cannot be written', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const loaded = await load(new FakeCluster(replies()), { cacheFolder: file });
    expect(files(loaded)).toEqual(documents);
    expect(texts(loaded)).toEqual([
      `warning: the cache folder ${file} cannot be written (ENOTDIR): each run reads everything again`,
    ]);
  });
});

describe('a group that does not respond', () => {
  const down = failure(503, 'ServiceUnavailable');
  test.each([
    { name: 'as its document states', more: {}, apps: down, want: 'it is ServiceUnavailable' },
    {
      name: 'as its document is forbidden',
      more: {},
      apps: failure(403, 'Forbidden'),
      want: 'it is Forbidden',
    },
    { name: 'as discovery and document say', more: stale, apps: down, want: 'it is ServiceUnavailable' },
    {
      name: 'as discovery states, which does not list it',
      more: { ...stale, resources: [] },
      apps: down,
      want: 'its resources are unknown and it is left out',
    },
  ])('$name', async ({ more, apps, want }) => {
    const loaded = await loadFresh({ ...replies(more), '/openapi/v3/apis/apps/v1': apps });
    expect(loaded.problems).toMatchObject([
      { severity: 'warning', what: expect.stringContaining('apps/v1') },
    ]);
    expect(loaded.problems[0]?.what).toContain(want);
    expect(versions(loaded)).toEqual(['v1', 'example.com/v1']);
    expect(files(loaded)).toEqual(['/openapi/v3/api/v1']);
    expect(loaded.value?.partial).toBe(true);
  });

  test('causes a warning, up to a limit', async () => {
    const groups = Array.from({ length: 130 }, (_, index) => ({
      name: `g${index}.io`,
      versions: [{ groupVersion: `g${index}.io/v1` }],
    }));
    const loaded = await loadFresh({ ...replies(), '/apis': { body: { kind: 'APIGroupList', groups } } });
    expect(loaded.problems).toHaveLength(101);
    expect(texts(loaded)).toContainEqual(expect.stringContaining('30 more warnings'));
  });

  test('is used from its last known discovery', async () => {
    const loaded = await loadFresh(replies(stale));
    expect(texts(loaded)).toEqual([expect.stringContaining('warning: apps/v1 is stale')]);
    expect(versions(loaded)).toContain('apps/v1');
  });

  test('causes no warning if it is not selected', async () => {
    const loaded = await loadFresh(replies(stale), { exclude: patterns('apps') });
    expect(texts(loaded)).toEqual([]);
    expect(loaded.value).not.toHaveProperty('partial');
  });
});

test('drops a malformed discovery entry with an error and keeps the others', async () => {
  const items = [{ metadata: { name: 'apps' }, versions: 'v1' }];
  const broken = { body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items } };
  const loaded = await loadFresh({ ...replies(), '/apis': broken });
  expect(texts(loaded)).toEqual([expect.stringContaining('/apis: error: items[0].versions is')]);
  expect(versions(loaded)).toEqual(['v1']);
});

describe('CRDs', () => {
  test('are read from OpenAPI, without a warning, if listing is forbidden', async () => {
    const loaded = await loadFresh({ ...replies(), [crdsPath]: failure(403, 'Forbidden') });
    expect(texts(loaded)).toEqual([]);
    expect(names(loaded)).toEqual([]);
    expect(files(loaded)).toEqual([...documents, '/openapi/v3/apis/example.com/v1']);
  });

  test('are read from OpenAPI if they can be listed but not read', async () => {
    const loaded = await loadFresh({ ...replies(), [widgetsPath]: failure(403, 'Forbidden') });
    expect(texts(loaded)).toEqual([]);
    expect(files(loaded)).toEqual([...documents, '/openapi/v3/apis/example.com/v1']);
  });

  test('are left out until they are established', async () => {
    const cluster = new FakeCluster({ ...replies(), ...crdReplies([crd('widgets', 'Widget', 1, 'False')]) });
    const cacheFolder = temporaryFolder();
    expect(names(await load(cluster, { cacheFolder }))).toEqual([]);
    Object.assign(cluster.replies, crdReplies([crd('widgets', 'Widget')]));
    expect(names(await load(cluster, { cacheFolder }))).toEqual(['widgets.example.com']);
  });

  test('are read from OpenAPI, with a warning, if kgen does not support them', async () => {
    const broken = { ...crd('widgets', 'Widget'), spec: { group: 'example.com' } };
    const loaded = await loadFresh({ ...replies(), ...crdReplies([broken]) });
    expect(loaded.problems.length).toBeGreaterThan(0);
    expect(loaded.problems.every(({ severity }) => severity === 'warning')).toBe(true);
    expect(files(loaded)).toContain('/openapi/v3/apis/example.com/v1');
  });

  test('are left out if their schema has endless depth', async () => {
    const depth = 200_000;
    const deep = `${'{"properties":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const text = JSON.stringify(crd('widgets', 'Widget')).replace('"type":"object"', `"not":${deep}`);
    const loaded = await loadFresh({ ...replies(), [widgetsPath]: { body: text } });
    expect(names(loaded)).toEqual([]);
    expect(files(loaded)).toContain('/openapi/v3/apis/example.com/v1');
  });

  test('are read with one request in large number, and afterwards from the cache', async () => {
    const many = Array.from({ length: 40 }, (_, index) => crd(`kind${index}s`, `Kind${index}`));
    const cluster = new FakeCluster({ ...replies(), ...crdReplies(many) });
    const cacheFolder = temporaryFolder();
    expect(names(await load(cluster, { cacheFolder }))).toHaveLength(40);
    expect(cluster.takeSent().filter((path) => path.startsWith(crdsPath))).toEqual([crdsPath, crdsPath]);
    expect(names(await load(cluster, { cacheFolder }))).toHaveLength(40);
    expect(cluster.takeSent().filter((path) => path.startsWith(crdsPath))).toEqual([crdsPath]);
  });

  test('are read one by one if their pages never end', async () => {
    const many = Array.from({ length: 40 }, (_, index) => crd(`kind${index}s`, `Kind${index}`));
    const all = { ...replies(), ...crdReplies(many) };
    const listing = all[crdsPath];
    let pages = 0;
    all[crdsPath] = (request) => {
      const isMetadata = request.headers['accept']?.includes('PartialObjectMetadataList') === true;
      if (isMetadata && typeof listing === 'function') return listing(request);
      pages += 1;
      return {
        body: { kind: 'CustomResourceDefinitionList', metadata: { continue: `t${pages}` }, items: [] },
      };
    };
    const cluster = new FakeCluster(all);
    const loaded = await load(cluster, { cacheFolder: temporaryFolder() });
    expect(texts(loaded)).toEqual([]);
    expect(names(loaded)).toHaveLength(40);
    expect(pages).toBe(100);
  });

  test('keep every digit of their numbers, from the server and from the cache', async () => {
    const text = JSON.stringify(crd('widgets', 'Widget')).replace(
      '"type":"object"',
      '"type":"object","maximum":9007199254740993',
    );
    const cluster = new FakeCluster({ ...replies(), [widgetsPath]: { body: text } });
    const cacheFolder = temporaryFolder();
    for (const _ of ['cold', 'warm']) {
      const { value } = await load(cluster, { cacheFolder });
      expect(value?.crds[0]?.versions[0]?.schema).toMatchObject({ maximum: 9007199254740993n });
    }
    expect(cluster.sent.filter((path) => path === widgetsPath)).toHaveLength(1);
  });
});

describe('older servers', () => {
  const legacy: Replies = {
    '/api': { body: { kind: 'APIVersions', versions: ['v1'] } },
    '/apis': {
      body: {
        kind: 'APIGroupList',
        groups: [
          { name: 'apps', versions: [{ groupVersion: 'apps/v1' }] },
          { name: 'down', versions: [{ groupVersion: 'down.io/v1' }] },
        ],
      },
    },
    '/api/v1': {
      body: {
        kind: 'APIResourceList',
        groupVersion: 'v1',
        resources: [{ name: 'pods', namespaced: true, kind: 'Pod', verbs: ['get'] }],
      },
    },
    '/apis/apps/v1': {
      body: {
        kind: 'APIResourceList',
        groupVersion: 'apps/v1',
        resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs: ['get'] }],
      },
    },
    '/apis/down.io/v1': failure(503, 'ServiceUnavailable'),
  };

  test('are read by discovery of one group version at a time', async () => {
    const loaded = await loadFresh({ ...replies(), ...legacy });
    expect(texts(loaded)).toEqual([
      expect.stringContaining(
        'warning: down.io/v1 does not respond and is left out: get /apis/down.io/v1: 503',
      ),
    ]);
    expect(versions(loaded)).toEqual(['v1', 'apps/v1']);
    expect(files(loaded)).toEqual(documents);
  });

  test.each([
    { name: '404', v3: failure(404, 'NotFound') },
    { name: '406', v3: failure(406, 'NotAcceptable') },
    { name: 'an empty index', v3: index({}) },
  ])('without OpenAPI v3 ($name) are read from v2, which is cached', async ({ v3 }) => {
    const v2 = { etag: '"two"', body: { swagger: '2.0', paths: {}, definitions: {} } };
    const cluster = new FakeCluster({ ...replies(), '/openapi/v3': v3, '/openapi/v2': v2 });
    const cacheFolder = temporaryFolder();
    const cold = await load(cluster, { cacheFolder });
    expect(cold.value?.documents).toMatchObject([{ dialect: 2, file: '/openapi/v2' }]);
    cluster.takeSent();
    const warm = await load(cluster, { cacheFolder });
    expect(cluster.takeSent()).not.toContain('/openapi/v2');
    expect(JSON.stringify(warm)).toBe(JSON.stringify(cold));
  });

  test('are read without a core group', async () => {
    const loaded = await loadFresh({ ...replies(), '/api': failure(404, 'NotFound') });
    expect(versions(loaded)).toEqual(['apps/v1', 'example.com/v1']);
  });

  test('use the current document if it changed during the run', async () => {
    const moved: Replies = {
      '/openapi/v3/api/v1': ({ query }) =>
        query.length > 0 ? { status: 301, body: '' } : openapi('new', 'api/v1'),
    };
    const loaded = await loadFresh({ ...replies(), ...moved });
    expect(loaded.value?.documents[0]?.value['info']).toMatchObject({ title: 'new' });
  });
});
