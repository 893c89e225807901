/** Credentials do not leak: no error, output or diagnostic event contains them. */
import { channel, tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Clientset } from '@kgen/kubernetes';
import type { ClusterConfig, RequestOptions } from '@kgen/runtime';
import { parseKubeconfig } from '@kgen/runtime/kubeconfig';
import { attemptChannel, requestChannel } from '@kgen/runtime/observe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Part of every secret of these tests. */
const mark = 'sesame';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let server: Server;
let url = '';
let folder = '';

/** Responds with the request, as some proxies do; one path never responds. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kgen-secrets-'));
  await writeFile(join(folder, 'token'), `${mark}-file`);
  server = createServer((request, response) => {
    if (request.url?.includes('stall') === true) return;
    const shown = `${request.method} ${request.url}\nAuthorization: ${request.headers.authorization}\n`;
    const status = request.url?.includes('bad') === true ? 200 : 403;
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<pre>${shown}</pre>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address with a port.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

interface Kind {
  readonly config: () => Partial<ClusterConfig>;
  readonly options?: RequestOptions;
}

const plugin = `console.log(JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: process.env.SECRET },
}))`;

const kinds: Readonly<Record<string, Kind>> = {
  'a token': { config: () => ({ auth: { token: `${mark}-token` } }) },
  'a token file': { config: () => ({ auth: { tokenFile: join(folder, 'token') } }) },
  'a password': { config: () => ({ auth: { username: 'jane', password: `${mark}-password` } }) },
  'a plugin': {
    config: () => ({
      auth: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: process.execPath,
          args: ['-e', plugin],
          env: [{ name: 'SECRET', value: `${mark}-plugin` }],
        },
      },
    }),
  },
  'a plugin that fails': {
    config: () => ({
      auth: {
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1',
          interactiveMode: 'Never',
          command: process.execPath,
          args: ['-e', 'process.exit(1)'],
          env: [{ name: 'SECRET', value: `${mark}-plugin` }],
        },
      },
    }),
  },
  'a key': { config: () => ({ tls: { key: `${mark}-key`, cert: 'nonsense' } }) },
  'a proxy with a password': { config: () => ({ proxyUrl: `http://jane:${mark}-proxy@127.0.0.1:9` }) },
  'a header of the caller': {
    config: () => ({}),
    options: { headers: { Authorization: `Bearer ${mark}-header`, Cookie: `session=${mark}` } },
  },
};

/** Calls that fail in different ways. */
const failures: Readonly<Record<string, readonly [server: () => string, path: string]>> = {
  'a server that rejects the request': [() => url, '/no'],
  'a malformed response': [() => url, '/bad'],
  'a server that does not respond': [() => url, '/stall'],
  'a connection that was refused': [() => 'http://127.0.0.1:9', '/'],
  'a server without TLS': [() => url.replace('http:', 'https:'), '/'],
};

function listeningTo(messages: unknown[]): () => void {
  const { start, end, asyncStart, asyncEnd, error } = tracingChannel(requestChannel);
  const channels = [start, end, asyncStart, asyncEnd, error, channel(attemptChannel)];
  const listener = (message: unknown): void => void messages.push(message);
  for (const one of channels) one.subscribe(listener);
  return () => {
    for (const one of channels) one.unsubscribe(listener);
  };
}

/** Returns all printable representations of a value. */
function shown(value: unknown): string {
  const text = value instanceof Error ? `${value.message}\n${value.stack}\n${value}` : '';
  return [text, JSON.stringify(value), inspect(value, { depth: null, showHidden: true })].join('\n');
}

function expectHidden(text: string): void {
  expect(text).not.toContain(mark);
  expect(text).not.toContain(base64(`jane:${mark}-password`));
  expect(text).not.toContain(base64(`jane:${mark}-proxy`));
}

describe.each(Object.entries(kinds))('%s', (_, { config, options }) => {
  it.each(Object.entries(failures))('does not leak through %s', async (__, [at, path]) => {
    const messages: unknown[] = [];
    const forget = listeningTo(messages);
    const clientset = new Clientset({ server: at(), ...config() });
    const call = clientset.rest.get(path, { ...options, timeoutMs: path === '/stall' ? 300 : 20_000 });
    const error: unknown = await call.then(
      () => 'did not fail',
      (reason: unknown) => reason,
    );
    forget();
    expect(error).toBeInstanceOf(Error);
    expect(messages).not.toEqual([]);
    for (const one of [error, clientset, clientset.rest, clientset.coreV1.pods('shop'), ...messages]) {
      expectHidden(shown(one));
    }
    await clientset.close();
  });
});

describe('a configuration with secrets', () => {
  const kubeconfig = (user: string, cluster = ''): string => `
apiVersion: v1
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: 'https://h'${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;
  it.each([
    `token: ${mark}`,
    `username: jane, password: ${mark}`,
    `exec: { apiVersion: client.authentication.k8s.io/v1, command: x, interactiveMode: Never, env: [{ name: A, value: ${mark} }] }`,
  ])('that was loaded does not print { %s }', async (user) => {
    const config = await parseKubeconfig(kubeconfig(user), { allowExec: true });
    expectHidden(shown(config));
    expect(shown(config)).not.toContain(base64(mark));
  });

  it.each([
    () => new Clientset({ server: `https://jane:${mark}@h` }),
    () => new Clientset({ server: 'https://h', auth: { token: mark, username: 'jane', password: mark } }),
    () => new Clientset({ server: 'https://h', auth: { token: `${mark}\n${mark}` } }),
    () => parseKubeconfig(kubeconfig(`token: ${mark}, username: jane, password: ${mark}`)),
    () => parseKubeconfig(kubeconfig(`client-key-data: '${mark}*'`)),
    () =>
      parseKubeconfig(
        kubeconfig(`client-key-data: ${base64(mark)}, client-certificate-data: ${base64('x')}`),
      ),
    () => parseKubeconfig(`${kubeconfig(`token: ${mark}`)}\nusers: [`),
    () => parseKubeconfig(kubeconfig('token: x').replace('https://h', `https://jane:${mark}@h`)),
  ])('that is invalid does not print %s', async (make) => {
    const outcome: unknown = await Promise.resolve()
      .then((): unknown => make())
      .catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Error);
    expect(shown(outcome)).not.toContain(base64(mark));
    expectHidden(shown(outcome));
  });
});
