/** A fault of one group costs that group, whatever it is. */
import { TransportError } from '@kgen/runtime';
import type { Transport } from '@kgen/runtime/rest';
import { describe, expect, test } from 'vitest';
import { apiVersionOf } from '../common/names.ts';
import { formatProblem } from '../common/problems.ts';
import {
  crdsPath,
  FakeCluster,
  failure,
  load,
  type Replies,
  type Reply,
  replies,
  temporaryFolder,
} from './cluster.fixture.ts';
import { loadCluster } from './load.ts';

const apps = '/openapi/v3/apis/apps/v1';
const page: Reply = { type: 'text/html', body: '<!doctype html><title>Sign in</title>' };
const cut = new TransportError('the server closed the connection, in the middle of the response');
const kind = { 'x-kubernetes-group-version-kind': [{ group: 'apps', version: 'v1', kind: 'Deployment' }] };
const documentOf = (schemas: object): Reply => ({
  body: JSON.stringify({
    openapi: '3.0.0',
    paths: { '/apis/apps/v1/deployments': {} },
    components: { schemas },
  }),
});

const faults: readonly { readonly name: string; readonly reply: Reply }[] = [
  ...[400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504].map((status) => ({
    name: `status ${status}`,
    reply: failure(status, 'Fault'),
  })),
  { name: 'a page with status 502', reply: { ...page, status: 502 } },
  { name: 'a login page', reply: page },
  {
    name: 'a redirect',
    reply: { status: 302, body: '', headers: { location: 'https://login.example.com' } },
  },
  { name: 'JSON that is cut off', reply: { body: '{"openapi":"3.0.0",' } },
  { name: 'a connection that is cut off', reply: { body: '{"openapi":"3.0.0",', cut } },
  { name: 'nothing', reply: { body: '' } },
  {
    name: 'protobuf',
    reply: { type: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf', body: '\u0000k8s' },
  },
  { name: 'a list', reply: { body: [] } },
  { name: 'another document', reply: { body: { openapi: '3.0.0', paths: {} } } },
];

async function read(given: Replies): ReturnType<typeof load> {
  return load(new FakeCluster(given), { cacheFolder: temporaryFolder() });
}

describe.each(faults)('$name in place of the document of a group', ({ reply }) => {
  test('is one warning, and the group is left out', async () => {
    const { value, problems } = await read({ ...replies(), [apps]: reply });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(
        /^warning: apps\/v1 (?:does not respond|has no usable document) and is left out: /,
      ),
    ]);
    expect(value?.discovery.map(apiVersionOf)).toEqual(['v1', 'example.com/v1']);
    expect(value?.partial).toBe(true);
  });
});

describe.each([...faults, { name: 'a list of another type', reply: { body: { kind: 'Status' } } }])(
  '$name in place of the resources of a group in legacy discovery',
  ({ reply }) => {
    test('is one warning, and the group is left out', async () => {
      const resources = (name: string, plural: string, one: string): Reply => ({
        body: {
          kind: 'APIResourceList',
          groupVersion: name,
          resources: [{ name: plural, singularName: '', kind: one, namespaced: true, verbs: ['get'] }],
        },
      });
      const group = (name: string): object => ({
        name,
        versions: [{ groupVersion: `${name}/v1`, version: 'v1' }],
      });
      const { value, problems } = await read({
        ...replies(),
        '/api': { body: { kind: 'APIVersions', versions: ['v1'] } },
        '/apis': {
          body: JSON.stringify({ kind: 'APIGroupList', groups: [group('apps'), group('example.com')] }),
        },
        '/api/v1': resources('v1', 'pods', 'Pod'),
        '/apis/example.com/v1': resources('example.com/v1', 'widgets', 'Widget'),
        '/apis/apps/v1': reply,
      });
      expect(problems.map(formatProblem)).toEqual([
        expect.stringMatching(
          /^warning: apps\/v1 (?:does not respond|has no usable document) and is left out: /,
        ),
      ]);
      expect(value?.discovery.map(apiVersionOf)).toEqual(['v1', 'example.com/v1']);
      expect(value?.partial).toBe(true);
    });
  },
);

test.each(faults.filter(({ name }) => !/40[34]|another document|a list/.test(name)))(
  '$name in place of the definitions is a warning, and their kinds are read from OpenAPI',
  async ({ reply }) => {
    const { value, problems } = await read({ ...replies(), [crdsPath]: reply });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(
        /^warning: CustomResourceDefinitions cannot be listed, their kinds are read from OpenAPI: /,
      ),
    ]);
    expect(value?.documents.map(({ file }) => file)).toContain('/openapi/v3/apis/example.com/v1');
  },
);

test.each([
  {
    name: 'refers to nothing',
    schemas: { Deployment: { ...kind, properties: { a: { $ref: '#/components/schemas/None' } } } },
  },
  {
    name: 'consists of itself',
    schemas: { Deployment: { ...kind, allOf: [{ $ref: '#/components/schemas/Deployment' }] } },
  },
  {
    name: 'consists of another that consists of it',
    schemas: {
      Deployment: { ...kind, allOf: [{ $ref: '#/components/schemas/B' }] },
      B: { allOf: [{ $ref: '#/components/schemas/Deployment' }] },
    },
  },
  { name: 'exists twice', schemas: { Deployment: kind, Other: kind } },
])('a definition that $name is one warning for its group', async ({ schemas }) => {
  const cluster = new FakeCluster({ ...replies(), [apps]: documentOf(schemas) });
  const content = await load(cluster, { cacheFolder: temporaryFolder() });
  expect(content.problems).toEqual([]);
  const { value, problems } = await loadFrom(cluster);
  expect(problems.map(formatProblem).filter((line) => !line.includes('"Pod"'))).toEqual([
    expect.stringMatching(
      /^\/openapi\/v3\/apis\/apps\/v1: warning: apps\/v1 has no usable document and is left out: /,
    ),
  ]);
  expect(value.partial).toBe(true);
  expect(value.api?.groupVersions.map(({ group }) => group)).not.toContain('apps');
});

describe('the cluster', () => {
  test.each([
    {
      name: 'does not accept the credentials any more',
      fault: failure(401, 'Unauthorized'),
      want: 'error: the server does not accept the credentials (401)',
    },
    {
      name: 'does not respond any more',
      fault: { body: '', cut },
      want: 'error: the server closed the connection',
    },
  ])('ends the run if it $name', async ({ fault, want }) => {
    const given: Replies = { ...replies(), [apps]: fault };
    const { '/apis': groups } = given;
    let requested = 0;
    given['/apis'] = (request) => {
      requested += 1;
      if (requested > 1) return fault;
      return typeof groups === 'function' ? groups(request) : (groups ?? fault);
    };
    const { value, problems } = await read(given);
    expect(value).toBeUndefined();
    expect(problems.map(formatProblem)).toEqual([expect.stringContaining(want)]);
  });
});

describe('an index of documents that cannot be read', () => {
  const v2: Reply = { body: { swagger: '2.0', paths: {}, definitions: {} } };

  test.each([
    ...[500, 502, 503, 504].map((status) => ({ name: `status ${status}`, reply: failure(status, 'Fault') })),
    { name: 'a page', reply: page },
    { name: 'another value', reply: { body: { paths: 1 } } },
    { name: 'JSON that is cut off', reply: { body: '{"paths":' } },
  ])('is replaced by OpenAPI v2, with a warning: $name', async ({ reply }) => {
    const { value, problems } = await read({ ...replies(), '/openapi/v3': reply, '/openapi/v2': v2 });
    expect(problems.map(formatProblem)).toEqual([
      expect.stringMatching(/^warning: OpenAPI v3 cannot be read, and v2 is used/),
    ]);
    expect(value?.documents.map(({ file }) => file)).toEqual(['/openapi/v2']);
  });

  test('is requested again first', async () => {
    const given = replies();
    const index = given['/openapi/v3'];
    let requested = 0;
    given['/openapi/v3'] = (request) => {
      requested += 1;
      if (requested === 1) return { ...failure(503, 'ServiceUnavailable'), headers: { 'retry-after': '0' } };
      return typeof index === 'function' ? index(request) : (index ?? failure(404, 'NotFound'));
    };
    const { value, problems } = await read(given);
    expect(problems).toEqual([]);
    expect(value?.documents).toHaveLength(2);
  });
});

test('groups that do not respond are awaited at the same time, up to the limit', async () => {
  const hanging = Array.from({ length: 20 }, (_, index) => `apis/g${index}.example.com/v1`);
  const given = replies();
  given['/openapi/v3'] = {
    body: {
      paths: Object.fromEntries(
        ['api/v1', ...hanging].map((key) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=A1` }]),
      ),
    },
  };
  const cluster = new FakeCluster(given);
  let waiting = 0;
  let most = 0;
  const transport: Transport = (request) => {
    if (!request.path.includes('.example.com/v1') || !request.path.startsWith('/openapi')) {
      return cluster.transport(request);
    }
    waiting += 1;
    most = Math.max(most, waiting);
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => {
        waiting -= 1;
        reject(request.signal?.reason);
      });
    });
  };
  const { value, problems } = await load(
    { transport },
    { cacheFolder: temporaryFolder(), needsDocuments: true, timeoutMs: 50 },
  );
  expect(most).toBeGreaterThan(1);
  expect(value?.documents.map(({ file }) => file)).toEqual(['/openapi/v3/api/v1']);
  expect(problems.map(({ severity }) => severity)).toEqual(hanging.map(() => 'warning'));
});

async function loadFrom({ transport }: FakeCluster): ReturnType<typeof loadCluster> {
  const { writeFileSync } = await import('node:fs');
  const kubeconfig = `${temporaryFolder()}/config`;
  const config = {
    'current-context': 'fake',
    contexts: [{ name: 'fake', context: { cluster: 'fake' } }],
    clusters: [{ name: 'fake', cluster: { server: 'https://fake.invalid' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  return loadCluster({ kubeconfig, transport, cacheFolder: temporaryFolder(), needsDocuments: false });
}
