import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { isForbidden } from '@kgen/runtime';
import type { PortForwardTarget } from '@kgen/runtime/streams';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import { parsePort } from '../../src/runtime/client/streams/port-forward/listen.ts';
import { emptyBlock } from '../../src/testserver/streams/spdy/headers.ts';
import { control, type ServerStream, serveTunnel, type TunnelHandlers, word } from './spdy-server.ts';
import { accepting, failure, type OnUpgrade, podsOf, refusing, respond, startServer } from './support.ts';

const tunnel = 'SPDY/3.1+portforward.k8s.io';

const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
);

/** Objects of the server by the path of their request. */
type Objects = Readonly<Record<string, object>>;

const pod = (name: string, ready = 'True'): object => ({
  metadata: { name },
  spec: { containers: [{ ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] },
});

/** Starts a server of port-forwards that also returns objects, and returns the client of its pods. */
async function serving(
  upgrade: OnUpgrade,
  objects: () => Objects = () => ({}),
): Promise<ReturnType<typeof podsOf>> {
  const url = await startServer(upgrade, undefined, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    const name = path.replace(/^.*\/namespaces\/shop\//, '');
    const found = objects()[name] ?? (name === 'pods/web-0' ? pod('web-0') : undefined);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(found ?? { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' }),
    );
  });
  return podsOf(url);
}

/** Serves tunnels whose data streams are handled by `connected`, which receives the stream of errors too. */
function tunnels(
  handle: (stream: ServerStream, errors: ServerStream) => Omit<TunnelHandlers, 'opened'>,
): OnUpgrade {
  return accepting([tunnel], (socket) => serveOne(socket, handle));
}

function serveOne(
  socket: WebSocket,
  handle: (stream: ServerStream, errors: ServerStream) => Omit<TunnelHandlers, 'opened'>,
): void {
  const errors = new Map<string, ServerStream>();
  const handlers = new Map<number, Omit<TunnelHandlers, 'opened'>>();
  serveTunnel(socket, {
    opened: (stream) => {
      const id = stream.headers['requestid'] ?? '';
      const error = errors.get(id);
      if (stream.headers['streamtype'] === 'error') errors.set(id, stream);
      else if (error !== undefined) handlers.set(stream.id, handle(stream, error));
    },
    data: (stream, bytes, last) => handlers.get(stream.id)?.data(stream, bytes, last),
    reset: (id) => handlers.get(id)?.reset?.(id),
  });
}

/** Echoes data, and the end after it. */
const echo = (stream: ServerStream, errors: ServerStream): Omit<TunnelHandlers, 'opened'> => ({
  data: (_, bytes, last) => {
    stream.send(bytes, last);
    if (last) errors.send('', true);
  },
});

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('portForwardStream', () => {
  it('connects to a port, and half-closes both sides', async () => {
    const headers: ServerStream['headers'][] = [];
    const pods = await serving(
      tunnels((stream, errors) => {
        headers.push(errors.headers, stream.headers);
        return echo(stream, errors);
      }),
    );
    const stream = await pods.portForwardStream('web-0', 5432);
    stream.write('hello ');
    stream.end('world');
    expect(await textOf(stream)).toBe('hello world');
    expect(headers).toEqual([
      { streamtype: 'error', port: '5432', requestid: '0' },
      { streamtype: 'data', port: '5432', requestid: '0' },
    ]);
  });

  it('receives data that overtakes the replies of the server', async () => {
    const bytes = Buffer.alloc(1_000_000, 'abcdefg');
    const pods = await serving(
      accepting([tunnel], (socket) => {
        const opened: ServerStream[] = [];
        serveTunnel(socket, {
          replies: false,
          data: () => undefined,
          opened: (stream) => {
            opened.push(stream);
            if (opened.length < 2) return;
            for (let at = 0; at < bytes.length; at += 32_768) stream.send(bytes.subarray(at, at + 32_768));
            for (const { id } of opened)
              socket.send(control(2, Buffer.concat([word(id), emptyBlock(id === 1)])));
            for (const one of opened) one.send('', true);
          },
        });
      }),
    );
    const stream = await pods.portForwardStream('web-0', 5432);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });

  it('resolves the name of a port', async () => {
    const ports: (string | undefined)[] = [];
    const pods = await serving(
      tunnels((stream, errors) => {
        ports.push(stream.headers['port']);
        return echo(stream, errors);
      }),
    );
    (await pods.portForwardStream('web-0', 'http')).destroy();
    expect(ports).toEqual(['8080']);
    expect((await failure(pods.portForwardStream('web-0', 'other'))).message).toMatch(
      /no port named "other"/,
    );
  });

  it('fails with the message of the server', async () => {
    const pods = await serving(
      tunnels((stream, errors) => {
        errors.send('dial tcp 127.0.0.1:5432: connection refused', true);
        stream.send('', true);
        return { data: () => undefined };
      }),
    );
    const error = await failure((async () => textOf(await pods.portForwardStream('web-0', 5432)))());
    expect(error.message).toMatch(
      /^portForward\w* pods\/portforward shop\/web-0: dial tcp .*: connection refused/,
    );
  });

  it('fails if the server resets the connection or the session', async () => {
    const pods = await serving(
      tunnels((stream, errors) => ({
        data: () => {
          errors.send('', true);
          stream.reset();
        },
      })),
    );
    const stream = await pods.portForwardStream('web-0', 1);
    stream.write('x');
    expect((await failure(textOf(stream))).message).toMatch(
      /reset the connection to the port \(SPDY status 1\)/,
    );
  });

  it('fails with a message that a reset overtakes, as servers of Kubernetes send it', async () => {
    const pods = await serving(
      tunnels((stream, errors) => {
        stream.reset(5);
        errors.reset(5);
        errors.send('error forwarding port 1');
        return { data: () => undefined };
      }),
    );
    const error = await failure((async () => textOf(await pods.portForwardStream('web-0', 1)))());
    expect(error.message).toMatch(/shop\/web-0: error forwarding port 1/);
  });

  it('rejects with the ApiError of a refused handshake', async () => {
    const pods = await serving(refusing(403, 'Forbidden'));
    expect(isForbidden(await failure(pods.portForwardStream('web-0', 1)))).toBe(true);
  });

  it('is closed by its signal', async () => {
    const pods = await serving(tunnels(echo));
    const controller = new AbortController();
    const stream = await pods.portForwardStream('web-0', 1, { signal: controller.signal });
    controller.abort(new Error('enough'));
    expect((await failure(textOf(stream))).message).toMatch(/enough/);
  });
});

describe('the older protocol', () => {
  /** Serves one port per WebSocket, and refuses tunnels. */
  function legacy(
    connected: (socket: WebSocket, send: (channel: number, data: string | Buffer) => void) => void,
  ) {
    const accept = accepting(['v4.channel.k8s.io'], (socket, request) => {
      const port = Buffer.alloc(2);
      port.writeUInt16LE(Number(new URL(request.url ?? '', 'http://x').searchParams.get('ports')));
      const send = (channel: number, data: string | Buffer): void =>
        socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(data)]));
      send(0, port);
      send(1, port);
      connected(socket, send);
    });
    const upgrade: OnUpgrade = (request, socket, head) => {
      if (request.headers['sec-websocket-protocol'] === 'v4.channel.k8s.io') accept(request, socket, head);
      else respond(socket, 400, 'unknown protocol');
    };
    return upgrade;
  }

  it('follows a refused tunnel', async () => {
    const pods = await serving(
      legacy((socket, send) => {
        socket.on('message', (data: Buffer) => {
          send(0, data.subarray(1));
          socket.close(1000);
        });
      }),
    );
    const stream = await pods.portForwardStream('web-0', 80);
    stream.write('abc');
    expect(await textOf(stream)).toBe('abc');
  });

  it('fails with the message of the server', async () => {
    const pods = await serving(
      legacy((socket, send) => {
        send(1, 'connection refused');
        socket.close(1000);
      }),
    );
    const error = await failure((async () => textOf(await pods.portForwardStream('web-0', 80)))());
    expect(error.message).toMatch(/shop\/web-0: connection refused/);
  });
});

/** Sends text to a local port, and returns what it receives until the end. */
async function exchange(port: number, text: string, host = '127.0.0.1'): Promise<string> {
  const socket = connect({ port, host });
  socket.end(text);
  return textOf(socket);
}

describe('portForward', () => {
  it('forwards many connections over one session, on 127.0.0.1 and ::1', async () => {
    let sessions = 0;
    const accept = tunnels(echo);
    const pods = await serving((request, socket, head) => {
      sessions += 1;
      accept(request, socket, head);
    });
    const forwarding = await pods.portForward('web-0', { ports: [':80'] });
    const [{ local, remote } = { local: 0, remote: 0 }] = forwarding.ports;
    expect(remote).toBe(80);
    const texts = Array.from({ length: 30 }, (_, index) => `${index}`.repeat(5000));
    expect(await Promise.all(texts.map((text) => exchange(local, text)))).toEqual(texts);
    expect(await exchange(local, 'six', '::1').catch(() => 'six')).toBe('six');
    expect(sessions).toBe(1);
    await forwarding.close();
    expect((await failure(exchange(local, 'x'))).message).toMatch(/ECONNREFUSED|ECONNRESET/);
  });

  it('reports a failed connection, and continues with the others', async () => {
    const pods = await serving(
      tunnels((stream, errors) => {
        if (stream.headers['port'] === '80') return echo(stream, errors);
        errors.send('connection refused', true);
        stream.send('', true);
        return { data: () => undefined };
      }),
    );
    const errors: string[] = [];
    const forwarding = await pods.portForward('web-0', {
      ports: [':80', ':81'],
      onConnectionError: (error, port) => errors.push(`${port.remote} ${error}`),
    });
    onTestFinished(() => forwarding.close());
    const [good, bad] = forwarding.ports.map(({ local }) => local);
    const socket = connect({ port: good ?? 0, host: '127.0.0.1' }).on('error', () => undefined);
    await once(socket, 'connect');
    expect(await failure(exchange(bad ?? 0, 'x'))).toBeInstanceOf(Error);
    expect(errors.join()).toMatch(/^81 TransportError: .*connection refused/);
    socket.end('still');
    expect(await textOf(socket)).toBe('still');
  });

  it('opens another session for connections beside a stalled one', async () => {
    let sessions = 0;
    const accept = tunnels((stream, errors) => {
      if (stream.headers['port'] === '80') return echo(stream, errors);
      for (let count = 0; count < 512; count += 1) stream.send(Buffer.alloc(65_536));
      return { data: () => undefined };
    });
    const pods = await serving((request, socket, head) => {
      sessions += 1;
      accept(request, socket, head);
    });
    const forwarding = await pods.portForward('web-0', { ports: [':80', ':81'] });
    onTestFinished(() => forwarding.close());
    const [echoing = 0, stalled = 0] = forwarding.ports.map(({ local }) => local);
    const socket: Socket = connect({ port: stalled, host: '127.0.0.1' });
    socket.pause();
    onTestFinished(() => void socket.destroy());
    // A connection on the stalled session waits; a later one uses another session.
    const echoed = new Set<string>();
    const attempt = (): readonly unknown[] => {
      exchange(echoing, 'x').then(
        (text) => echoed.add(text),
        () => undefined,
      );
      return [[...echoed], sessions > 1];
    };
    await expect.poll(attempt).toEqual([['x'], true]);
  });

  it('chooses a ready pod of a Service, maps its ports, and replaces the pod when it goes', async () => {
    const paths: string[] = [];
    let sockets: WebSocket[] = [];
    const accept = accepting([tunnel], (socket, request) => {
      paths.push(request.url ?? '');
      sockets.push(socket);
      serveOne(socket, (stream, errors) => {
        paths.push(stream.headers['port'] ?? '');
        return echo(stream, errors);
      });
    });
    let items = [pod('old', 'False'), pod('web-a')];
    const pods = await serving(accept, () => ({
      'services/web': { spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] } },
      pods: { items },
    }));
    const forwarding = await pods.portForward({ service: 'web' }, { ports: [':80'] });
    onTestFinished(() => forwarding.close());
    const local = forwarding.ports[0]?.local ?? 0;
    expect(await exchange(local, 'a')).toBe('a');
    items = [pod('old', 'False'), pod('web-b')];
    for (const socket of sockets) socket.terminate();
    sockets = [];
    await expect.poll(() => exchange(local, 'b').catch(() => '')).toBe('b');
    const names = paths.map((path) => /pods\/([\w-]+)\/portforward/.exec(path)?.[1] ?? path);
    expect(names.slice(0, 2)).toEqual(['web-a', '8080']);
    expect(names.slice(-2)).toEqual(['web-b', '8080']);
    expect((await failure(pods.portForwardStream({ service: 'web' }, 81))).message).toMatch(/has no port 81/);
  });

  it('waits for a ready pod of a Deployment until timeoutMs', async () => {
    const pods = await serving(tunnels(echo), () => ({
      'deployments/web': { spec: { selector: { matchLabels: { app: 'web' } } } },
      pods: { items: [pod('old', 'False')] },
    }));
    const error = await failure(pods.portForward({ deployment: 'web' }, { ports: [80], timeoutMs: 40 }));
    expect(error.message).toMatch(/timed out after 40 ms: no connection to a ready pod/);
  });

  const inUse: readonly [string, readonly string[] | undefined][] = [
    ['127.0.0.1', ['127.0.0.1']],
    ['127.0.0.1', ['localhost']],
    ['127.0.0.1', undefined],
    ['::1', undefined],
  ];
  it.each(hasIpv6 ? inUse : inUse.slice(0, 3))(
    'rejects if a local port is in use on %s: addresses %j',
    async (host, addresses) => {
      const server: Server = createServer();
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      onTestFinished(() => void server.close());
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const pods = await serving(tunnels(echo));
      const error = await failure(pods.portForward('web-0', { ports: [`${port}:80`], addresses }));
      expect(error.message).toMatch(/^portForward .*: cannot listen on the local port \d+: .*EADDRINUSE/);
      expect(error.code).toBe('EADDRINUSE');
    },
  );

  it('listens on all addresses of localhost, with one port', async () => {
    const pods = await serving(tunnels(echo));
    const forwarding = await pods.portForward('web-0', { ports: [':80', ':81'] });
    onTestFinished(() => forwarding.close());
    for (const { local, addresses } of forwarding.ports) {
      expect(local).toBeGreaterThan(0);
      expect(addresses).toEqual(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']);
    }
  });

  it.each<[string, PortForwardTarget, string | number, RegExp]>([
    ['a name of a pod', 'web-0', ':other', /the pod web-0 has no port named "other"/],
    ['a name of a Service', { service: 'web' }, ':other', /service "web" has no port other/],
    ['a number of a Service', { service: 'web' }, 9, /service "web" has no port 9/],
  ])('rejects an unknown port at the call: %s', async (_, target, port, message) => {
    const pods = await serving(tunnels(echo), () => ({
      'pods/web-0': pod('web-0', 'True'),
      pods: { items: [pod('web-0', 'True')] },
      'services/web': {
        spec: { selector: { app: 'web' }, ports: [{ name: 'web', port: 80, targetPort: 'http' }] },
      },
    }));
    expect((await failure(pods.portForward(target, { ports: [port] }))).message).toMatch(message);
  });
});

describe('parsePort', () => {
  it.each([
    ['8080:80', { local: 8080, remote: 80 }],
    ['80', { local: 80, remote: 80 }],
    [443, { local: 443, remote: 443 }],
    [':80', { local: 0, remote: 80 }],
    ['0:80', { local: 0, remote: 80 }],
    ['8080:http', { local: 8080, remote: 'http' }],
    ['http', { local: 0, remote: 'http' }],
  ])('parses %s', (spec, want) => expect(parsePort(spec)).toEqual(want));

  it.each([
    '',
    ':',
    '80:',
    '1:2:3',
    '70000',
    '80:0',
    '-1:80',
    'a:80',
    'HTTP',
    '80:-',
    0,
    70_000,
    -1,
    1.5,
    Number.NaN,
  ])('rejects %j', (spec) => {
    expect(() => parsePort(spec)).toThrow(TypeError);
    expect(() => parsePort(spec)).toThrow(`, got ${JSON.stringify(String(spec))}`);
  });
});
