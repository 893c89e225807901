import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../input/crd/crd-input.ts';
import { claim, content, described, operation, resourceIn, v2, v3 } from '../openapi.fixture.ts';
import type { DiscoveredGroupVersion } from '../types.ts';

const response = (name: string): JsonObject => ({ responses: { 200: content(name) } });
const strategic = {
  requestBody: {
    content: { 'application/json-patch+json': {}, 'application/strategic-merge-patch+json': {} },
  },
};
const query = (name: string, type = 'string'): JsonObject => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

const pod = 'v1/Pod';
const one = '/api/v1/namespaces/{namespace}/pods/{name}';
const paths: JsonObject = {
  '/api/v1/': { get: { responses: {} } },
  '/api/v1/watch/pods': { get: operation('watchlist', pod) },
  '/api/v1/watch/namespaces/{namespace}/pods/{name}': { get: operation('watch', pod) },
  '/api/v1/namespaces/{namespace}/pods': {
    get: operation('list', pod, response('core.PodList')),
    post: operation('post', pod, { requestBody: content('core.Pod', '*/*') }),
    delete: operation('deletecollection', pod, response('meta.Status')),
  },
  [one]: {
    get: operation('get', pod, response('core.Pod')),
    put: operation('put', pod),
    patch: operation('patch', pod, strategic),
    delete: operation('delete', pod, response('core.Pod')),
  },
  [`${one}/status`]: {
    patch: operation('patch', pod, { requestBody: content('meta.Patch'), ...response('core.Pod') }),
    put: operation('put', pod, { requestBody: content('core.Pod') }),
  },
  [`${one}/eviction`]: {
    post: operation('post', 'policy/v1/Eviction', { requestBody: content('policy.Eviction', '*/*') }),
  },
  [`${one}/evict`]: {
    get: operation('get', pod, response('core.Pod')),
    post: operation('post', 'policy/v1/Eviction', {
      requestBody: content('policy.Eviction'),
      ...response('meta.Status'),
    }),
  },
  [`${one}/report`]: { get: operation('get', pod, response('core.Pod')) },
  [`${one}/log`]: {
    parameters: [query('follow', 'boolean'), query('pretty'), { name: 'name', in: 'path' }],
    get: operation('get', pod, {
      parameters: [{ ...query('follow', 'boolean'), description: 'own' }],
      responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
    }),
  },
  [`${one}/exec`]: {
    parameters: [query('command'), query('tty', 'boolean')],
    get: operation('connect', 'v1/PodExecOptions'),
    post: operation('connect', 'v1/PodExecOptions'),
  },
  [`${one}/portforward`]: {
    parameters: [query('ports', 'integer')],
    get: operation('connect', 'v1/PodPortForwardOptions'),
  },
  [`${one}/proxy`]: { parameters: [query('path')], get: operation('connect', 'v1/PodProxyOptions') },
  [`${one}/proxy/{path}`]: {
    parameters: [{ name: 'path', in: 'path' }, query('path')],
    head: operation('connect', 'v1/PodProxyOptions'),
  },
  '/api/v1/namespaces': { get: operation('list', 'v1/Namespace'), post: operation('post', 'v1/Namespace') },
  '/api/v1/watch/namespaces/{name}': { get: operation('watch', 'v1/Namespace') },
  '/api/v1/namespaces/{name}': { get: operation('get', 'v1/Namespace') },
  '/api/v1/namespaces/{name}/finalize': { put: operation('put', 'v1/Namespace') },
  '/api/v1/namespaces/{namespace}/bindings': { post: operation('post', 'v1/Binding') },
  '/api/v1/pods': { get: operation('list', pod, response('core.PodList')) },
};
const schemas: JsonObject = {
  'core.Pod': claim(pod),
  'core.PodList': claim('v1/PodList'),
  'core.Namespace': claim('v1/Namespace'),
  'core.Binding': claim('v1/Binding'),
  'meta.Status': claim('v1/Status', 'apps/v1/Status'),
  'meta.Patch': { type: 'object' },
  'policy.Eviction': claim('policy/v1/Eviction'),
};

describe('resources from paths', () => {
  const result = described([v3(schemas, paths)]);

  test('have no problem', () => {
    expect(result.stated).toEqual([]);
    expect(result.api.groupVersions.map(({ group, version }) => [group, version])).toEqual([['', 'v1']]);
  });

  test('A18, A19, A33: have verbs from actions; all lists are one, and old watch paths add the verb watch', () => {
    expect(resourceIn(result, 'v1 pods')).toMatchObject({
      singular: 'pod',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      scope: 'Namespaced',
      verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete', 'deletecollection'],
      definition: 'core.Pod',
      listDefinition: 'core.PodList',
    });
  });

  test('A23: include a kind that can only be created', () => {
    expect(resourceIn(result, 'v1 bindings')).toMatchObject({
      scope: 'Namespaced',
      verbs: ['create'],
      strategicPatch: false,
    });
  });

  test('A28: have strategic merge patch beside other types', () => {
    expect(resourceIn(result, 'v1 pods')?.strategicPatch).toBe(true);
  });

  test('A34: treat a namespace as an object', () => {
    const namespaces = resourceIn(result, 'v1 namespaces');
    expect(namespaces).toMatchObject({ scope: 'Cluster', verbs: ['create', 'get', 'list'] });
    expect(namespaces?.subresources.map(({ name, verbs }) => [name, verbs])).toEqual([
      ['finalize', ['update']],
    ]);
  });

  const subresources: readonly { title: string; name: string; want: object }[] = [
    {
      title: 'A22: of the same kind; a patch is not what it takes',
      name: 'status',
      want: { verbs: ['update', 'patch'], definition: 'core.Pod', text: false, parameters: [] },
    },
    {
      title: 'A22, A29: of another kind',
      name: 'eviction',
      want: {
        kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
        verbs: ['create'],
        definition: 'policy.Eviction',
      },
    },
    {
      title: 'of a kind whose creation returns another',
      name: 'evict',
      want: { verbs: ['create', 'get'], definition: 'policy.Eviction', response: 'meta.Status' },
    },
    {
      title: 'that takes nothing is what it gives',
      name: 'report',
      want: { verbs: ['get'], definition: 'core.Pod' },
    },
    {
      title: 'A27, A32: text; parameters of the operation come before those of the path',
      name: 'log',
      want: {
        verbs: ['get'],
        text: true,
        parameters: [{ name: 'follow', type: 'boolean', list: false, description: 'own' }],
      },
    },
    {
      title: 'A24, A26: connections; argv is repeated',
      name: 'exec',
      want: {
        verbs: [],
        connect: { methods: ['GET', 'POST'], path: false },
        parameters: [
          { name: 'command', type: 'string', list: true },
          { name: 'tty', type: 'boolean', list: false },
        ],
      },
    },
    {
      title: 'A26: ports are repeated',
      name: 'portforward',
      want: { parameters: [{ name: 'ports', type: 'integer', list: true }] },
    },
    {
      title: 'A25: the path of a proxy stands in the path',
      name: 'proxy',
      want: { connect: { methods: ['GET', 'HEAD'], path: true }, parameters: [] },
    },
  ];
  test.each(subresources)('$title', ({ name, want }) => {
    const found = resourceIn(result, 'v1 pods')?.subresources.find((each) => each.name === name);
    expect(found).toMatchObject(want);
    expect(found?.definition === undefined).toBe(!('definition' in want));
    expect(found?.response === undefined).toBe(!('response' in want));
  });
});

describe('OpenAPI version 2', () => {
  test('A32: resolves shared parameters, bodies, responses and media types', () => {
    const path = '/apis/apps/v1/namespaces/{namespace}/sets/{name}';
    const kind = 'apps/v1/Set';
    const set = { $ref: '#/definitions/apps.Set' };
    const result = described([
      v2(
        { 'apps.Set': claim(kind) },
        {
          [path]: {
            parameters: [{ $ref: '#/parameters/since-1' }],
            patch: operation('patch', kind, { consumes: ['application/strategic-merge-patch+json'] }),
          },
          [`${path}/log`]: {
            parameters: [{ $ref: '#/parameters/since-1' }],
            get: operation('get', kind, { responses: { 200: { schema: { type: 'string' } } } }),
          },
          [`${path}/scale`]: {
            put: operation('put', 'autoscaling/v1/Scale', {
              parameters: [{ in: 'body', name: 'body', schema: set }],
            }),
          },
        },
        { parameters: { 'since-1': { name: 'since', in: 'query', type: 'integer' } } },
      ),
    ]);
    expect(result.stated).toEqual([]);
    expect(resourceIn(result, 'apps/v1 sets')).toMatchObject({
      strategicPatch: true,
      definition: 'apps.Set',
      subresources: [
        { name: 'log', text: true, parameters: [{ name: 'since', type: 'integer', list: false }] },
        { name: 'scale', definition: 'apps.Set' },
      ],
    });
  });
});

describe('discovery', () => {
  const discovered: DiscoveredGroupVersion = {
    group: '',
    version: 'v1',
    resources: [
      {
        plural: 'pods',
        singular: 'po',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        scope: 'Namespaced',
        verbs: ['watch', 'get'],
        shortNames: ['p'],
        categories: ['all'],
        subresources: [
          { name: 'log', kind: { group: '', version: 'v1', kind: 'Pod' }, verbs: ['get'] },
          {
            name: 'exec',
            kind: { group: '', version: 'v1', kind: 'PodExecOptions' },
            verbs: ['create', 'get'],
          },
        ],
      },
      {
        plural: 'ghosts',
        singular: 'ghost',
        kind: { group: '', version: 'v1', kind: 'Ghost' },
        scope: 'Cluster',
        verbs: ['get'],
        shortNames: [],
        categories: [],
        subresources: [],
      },
    ],
  };

  test('determines the served resources; paths add details', () => {
    const result = described([v3(schemas, paths)], { discovery: [discovered] });
    const [core] = result.api.groupVersions;
    expect(core?.resources.map(({ plural }) => plural)).toEqual(['ghosts', 'pods']);
    const [ghosts, pods] = core?.resources ?? [];
    expect(pods).toMatchObject({
      singular: 'po',
      verbs: ['get', 'watch'],
      shortNames: ['p'],
      categories: ['all'],
    });
    expect(pods).toMatchObject({ definition: 'core.Pod', strategicPatch: true });
    expect(pods?.listDefinition).toBeUndefined();
    expect(pods?.subresources).toMatchObject([
      { name: 'exec', verbs: [], connect: { methods: ['GET', 'POST'] } },
      { name: 'log', text: true },
    ]);
    expect(ghosts?.definition).toBeUndefined();
    expect(result.stated).toEqual([
      'warning: no document defines these kinds of v1, which are typed as unknown: "Ghost"',
    ]);
  });
});

describe('names of resources', () => {
  test.each([
    '/apis/../v1/things',
    '/apis/a.b/v1/Things',
    '/apis/a.b/__proto__/things',
    '/apis/a.b/v1/th*ings',
  ])('drops %s with a warning', (path) => {
    const result = described([
      v3({ T: claim('a.b/v1/T') }, { [path]: { get: operation('list', 'a.b/v1/T') } }),
    ]);
    expect(result.api.groupVersions).toEqual([]);
    expect(result.stated).toEqual([
      expect.stringMatching(/^v3\.json: warning: paths with names that cannot be used in code/),
    ]);
  });

  test('uses the kind of the response, or none, if no operation names it', () => {
    const list = { get: { 'x-kubernetes-action': 'get', ...response('core.Pod') } };
    const result = described([
      v3(schemas, {
        '/api/v1/pods/{name}': list,
        '/api/v1/odds': { get: { 'x-kubernetes-action': 'list' } },
      }),
    ]);
    expect(resourceIn(result, 'v1 pods')?.kind.kind).toBe('Pod');
    expect(result.stated).toEqual([expect.stringMatching(/no operation of v1 names the kind .*"odds"/)]);
  });
});

describe('two definitions of one kind', () => {
  const served = { '/apis/x.example.com/v1/things': { get: operation('list', 'x.example.com/v1/Thing') } };
  const kind = claim('x.example.com/v1/Thing');
  const cases: readonly { title: string; names: readonly string[]; want: string; stated: RegExp }[] = [
    {
      title: 'the one whose name fits is kept',
      names: ['a.b.Thing', 'com.example.x.v1.Thing'],
      want: 'com.example.x.v1.Thing',
      stated:
        /^v3\.json: error: the definitions "a\.b\.Thing", "com\.example\.x\.v1\.Thing" have the same kind, x\.example\.com\/v1 Thing/,
    },
    {
      title: 'no name fits',
      names: ['a.Thing', 'b.Thing'],
      want: 'a.Thing',
      stated: /error: the definitions "a\.Thing", "b\.Thing" have the same kind/,
    },
    {
      title: 'both names fit',
      names: ['a.x.v1.Thing', 'com.example.x.v1.Thing'],
      want: 'a.x.v1.Thing',
      stated: /error: the definitions/,
    },
  ];
  test.each(cases)('$title', ({ names, want, stated }) => {
    const result = described([v3(Object.fromEntries(names.map((name) => [name, kind])), served)]);
    expect(resourceIn(result, 'x.example.com/v1 things')?.definition).toBe(want);
    expect(result.stated).toEqual([expect.stringMatching(stated)]);
  });

  test('merges numbered copies', () => {
    const names = ['a.b.v1.Thing', 'a.b.v1.Thing_v2', 'a.b.v1.Thing_v3'];
    const result = described([v3(Object.fromEntries(names.map((name) => [name, kind])), served)]);
    expect(resourceIn(result, 'x.example.com/v1 things')?.definition).toBe('a.b.v1.Thing');
    expect(result.stated).toEqual([]);
  });
});
