import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { createAuthority } from '@kgen/certificates/authority';
import { RESTClient } from '@kgen/runtime';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { emptyBlock } from '../../src/testserver/streams/spdy/headers.ts';
import { closeFrame, serverFrame } from './server-frames.ts';
import { control, data, word } from './spdy-server.ts';
import { accepting, failure, podsOf, raw, refusing, startServer, success } from './support.ts';

const v5 = 'v5.channel.k8s.io';

/** Handles sessions that end at once, and records their requests. */
function ending(seen: IncomingMessage[]): ReturnType<typeof accepting> {
  return accepting([v5], (socket, request) => {
    seen.push(request);
    socket.send(success);
    socket.close(1000);
  });
}

async function run(pods: ReturnType<typeof podsOf>): Promise<number> {
  const session = await pods.exec('web-0', { command: 'x', container: 'main' });
  return (await session.exit).code;
}

describe('an upgrade', () => {
  it('is sent over TLS with the client certificate, over HTTP/1.1 to a server that prefers HTTP/2', async () => {
    const authority = await createAuthority();
    const hosts = { names: [], addresses: ['127.0.0.1'] };
    const pair = await authority.issueServer('api', hosts);
    const jane = await authority.issueClient('jane', []);
    const users: unknown[] = [];
    const end = ending([]);
    const tls = { ...pair, ca: authority.cert, requestCert: true, ALPNProtocols: ['h2', 'http/1.1'] };
    const url = await startServer((request, socket, head) => {
      users.push(request.socket instanceof TLSSocket && request.socket.getPeerCertificate().subject.CN);
      end(request, socket, head);
    }, tls);
    const config = { tls: { ca: authority.cert, ...jane } };
    expect(await run(podsOf(url, config))).toBe(0);
    expect(users).toEqual(['jane']);
  });

  it('has the credentials and headers of every other request', async () => {
    const seen: IncomingMessage[] = [];
    const url = await startServer(ending(seen));
    expect(await run(podsOf(url, { auth: { token: 'sesame' }, impersonate: { user: 'joe' } }))).toBe(0);
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer sesame',
      'impersonate-user': 'joe',
      'user-agent': expect.stringMatching(/./),
      'sec-websocket-version': '13',
    });
  });

  it('uses a tunnel through an HTTP proxy, also to a server without TLS', async () => {
    const seen: IncomingMessage[] = [];
    const connects: string[] = [];
    const url = await startServer(ending(seen));
    const proxy = await startServer(
      () => undefined,
      undefined,
      () => undefined,
      (request, socket) => {
        connects.push(`${request.url} ${request.headers['proxy-authorization']}`);
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        const onward = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
        socket.pipe(onward).pipe(socket);
      },
    );
    const pods = podsOf('http://api.test:8080', { proxyUrl: proxy.replace('//', '//a:b@') });
    expect(await run(pods)).toBe(0);
    expect(connects).toEqual(['api.test:8080 Basic YTpi']);
    expect(seen[0]?.url).toMatch(/^\/api\/v1\//);
    expect(seen[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('uses a SOCKS proxy', async () => {
    const url = await startServer(ending([]));
    const requests: string[] = [];
    // The least of a proxy: without a login, and each message in a packet of its own.
    const server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.of(5, 0));
        socket.once('data', (request) => {
          requests.push(request.subarray(5, -2).toString());
          socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
          socket.pipe(connect({ port: Number(new URL(url).port), host: '127.0.0.1' })).pipe(socket);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const pods = podsOf('http://api.test:8080', { proxyUrl: `socks5://127.0.0.1:${port}` });
    expect(await run(pods)).toBe(0);
    expect(requests).toEqual(['api.test']);
  });

  it('is repeated once with a renewed credential after 401', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kgen-upgrade-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const runs = join(folder, 'runs');
    await writeFile(runs, '');
    // A plugin whose tokens are `run-1`, `run-2` and so on.
    const program = `const { appendFileSync, readFileSync } = require('node:fs');
      appendFileSync(${JSON.stringify(runs)}, 'x');
      const token = 'run-' + readFileSync(${JSON.stringify(runs)}).length;
      console.log(JSON.stringify({ apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }));`;
    const seen: (string | undefined)[] = [];
    const end = ending([]);
    const refuse = refusing(401, 'Unauthorized');
    const url = await startServer((request, socket, head) => {
      seen.push(request.headers.authorization);
      const isExpired = request.headers.authorization === 'Bearer run-1';
      (isExpired ? refuse : end)(request, socket, head);
    });
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', program],
      interactiveMode: 'Never',
    } as const;
    const pods = podsOf(url, { auth: { exec } });
    expect(await run(pods)).toBe(0);
    expect(await run(pods)).toBe(0);
    expect(seen).toEqual(['Bearer run-1', 'Bearer run-2', 'Bearer run-2']);
  });

  it('that the connection interrupts is not retried', async () => {
    let attempts = 0;
    const url = await startServer((_request, socket) => {
      attempts += 1;
      socket.destroy();
    });
    expect((await failure(run(podsOf(url)))).name).toBe('TransportError');
    expect(attempts).toBe(1);
  });

  it('ends with the client', async () => {
    const url = await startServer(raw(v5, () => undefined));
    const rest = new RESTClient({ server: url });
    let connection: object | undefined;
    const request = {
      path: '/x',
      headers: { 'sec-websocket-key': 'x' },
      upgrade: {
        protocol: 'websocket',
        opened: (made: object) => {
          connection = made;
        },
      },
    };
    const { status } = await rest.stream(request);
    expect(status).toBe(101);
    await rest.close();
    expect(connection instanceof Duplex && connection.destroyed).toBe(true);
  });

  it('leaves no connection, timer or listener after 50 sessions', async () => {
    const seen: IncomingMessage[] = [];
    const url = await startServer(ending(seen));
    const pods = podsOf(url);
    const controller = new AbortController();
    await run(pods);
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((name) => name !== 'TCPServerWrap').length;
    const before = handles();
    for (let count = 0; count < 50; count += 1) {
      const session = await pods.exec('web-0', {
        command: 'x',
        signal: controller.signal,
        timeoutMs: 60_000,
      });
      await session.exit;
    }
    await expect.poll(handles).toBeLessThanOrEqual(before + 2);
  });
});

describe('a connection', () => {
  it('fails if the server does not respond to pings', async () => {
    const url = await startServer(raw(v5, () => undefined));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const session = await podsOf(url).exec('web-0', { command: 'x' });
    const failed = failure(session.exit);
    await vi.advanceTimersByTimeAsync(70_000);
    expect((await failed).message).toMatch(/did not respond to pings for 61 s/);
  });

  it('responds to pings, and continues while pongs arrive', async () => {
    const received: string[] = [];
    const url = await startServer(
      accepting([v5], (socket) => {
        socket.on('ping', () => received.push('ping'));
        socket.on('pong', (data: Buffer) => {
          received.push(`pong ${data}`);
          socket.send(success);
          socket.close(1000);
        });
        socket.ping('x');
      }),
    );
    expect(await run(podsOf(url))).toBe(0);
    expect(received).toEqual(['pong x']);
  });

  it('fails if the server does not accept data', async () => {
    const url = await startServer(raw(v5, (socket) => void socket.pause()));
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const session = await podsOf(url).exec('web-0', { command: 'x', stdin: true });
    const failed = failure(session.exit);
    const written = new Promise((resolve) => session.stdin.on('error', resolve));
    session.stdin.write(Buffer.alloc(64 * 1024 * 1024));
    await vi.advanceTimersByTimeAsync(0);
    // Milliseconds of the fake clock: pings are answered by nobody either, so the first limit ends it.
    await vi.advanceTimersByTimeAsync(70_000);
    expect((await failed).message).toMatch(/did not (accept data|respond to pings) for 6[01] s/);
    expect(await written).toBeInstanceOf(Error);
  });

  it('closes with the code of a violation', async () => {
    const codes: number[] = [];
    const url = await startServer(
      accepting([v5], (socket) => {
        socket.on('close', (code) => codes.push(code));
        socket.send('text');
      }),
    );
    const session = await podsOf(url).exec('web-0', { command: 'x' });
    expect((await failure(session.exit)).message).toMatch(/the server sent a text message/);
    await expect.poll(() => codes).toEqual([1003]);
  });
});

describe('bytes of a server', () => {
  it('in frames of 16 MB are received, also in fragments with control frames between them', async () => {
    const content = Buffer.alloc(16 * 1024 * 1024 - 1, 'abcdefg');
    const message = Buffer.concat([Buffer.of(1), content]);
    const half = message.length / 2;
    const frames = [
      serverFrame(2, message),
      serverFrame(2, message.subarray(0, half), { final: false }),
      serverFrame(9, 'ping'),
      serverFrame(10, 'pong'),
      serverFrame(0, message.subarray(half)),
      serverFrame(2, success),
      closeFrame(1000),
    ];
    const url = await startServer(
      raw(v5, (socket) => {
        for (const frame of frames) socket.write(frame);
      }),
    );
    const session = await podsOf(url).exec('web-0', { command: 'x', stderr: false });
    const received = await buffer(session.stdout);
    expect(received.equals(Buffer.concat([content, content]))).toBe(true);
    expect(await session.exit).toEqual({ code: 0 });
  });

  it('that end anywhere fail a forwarded connection, unless it had ended', async () => {
    const replies = [1, 3].map((id) => control(2, Buffer.concat([word(id), emptyBlock(id === 1)])));
    const bytes = serverFrame(
      2,
      Buffer.concat([...replies, data(3, 'out'), data(1, '', true), data(3, '', true)]),
    );
    let cut = 0;
    const tunnel = 'SPDY/3.1+portforward.k8s.io';
    const url = await startServer(raw(tunnel, (socket) => void socket.end(bytes.subarray(0, cut))));
    const pods = podsOf(url);
    for (; cut <= bytes.length; cut += 1) {
      const reading = pods.portForwardStream('web-0', 80).then(buffer);
      if (cut === bytes.length) expect(String(await reading)).toBe('out');
      else expect((await failure(reading)).message, `${cut}`).toMatch(/the connection (ended|was closed)/);
    }
  });
});
