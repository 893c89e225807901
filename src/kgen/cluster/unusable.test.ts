import { expect, test } from 'vitest';
import { apiVersionOf } from '../common/names.ts';
import { formatProblem } from '../common/problems.ts';
import { parsePattern } from '../model/select.ts';
import {
  FakeCluster,
  failure,
  load,
  openapi,
  type Replies,
  type Reply,
  replies,
  temporaryFolder,
} from './cluster.fixture.ts';

const apps = '/openapi/v3/apis/apps/v1';
const left = 'warning: apps/v1 has no usable document and is left out: ';
const at = (path: string, reply: Reply): Replies => ({ ...replies(), [path]: reply });
const elsewhere: Reply = {
  body: {
    paths: {
      'api/v1': { serverRelativeURL: '/openapi/v3/api/v1' },
      'apis/apps/v1': { serverRelativeURL: 'https://elsewhere.example.com/openapi/v3/apis/apps/v1' },
    },
  },
};

test.each([
  {
    title: 'of something else',
    given: at(apps, { body: { swagger: '2.0' } }),
    want: `get ${apps}: the response is not an OpenAPI v3 document`,
  },
  {
    title: 'of another API',
    given: at(apps, openapi('other', 'apis/apps/v1beta1')),
    want: `get ${apps}: the document has no path of this group version`,
  },
  {
    title: 'without a path',
    given: at(apps, openapi('empty')),
    want: `get ${apps}: the document has no path of this group version`,
  },
  {
    title: 'at an address elsewhere',
    given: at('/openapi/v3', elsewhere),
    want: 'its address in the index of documents is not below /openapi/v3',
  },
])('drops a document $title with one warning, and its group version', async ({ given, want }) => {
  const { value, problems } = await load(new FakeCluster(given), { cacheFolder: temporaryFolder() });
  expect(problems.map(formatProblem)).toEqual([`${left}${want}`]);
  expect(value).toMatchObject({ partial: true, unread: [{ group: 'apps', kind: 'Deployment' }] });
  expect(value?.discovery.map(apiVersionOf)).toEqual(['v1', 'example.com/v1']);
});

test('ignores a document that is not selected', async () => {
  const include = [parsePattern('core') ?? { text: '*', group: '', version: '', kind: '' }];
  const cluster = new FakeCluster(at('/openapi/v3', elsewhere));
  const { value, problems } = await load(cluster, { cacheFolder: temporaryFolder(), include });
  expect(problems).toEqual([]);
  expect(value?.partial).toBeUndefined();
});

test.each<{ title: string; reply: Reply }>([
  { title: 'a page', reply: { type: 'text/html', body: '<!doctype html>' } },
  { title: 'nonsense', reply: { body: { major: [], minor: '{' } } },
  { title: 'a refusal', reply: failure(403, 'Forbidden') },
  { title: 'a list', reply: { body: [] } },
])('accepts $title in place of the version', async ({ reply }) => {
  const cluster = new FakeCluster(at('/version', reply));
  const { value, problems } = await load(cluster, { cacheFolder: temporaryFolder() });
  expect(problems).toEqual([]);
  expect(value?.documents).toHaveLength(2);
  expect(value?.kubernetesVersion).toBeUndefined();
});

test('reads OpenAPI v2 if v3 is forbidden', async () => {
  const given = {
    ...at('/openapi/v3', failure(403, 'Forbidden')),
    '/openapi/v2': { body: { swagger: '2.0', paths: {}, definitions: {} } },
  };
  const { value, problems } = await load(new FakeCluster(given), { cacheFolder: temporaryFolder() });
  expect(problems).toEqual([]);
  expect(value?.documents.map(({ file }) => file)).toEqual(['/openapi/v2']);
});

test('reads the types of discovery once', async () => {
  const keys = ['api', 'apis', 'version'];
  const paths = keys.map((key) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=X1` }] as const);
  const documents = keys.map((key) => [`/openapi/v3/${key}`, openapi(key)] as const);
  const cluster = new FakeCluster({
    ...at('/openapi/v3', { body: { paths: Object.fromEntries(paths) } }),
    ...Object.fromEntries(documents),
  });
  const cacheFolder = temporaryFolder();
  const requested = (): readonly string[] =>
    cluster.takeSent().filter((path) => /^\/openapi\/v3\//.test(path));
  await load(cluster, { cacheFolder });
  expect(requested()).toEqual(keys.map((key) => `/openapi/v3/${key}`));
  await load(cluster, { cacheFolder });
  expect(requested()).toEqual([]);
  const include = [parsePattern('*') ?? { text: '*', group: '', version: '', kind: '' }];
  await load(cluster, { cacheFolder: temporaryFolder(), include });
  expect(requested()).toEqual([]);
});
