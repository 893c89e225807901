import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { certificateFolder } from './certificates.fixture.ts';
import { textResponse } from './endpoint.ts';
import { EndpointServer, type EndpointServerOptions } from './endpoint-server.ts';
import { EndpointStartError } from './http-server.ts';

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function serve(
  options: Partial<EndpointServerOptions> = {},
): Promise<{ readonly server: EndpointServer; readonly port: number; readonly url: string }> {
  const server = new EndpointServer({
    name: 'test',
    port: 0,
    host: '127.0.0.1',
    endpoint: ({ path, query, method }) => textResponse(200, `${method} ${path} ${query}`),
    log,
    ...options,
  });
  onTestFinished(() => server.close());
  const port = await server.start();
  return { server, port, url: `http://127.0.0.1:${port}` };
}

/** Returns the bytes of a connection until its end as a string. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', ignore);
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  // Not `once` of node:events, which rejects after a reset.
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return readAll(socket);
}

describe('EndpointServer', () => {
  it('reports a free port for port 0 and serves the endpoint', async () => {
    const { url, port } = await serve();
    expect(port).toBeGreaterThan(0);
    const response = await fetch(`${url}/a/b?c=d&c=e`);
    expect([response.status, await response.text()]).toEqual([200, 'GET /a/b c=d&c=e']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('sends no body in response to HEAD', async () => {
    const { port } = await serve();
    const response = await raw(port, 'HEAD /x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(response).toMatch(/^HTTP\/1\.1 200 .*content-length: 8\r\n.*\r\n\r\n$/s);
  });

  it.each([
    ['POST /x HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000000\r\n\r\n', 405],
    ['POST /x HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n', 405],
    ['GET http://evil/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['nonsense\r\n\r\n', 400],
  ])('responds to %j with %i and closes the connection', async (bytes, status) => {
    const { port } = await serve();
    expect(await raw(port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('responds with 500 if the endpoint fails', async () => {
    const { url } = await serve({ endpoint: () => Promise.reject(new Error('secret')) });
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([500, 'internal server error\n']);
  });

  it('closes connections above the limit', async () => {
    const { port, url } = await serve({ maxConnections: 2 });
    const sockets = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect(await readAll(connect(port, '127.0.0.1'))).toBe('');
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(() =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
  });

  it('rejects with the port that is in use', async () => {
    const { port } = await serve();
    const second = serve({ port });
    await expect(second).rejects.toThrow(EndpointStartError);
    await expect(second).rejects.toThrow(
      /endpoint test cannot listen on 127.0.0.1:\d+: .*EADDRINUSE.*; change the port/,
    );
  });

  it('closes connections that are idle, that send nothing, and whose endpoint does not respond', async () => {
    let reached = ignore;
    const isHanging = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const { server, port, url } = await serve({
      endpoint: ({ path }) => {
        if (path !== '/hang') return textResponse(200, 'ok');
        reached();
        return new Promise(() => undefined);
      },
    });
    await fetch(url);
    const silent = connect(port, '127.0.0.1');
    const hanging = connect(port, '127.0.0.1');
    hanging.write('GET /hang HTTP/1.1\r\nhost: a\r\n\r\n');
    const ends = [readAll(silent), readAll(hanging)];
    await Promise.all([once(silent, 'connect'), isHanging]);
    await server.close();
    expect(await Promise.all(ends)).toEqual(['', '']);
    await server.close();
  });

  it('settles close before start, during start and without start', async () => {
    const options = { name: 'test', port: 0, endpoint: () => textResponse(200, ''), log };
    const unstarted = new EndpointServer(options);
    await unstarted.close();
    await expect(unstarted.start()).rejects.toThrow(EndpointStartError);
    const starting = new EndpointServer(options);
    const started = starting.start().catch(() => undefined);
    await starting.close();
    await started;
  });
});

describe('EndpointServer with TLS', () => {
  const open = async (port: number, options: object = {}): Promise<TLSSocket> => {
    // The certificate is compared by its name.
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  };
  const nameOf = async (port: number): Promise<string> => {
    const socket = await open(port);
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };

  it('uses a changed certificate, and keeps the previous one if the files are invalid', async () => {
    const { write, ...tls } = await certificateFolder();
    const clock = new FakeClock();
    const messages: string[] = [];
    const reads = { all: 0, failed: 0 };
    const { port } = await serve({
      tls,
      certificateRead: (isFailed) => {
        reads.all += 1;
        if (isFailed) reads.failed += 1;
      },
      environment: { clock },
      log: { ...log, error: (_, message) => void messages.push(message) },
    });
    expect(await nameOf(port)).toBe('first');
    expect(reads).toEqual({ all: 1, failed: 0 });
    await writeFile(tls.keyFile, 'invalid');
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return messages;
      })
      .toEqual(['certificate was not read; the previous one stays in use']);
    expect(reads.failed).toBeGreaterThan(0);
    expect(reads.all).toBeGreaterThan(reads.failed);
    expect(await nameOf(port)).toBe('first');
    await write('second');
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return nameOf(port);
      })
      .toBe('second');
  });

  it('issues a self-signed certificate, another one after 10 days, and refuses plain HTTP', async () => {
    const clock = new FakeClock();
    const { port, url } = await serve({ tls: 'self-signed', environment: { clock } });
    const fingerprint = async (): Promise<string> => {
      const socket = await open(port);
      const { fingerprint256, valid_to } = socket.getPeerCertificate();
      expect(Date.parse(valid_to) - Date.now()).toBeGreaterThan(29 * 24 * 3_600_000);
      return fingerprint256;
    };
    const first = await fingerprint();
    expect(await fingerprint()).toBe(first);
    await clock.advance(10 * 24 * 3_600_000);
    expect(await fingerprint()).not.toBe(first);
    await expect(fetch(url)).rejects.toThrow();
  });

  it.each(['files', 'self-signed'] as const)(
    'with %s has no HTTP/2, and no timer after close',
    async (kind) => {
      const tls = kind === 'files' ? await certificateFolder() : kind;
      const clock = new FakeClock();
      const { port, server } = await serve({ tls, environment: { clock } });
      const socket = await open(port, { ALPNProtocols: ['http/1.1'] });
      expect(socket.alpnProtocol).toBe('http/1.1');
      await expect(open(port, { ALPNProtocols: ['h2'] })).rejects.toThrow();
      const handshake = connect(port, '127.0.0.1');
      const end = readAll(handshake);
      await once(handshake, 'connect');
      await server.close();
      await end;
      expect(clock.armed).toBe(0);
    },
  );

  it('rejects if the certificate cannot be read', async () => {
    const tls = { certFile: '/missing/tls.crt', keyFile: '/missing/tls.key' };
    await expect(serve({ tls })).rejects.toThrow(/ENOENT.*; change the port or the files of the certificate/);
  });
});
