import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PodClient, pods } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { copyFrom, copyTo } from '@kgen/runtime/streams';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ExecHandler, ExecRequest } from '../call/stream-handlers.ts';
import { call, start } from '../client.fixture.ts';
import type { TestServer, TestServerOptions } from '../server/testserver.ts';

const pod = (
  name: string,
  nodeName: string,
  ...containers: readonly string[]
): { readonly kind: string } => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  ...{ spec: { nodeName, containers: containers.map((container) => ({ name: container, image: 'a' })) } },
});
const objects = [pod('web-0', 'node-1', 'main'), pod('two', 'node-1', 'a', 'b'), pod('waiting', '', 'main')];

async function startWith(handler?: ExecHandler, options: TestServerOptions = {}): Promise<TestServer> {
  const server = await start({ objects, ...options });
  if (handler !== undefined) server.onExec(handler);
  return server;
}

function podsOf(config: TestServer['config']): PodClient {
  const rest = new RESTClient(config);
  onTestFinished(() => rest.close());
  return resource(rest, pods).in('default');
}

/** Prints input, or runs one of a few commands. */
const shell: ExecHandler = async ({ command: [program = '', ...words], stdin, stdout, stderr }) => {
  if (program === 'echo') stdout.write(`${words.join(' ')}\n`);
  else if (program === 'fail') stderr.write('it failed\n');
  else if (program === 'throw') throw new Error('no such file');
  else await pipeline(stdin, stdout);
  return { code: program === 'fail' ? Number(words[0]) : 0 };
};

describe('onExec', () => {
  test.each([true, false])('runs commands over HTTPS: %s', async (https) => {
    const client = podsOf((await startWith(shell, { https })).config);
    expect(await client.execText('web-0', ['echo', 'a', 'b'])).toEqual({
      stdout: 'a b\n',
      stderr: '',
      code: 0,
    });
    expect(await client.execText('web-0', ['fail', '3'])).toEqual({
      stdout: '',
      stderr: 'it failed\n',
      code: 3,
    });
    expect((await client.execText('web-0', ['cat'], { stdin: 'input' })).stdout).toBe('input');
  });

  test('sends the status of a kubelet for exit codes and errors', async () => {
    const client = podsOf((await startWith(shell)).config);
    const failed = await client.exec('web-0', { command: ['fail', '130'] });
    expect(await failed.exit).toEqual({
      code: 130,
      signal: 'SIGINT',
      reason: 'command terminated with non-zero exit code: exit status 130',
    });
    const thrown = await client.exec('web-0', { command: 'throw' });
    await expect(thrown.exit).rejects.toMatchObject({
      status: {
        reason: 'InternalError',
        code: 500,
        message: 'Internal error occurred: error executing command in container: no such file',
      },
    });
    const wrong = await client.exec('web-0', { command: ['fail', '1.5'] });
    await expect(wrong.exit).rejects.toThrow('must be an integer from 0 to 255');
  });

  test('passes the request to the handler', async () => {
    const requests: Partial<ExecRequest>[] = [];
    const sizes: object[] = [];
    const server = await startWith(async ({ stdin, stdout, stderr, resizes, signal, ...request }) => {
      requests.push(request);
      stderr.write('both');
      for await (const size of resizes) {
        sizes.push(size);
        if (sizes.length === 2) return { code: 0 };
      }
      return { code: 1 };
    });
    const session = await podsOf(server.config).exec('two', {
      ...{ command: ['sh', '-c', 'a b'], container: 'b', tty: true, stdin: true },
    });
    session.resize({ width: 80, height: 24 });
    session.resize({ width: 100, height: 50 });
    expect(String(await once(session.stdout, 'data'))).toBe('both');
    expect(await session.exit).toEqual({ code: 0 });
    expect(sizes).toEqual([
      { width: 80, height: 24 },
      { width: 100, height: 50 },
    ]);
    expect(requests).toEqual([
      {
        ...{ namespace: 'default', pod: 'two', container: 'b', command: ['sh', '-c', 'a b'], tty: true },
        user: 'kubernetes-admin',
      },
    ]);
    server.requests.expect(
      { verb: 'get', resource: 'pods', subresource: 'exec', name: 'two', status: 101 },
      1,
    );
  });

  test('moves megabytes in both directions as fast as both sides read', async () => {
    let sent = 0;
    const server = await startWith(async ({ stdin, stdout }) => {
      for await (const chunk of stdin) {
        sent += chunk.length;
        if (!stdout.write(chunk)) await once(stdout, 'drain');
      }
      return { code: 0 };
    });
    const session = await podsOf(server.config).exec('web-0', { command: 'cat', stdin: true, stderr: false });
    const input = Buffer.alloc(16 * 2 ** 20, 'abcdefg');
    session.stdin.end(input);
    await once(session.stdout, 'readable');
    for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBeLessThan(input.length);
    const chunks: Buffer[] = [];
    for await (const chunk of session.stdout) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(input)).toBe(true);
    expect(await session.exit).toEqual({ code: 0 });
  });

  test('ends the input and aborts the signal when the client disconnects', async () => {
    let report = (_lines: readonly string[]): void => undefined;
    const reported = new Promise<readonly string[]>((resolve) => {
      report = resolve;
    });
    const server = await startWith(async ({ stdin, signal, stdout }) => {
      stdout.write('ready');
      const seen: string[] = [];
      for await (const chunk of stdin) seen.push(String(chunk));
      report([...seen, String(signal.aborted)]);
      return { code: 0 };
    });
    const session = await podsOf(server.config).exec('web-0', { command: 'cat', stdin: true });
    await once(session.stdout, 'data');
    session.stdin.write('some');
    session.close();
    expect(await reported).toEqual(['some', 'true']);
  });

  test('kills the process when its pod is deleted', async () => {
    const server = await startWith(({ signal, stdout }) => {
      stdout.write('ready');
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    });
    const client = podsOf(server.config);
    const session = await client.exec('web-0', { command: 'sleep' });
    await once(session.stdout, 'data');
    await call(server, '/api/v1/namespaces/default/pods/web-0?gracePeriodSeconds=0', { method: 'DELETE' });
    session.stdout.resume();
    session.stderr.resume();
    expect(await session.exit).toMatchObject({ code: 137, signal: 'SIGKILL' });
  });

  test('ends sessions when the server stops', async () => {
    const server = await startWith(() => new Promise(() => undefined));
    const session = await podsOf(server.config).exec('web-0', { command: 'sleep' });
    await server.stop();
    await expect(session.exit).rejects.toMatchObject({ code: 'STATUS_MISSING' });
  });

  test('copies files through a handler that archives', async () => {
    let archive = Buffer.alloc(0);
    const folder = await mkdtemp(join(tmpdir(), 'kgen-exec-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const server = await startWith(async ({ command: [program, flags = ''], stdin, stdout }) => {
      if (program !== 'tar') return { code: 127 };
      if (flags.startsWith('c')) stdout.write(archive);
      else archive = Buffer.concat(await stdin.toArray());
      return { code: 0 };
    });
    const client = podsOf(server.config);
    await writeFile(join(folder, 'one.txt'), 'content of one');
    await copyTo(client, 'web-0', join(folder, 'one.txt'), '/srv/one.txt');
    await copyFrom(client, 'web-0', '/srv/one.txt', join(folder, 'two.txt'));
    expect(await readFile(join(folder, 'two.txt'), 'utf8')).toBe('content of one');
  });

  test.each([
    ['pods/none/exec?stdout=1', 404, 'pods "none" not found'],
    ['pods/two/exec?stdout=1', 400, 'a container name must be specified for pod two, choose one of: [a b]'],
    ['pods/web-0/exec?stdout=1&container=x', 400, 'container x is not valid for pod web-0'],
    ['pods/waiting/exec?stdout=1', 400, 'pod waiting does not have a host assigned'],
    ['pods/web-0/exec', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
    ['pods/web-0/exec?stdout=1&command=a', 400, 'Upgrade request required'],
    ['pods/web-0/attach?stdout=1', 501, expect.stringContaining('server.onAttach()')],
    ['pods/web-0/portforward', 501, expect.stringContaining('server.onPortForward()')],
  ])('responds to GET %s with %d', async (path, code, message) => {
    const reply = await call(await startWith(shell), `/api/v1/namespaces/default/${path}`);
    expect([reply.code, reply.body['message']]).toEqual([code, message]);
  });

  test('needs the permissions to get and to create', async () => {
    const role = (verbs: string, user: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: ${user} }
rules: [{ apiGroups: [""], resources: [pods/exec], verbs: [${verbs}] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: ${user} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: ${user} }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: ${user} }]`;
    const yaml = [role('get', 'reader'), role('get, create', 'operator')].join('\n---');
    const server = await startWith(shell, { objects: [...objects, { yaml }] });
    await expect(podsOf(server.as('reader')).execText('web-0', 'echo')).rejects.toMatchObject({
      status: { code: 403, reason: 'Forbidden', message: 'pods "web-0" is forbidden: ' },
    });
    await expect(podsOf(server.as('jane')).execText('web-0', 'echo')).rejects.toThrow('cannot get resource');
    expect((await podsOf(server.as('operator')).execText('web-0', ['echo', 'a'])).stdout).toBe('a\n');
  });

  test('refuses upgrades that it does not support', async () => {
    const server = await startWith(shell);
    const path = '/api/v1/namespaces/default/pods/web-0/exec?stdout=1&command=a';
    const key = { 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version': '13' };
    expect(await upgrade(server, path, { Upgrade: 'SPDY/3.1' })).toBe(501);
    const other = { Upgrade: 'websocket', 'Sec-WebSocket-Protocol': 'other', ...key };
    expect(await upgrade(server, path, other)).toBe(400);
    expect(
      await upgrade(server, path, { ...other, 'Sec-WebSocket-Protocol': 'other, v5.channel.k8s.io' }),
    ).toBe(101);
    expect(await upgrade(server, '/version', { Upgrade: 'h2c' })).toBe(200);
    expect(await upgrade(server, '/%', { Upgrade: 'h2c' })).toBe(400);
  });

  test('is refused within the process', async () => {
    const server = await startWith(shell);
    const rest = new RESTClient(server.config, { transport: server.transport });
    const session = resource(rest, pods).in('default').execText('web-0', 'echo');
    await expect(session).rejects.toThrow('without server.transport');
  });
});

test('sends no status over the protocol without a version, but the message of a failure', async () => {
  const server = await startWith(shell);
  const headers = { Authorization: `Bearer ${server.config.auth?.token}` };
  const base = `${server.url.replace('http', 'ws')}/api/v1/namespaces/default/pods/web-0/exec?stdout=1`;
  const messagesOf = async (query: string): Promise<readonly string[]> => {
    const socket = new WebSocket(base + query, ['channel.k8s.io'], { headers });
    const messages: string[] = [];
    socket.on('message', (data: Buffer) => messages.push(`${data[0]}${data.subarray(1).toString()}`));
    await once(socket, 'close');
    return messages;
  };
  expect(await messagesOf('&command=echo&command=a')).toEqual(['1', '1a\n']);
  const failure = '3command terminated with non-zero exit code: exit status 7';
  expect(await messagesOf('&command=fail&command=7')).toEqual(['1', failure]);
});

describe('onAttach', () => {
  test('attaches to the process of a container', async () => {
    const server = await startWith();
    server.onAttach(({ container, stdout }) => {
      stdout.end(`output of ${container}`);
      return { code: 0 };
    });
    const session = await podsOf(server.config).attach('two', { container: 'a' });
    expect(String(await once(session.stdout, 'data'))).toBe('output of a');
    session.stderr.resume();
    expect(await session.exit).toEqual({ code: 0 });
  });
});

function upgrade(
  server: TestServer,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const auth = { Authorization: `Bearer ${server.config.auth?.token}`, Connection: 'Upgrade' };
  return new Promise((resolve, reject) => {
    const request = get(`${server.url}${path}`, { headers: { ...auth, ...headers } });
    request.on('error', reject);
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}
