import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start } from '../client.fixture.ts';
import type { ProgramContainer } from '../controllers/kubelet/programs.ts';
import type { ContainerAction, PodRule, TestServer } from '../index.ts';

const root = '/api/v1/namespaces/default';

/** Responds with the request, its container and its pod; refuses port 1, and fails on the path `/fail`. */
const program: PodRule = {
  *handle({ name, pod }: ProgramContainer, { cause, type, spec, stdout }: ContainerAction) {
    if (type !== 'http') return 0;
    // seam: the specification of a request.
    const { port, method, path, body } = spec as Readonly<Record<string, string>>;
    if (Number(port) === 1) throw new Error('no route');
    yield 50;
    if (path === '/fail') return 3;
    if (path === '/page') stdout('<a href="/next">x</a> <a href="//other/x">y</a><img src=/a cite=\'/b\'>');
    else stdout([cause, pod, name, port, method, path, body].join(' '));
    return path === '/gone' ? 410 : 0;
  },
};

const containers = [
  { name: 'a', image: 'a', ports: [{ containerPort: 8_080 }] },
  { name: 'b', image: 'b', ports: [{ containerPort: 9_090, name: 'metrics' }] },
];

async function startWith(rules: readonly PodRule[]): Promise<TestServer> {
  const metadata = { name: 'web-0', namespace: 'default', labels: { app: 'web' } };
  const objects = [
    { ...{ apiVersion: 'v1', kind: 'Pod', metadata }, ...{ spec: { containers } } },
    {
      ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' } },
      spec: {
        selector: { app: 'web' },
        ports: [
          { name: 'http', port: 80, targetPort: 8_080 },
          { name: 'metrics', port: 81, targetPort: 'metrics' },
        ],
      },
    },
  ];
  const server = await start({ controllers: true, pods: rules, objects });
  const ready = async (): Promise<string> => (await get(server, '/services/web:http/proxy/x')).text;
  await expect.poll(ready).not.toMatch(/no endpoints|not found/);
  return server;
}

interface Got {
  readonly code: number;
  readonly text: string;
  readonly headers: Headers;
}

async function get(server: TestServer, path: string, options: RequestInit = {}): Promise<Got> {
  const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
  const response = await fetch(server.url + root + path, { headers, redirect: 'manual', ...options });
  return { code: response.status, text: await response.text(), headers: response.headers };
}

describe('the proxy of a pod or a service', () => {
  test('sends requests to the program of a container', async () => {
    const server = await startWith([program]);
    const rows = [
      ['/pods/web-0/proxy/', 200, 'request web-0 a 8080 GET / '],
      ['/pods/web-0:9090/proxy/x/y?a=b&c=%20d', 200, 'request web-0 b 9090 GET /x/y?a=b&c=+d '],
      ['/pods/http:web-0:7/proxy/a%20b', 200, 'request web-0 a 7 GET /a%20b '],
      ['/services/web:80/proxy/', 200, 'request web-0 a 8080 GET / '],
      ['/services/web:metrics/proxy/x/', 200, 'request web-0 b 9090 GET /x/ '],
      ['/pods/web-0/proxy/gone', 410, 'request web-0 a 8080 GET /gone '],
      ['/pods/web-0/proxy/fail', 500, ''],
      [
        '/pods/web-0/proxy/page',
        200,
        `<a href="${root}/pods/web-0/proxy/next">x</a> <a href="//other/x">y</a><img src=${root}/pods/web-0/proxy/a cite='${root}/pods/web-0/proxy/b'>`,
      ],
    ] as const;
    for (const [path, code, text] of rows) {
      const got = await get(server, path);
      expect([path, got.code, got.text]).toEqual([path, code, text]);
    }
    const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
    const sent = await get(server, '/pods/web-0/proxy/form', { method: 'POST', body: 'a=1', headers });
    expect(sent.text).toBe('request web-0 a 8080 POST /form a=1');
    server.requests.expect({ subresource: 'proxy', verb: 'create', status: 200 }, 1);
  });

  test('redirects to its root, and reports ports that refuse connections', async () => {
    const server = await startWith([program]);
    const moved = await get(server, '/pods/web-0/proxy?a=b');
    expect([moved.code, moved.headers.get('location')]).toEqual([301, `${root}/pods/web-0/proxy/?a=b`]);
    const refused = await get(server, '/pods/web-0:1/proxy/');
    expect([refused.code, JSON.parse(refused.text).message]).toEqual([
      503,
      'error trying to reach service: socket hang up',
    ]);
    const unknown = await get(server, '/services/web:nope/proxy/');
    expect(JSON.parse(unknown.text).message).toBe('no endpoints available for service "web:nope"');
  });

  test('needs a handler of ports or a program', async () => {
    const { code, text } = await get(await startWith([]), '/pods/web-0/proxy/');
    expect([code, JSON.parse(text).message]).toEqual([
      501,
      'the test server does not support proxies without a handler: call server.onPortForward()',
    ]);
  });

  test('streams between a client and a server behind onPortForward', async () => {
    const backend = createServer((request, response) => {
      response.writeHead(202, { 'x-path': request.url ?? '', location: '/moved' });
      request.pipe(response);
    });
    await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void backend.close());
    // seam: a TCP server that listens has an address.
    const { port } = backend.address() as AddressInfo;
    const server = await startWith([]);
    server.onPortForward(({ stream }) => pipeline(stream, connect(port, '127.0.0.1'), stream));
    const body = 'x'.repeat(300_000);
    const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
    const sent = await get(server, '/pods/web-0/proxy/upload', { method: 'PUT', body, headers });
    expect([sent.code, sent.text.length, sent.headers.get('x-path'), sent.headers.get('location')]).toEqual([
      202,
      300_000,
      '/upload',
      `${root}/pods/web-0/proxy/moved`,
    ]);
  });
});
