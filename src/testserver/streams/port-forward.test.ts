import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { type PodClient, pods } from '@kgen/kubernetes/core/v1';
import { RESTClient, resource } from '@kgen/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { PortForwardHandler, PortForwardRequest } from '../call/stream-handlers.ts';
import { call, start } from '../client.fixture.ts';
import type { TestServer } from '../server/testserver.ts';

const pod = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-0' } },
  spec: { nodeName: 'node-1', containers: [{ name: 'main', image: 'a' }] },
};
const path = '/api/v1/namespaces/default/pods/web-0/portforward';

async function startWith(handler: PortForwardHandler): Promise<TestServer> {
  const server = await start({ objects: [pod] });
  server.onPortForward(handler);
  return server;
}

function podsOf(server: TestServer): PodClient {
  const rest = new RESTClient(server.config);
  onTestFinished(() => rest.close());
  return resource(rest, pods).in('default');
}

const echo: PortForwardHandler = ({ stream }) => {
  stream.pipe(stream);
};

async function contentOf(stream: Duplex): Promise<string> {
  return Buffer.concat(await stream.toArray()).toString();
}

describe('onPortForward', () => {
  test('serves connections to several ports on one tunnel', async () => {
    const requests: Partial<PortForwardRequest>[] = [];
    const server = await startWith(({ stream, signal, ...request }) => {
      requests.push(request);
      stream.write(`${request.port} `);
      stream.pipe(stream);
    });
    const forwarding = await podsOf(server).portForward('web-0', { ports: [':80', ':81'] });
    onTestFinished(() => forwarding.close());
    const contents = await Promise.all(
      forwarding.ports.flatMap(({ local }) => [exchange(local, 'a'), exchange(local, 'b')]),
    );
    expect(contents).toEqual(['80 a', '80 b', '81 a', '81 b']);
    const target = { namespace: 'default', pod: 'web-0', user: 'kubernetes-admin' };
    expect(requests).toHaveLength(4);
    expect(requests[0]).toEqual({ ...target, port: 80 });
    server.requests.expect({ subresource: 'portforward', status: 101 }, 1);
  });

  test('ends each side of a connection by itself', async () => {
    const server = await startWith(async ({ stream }) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(stream, 'end');
      stream.end(`received ${Buffer.concat(chunks)}`);
    });
    const stream = await podsOf(server).portForwardStream('web-0', 80);
    stream.end('all');
    expect(await contentOf(stream)).toBe('received all');
  });

  test('moves megabytes in both directions', async () => {
    const stream = await podsOf(await startWith(echo)).portForwardStream('web-0', 80);
    const input = Buffer.alloc(4 * 2 ** 20, 'abcdefg');
    stream.end(input);
    expect((await contentOf(stream)) === input.toString()).toBe(true);
  });

  test.each<[string, PortForwardHandler]>([
    ['throws', () => Promise.reject(new Error('connection refused'))],
    ['destroys the stream', ({ stream }) => void stream.destroy(new Error('connection refused'))],
  ])('sends the error of a handler that %s', async (_, handler) => {
    const stream = await podsOf(await startWith(handler)).portForwardStream('web-0', 80);
    await expect(contentOf(stream)).rejects.toThrow('error forwarding port 80: connection refused');
  });

  test('closes connections when the pod is deleted', async () => {
    let aborted = (): void => undefined;
    const isAborted = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const server = await startWith(({ stream, signal }) => {
      signal.addEventListener('abort', aborted);
      stream.pipe(stream);
    });
    const stream = await podsOf(server).portForwardStream('web-0', 80);
    stream.write('a');
    await once(stream, 'data');
    await call(server, '/api/v1/namespaces/default/pods/web-0?gracePeriodSeconds=0', { method: 'DELETE' });
    await expect(contentOf(stream)).rejects.toThrow('the pod was deleted');
    await isAborted;
  });

  test('serves the older protocol with one port per pair of channels', async () => {
    const server = await startWith(({ port, stream }) => {
      if (port === 81) throw new Error('refused');
      stream.once('data', (chunk: Buffer) => stream.end(`echo ${chunk}`));
    });
    const socket = new WebSocket(
      `${server.url.replace('http', 'ws')}${path}?ports=80&ports=81`,
      ['v4.channel.k8s.io'],
      {
        headers: { Authorization: `Bearer ${server.config.auth?.token}` },
      },
    );
    const messages: string[] = [];
    socket.on('message', (message: Buffer) => messages.push(message.toString('latin1')));
    await once(socket, 'open');
    socket.send(Buffer.from('\0hello'));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1000);
    expect(messages).toEqual([
      ...['\0P\0', '\u0001P\0', '\u0002Q\0', '\u0003Q\0'],
      ...['\u0003error forwarding port 81: refused', '\0echo hello'],
    ]);
  });

  test('closes tunnels with invalid frames', async () => {
    const server = await startWith(echo);
    for (const bytes of ['80020001000000ff', '8003000100000001ff', `8003000100000010${'00'.repeat(15)}09`]) {
      const socket = await tunnel(server);
      socket.write(binary(Buffer.from(bytes, 'hex')));
      const [first] = await once(socket, 'data');
      expect(Buffer.from(first).subarray(2, 4).readUInt16BE(0)).toBe(1011);
      socket.destroy();
    }
    expect((await call(server, '/version')).code).toBe(200);
  });
});

async function exchange(port: number, text: string): Promise<string> {
  const { connect } = await import('node:net');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(text);
  return contentOf(socket);
}

function tunnel(server: TestServer): Promise<Duplex> {
  const headers = {
    ...{ Authorization: `Bearer ${server.config.auth?.token}`, Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version': '13' },
    'Sec-WebSocket-Protocol': 'SPDY/3.1+portforward.k8s.io',
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${server.url}${path}`, { headers }).on('error', reject);
    request.on('upgrade', (_response, socket) => resolve(socket)).end();
  });
}

/** Returns a short message with a mask of zeros. */
function binary(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x82, 0x80 | payload.length, 0, 0, 0, 0), payload]);
}
