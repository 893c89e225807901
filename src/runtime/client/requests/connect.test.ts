import { describe, expect, it } from 'vitest';
import { type ConnectFacts, type ConnectResource, defineConnect } from '../../api/resource.ts';
import type { APIRequest } from '../../api/transport.ts';
import { RESTClient } from '../../rest/client.ts';
import { encodeQuery } from '../../rest/request/query.ts';
import { type ConnectTarget, connectRequest } from './connect.ts';

const pods: Omit<ConnectFacts, 'subresource'> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  scope: 'Namespaced',
  methods: ['GET', 'POST'],
  path: false,
};
const exec: ConnectResource<{ command?: readonly string[]; stdin?: boolean }> = defineConnect({
  ...pods,
  subresource: 'exec',
});
const portForward: ConnectResource<{ ports?: readonly number[] }> = defineConnect({
  ...pods,
  subresource: 'portforward',
});
const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
const proxy: ConnectResource<object> = defineConnect({ ...pods, methods, subresource: 'proxy', path: true });
const nodeProxy: ConnectResource<object> = defineConnect({
  ...proxy,
  plural: 'nodes',
  scope: 'Cluster',
  methods: ['POST', 'PUT'],
});

function line({ method, path, query }: APIRequest): string {
  return `${method} ${path}${query.length === 0 ? '' : `?${encodeQuery(query)}`}`;
}

const at = { namespace: 'shop', name: 'web' };
const root = '/api/v1/namespaces/shop/pods';

describe('connectRequest', () => {
  it.each<{ given: APIRequest; want: string }>([
    {
      given: connectRequest(exec, at, { command: ['sh', '-c', 'a b'], stdin: true }),
      want: `GET ${root}/web/exec?command=sh&command=-c&command=a+b&stdin=true`,
    },
    { given: connectRequest(exec, { ...at, method: 'POST' }), want: `POST ${root}/web/exec` },
    {
      given: connectRequest(portForward, at, { ports: [80, 443] }),
      want: `GET ${root}/web/portforward?ports=80&ports=443`,
    },
    { given: connectRequest(proxy, at), want: `GET ${root}/web/proxy` },
    { given: connectRequest(proxy, { ...at, path: '/' }), want: `GET ${root}/web/proxy/` },
    {
      given: connectRequest(proxy, { ...at, name: 'https:web:8443', path: 'api/a b/?x/50%/' }),
      want: `GET ${root}/https%3Aweb%3A8443/proxy/api/a%20b/%3Fx/50%25/`,
    },
    {
      given: connectRequest(proxy, {
        ...at,
        name: 'web:http',
        path: '/a',
        query: { q: ['1', '2'] },
        method: 'HEAD',
      }),
      want: `HEAD ${root}/web%3Ahttp/proxy/a?q=1&q=2`,
    },
    {
      given: connectRequest(nodeProxy, { name: 'n1', path: 'logs' }),
      want: 'POST /api/v1/nodes/n1/proxy/logs',
    },
  ])('$want', ({ given, want }) => {
    expect(line(given)).toBe(want);
  });

  it('contains the operation and the common options', () => {
    const { signal } = new AbortController();
    const options = { signal, timeoutMs: 5, headers: { 'X-A': 'b' }, impersonate: { user: 'jane' } };
    expect(connectRequest(exec, at, options)).toEqual({
      method: 'GET',
      path: `${root}/web/exec`,
      query: [],
      headers: { accept: '*/*', 'x-a': 'b' },
      operation: { verb: 'connect', resource: 'pods/exec', ...at },
      stream: true,
      signal,
      timeoutMs: 5,
      impersonate: { user: 'jane' },
    });
  });

  it.each<{ resource: ConnectResource<object>; target: ConnectTarget; want: RegExp }>([
    { resource: exec, target: { name: 'web' }, want: /^pods\/exec needs the namespace/ },
    { resource: exec, target: { ...at, namespace: '' }, want: /^the namespace is empty/ },
    { resource: exec, target: { ...at, name: '..' }, want: /must not be '\.\.'/ },
    { resource: exec, target: { ...at, name: 'web:80' }, want: /takes a name without a port/ },
    { resource: exec, target: { ...at, path: 'a' }, want: /^pods\/exec takes no path/ },
    { resource: exec, target: { ...at, method: 'PUT' }, want: /not served by PUT: GET, POST/ },
    { resource: nodeProxy, target: at, want: /^nodes are cluster-scoped/ },
    {
      resource: proxy,
      target: { ...at, name: 'ftp:web:21' },
      want: /^name must be name, name:port or https:name:port/,
    },
    { resource: proxy, target: { ...at, name: ':80' }, want: /^name must be/ },
    {
      resource: proxy,
      target: { ...at, path: 'a/../../../secrets' },
      want: /must not contain the segment '\.\.'/,
    },
    { resource: proxy, target: { ...at, path: './a' }, want: /must not contain the segment '\.'/ },
  ])('throws TypeError: $want', ({ resource, target, want }) => {
    expect(() => connectRequest(resource, target)).toThrow(want);
    expect(() => connectRequest(resource, target)).toThrow(TypeError);
  });

  it('reads the response of a proxied server', async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('<h1>hi</h1>');
    }
    const rest = new RESTClient(
      { server: 'http://unused' },
      { transport: async () => ({ status: 200, headers: {}, body: body(), cancel: () => undefined }) },
    );
    const response = await rest.stream(connectRequest(proxy, { ...at, path: '/' }));
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('<h1>hi</h1>');
  });
});
