import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { isApiError, isTransportError, type RESTClient } from '@kgen/runtime';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type CertificateAuthority,
  createAuthority,
  type KeyPair,
} from '../../src/testserver/http/tls/certificates.ts';
import { failure, joined, listen, open, reach } from './support.ts';

let authority: CertificateAuthority;
let pair: KeyPair;
beforeAll(async () => {
  authority = await createAuthority();
  pair = await authority.issueServer('api', { names: ['localhost'], addresses: ['127.0.0.1'] });
});
afterEach(() => vi.unstubAllEnvs());

type Answer = (
  stream: ServerHttp2Stream,
  path: string,
  session: ServerHttp2Session,
  connection: number,
  headers: IncomingHttpHeaders,
) => void;

const json = { ':status': 200, 'content-type': 'application/json' };

interface Running {
  readonly rest: RESTClient;
  readonly sessions: readonly ServerHttp2Session[];
  readonly port: number;
}

/** Starts an HTTP/2 server and records the sessions that clients open. */
async function start(answer: Answer, settings = {}): Promise<Running> {
  const sessions: ServerHttp2Session[] = [];
  const server: Http2SecureServer = createSecureServer({ ...pair, settings });
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    for (const [connection, session] of sessions.entries()) {
      if (session === stream.session) answer(stream, String(headers[':path']), session, connection, headers);
    }
  });
  // Connections of an HTTP/2 server are ordinary sockets.
  const port = await listen(server as unknown as Server);
  const rest = open({ server: `https://127.0.0.1:${port}`, tls: { ca: authority.cert } }, { http2: true });
  return { rest, sessions, port };
}

const watch = {
  method: 'GET',
  path: '/watch',
  query: [],
  headers: {},
  operation: { verb: 'watch', resource: 'things' },
} as const;

describe('HTTP/2', () => {
  it('sends the same as HTTP/1.1: method, query, repeated headers, a body', async () => {
    const { rest } = await start((stream, path, _session, _connection, headers) => {
      let body = '';
      stream.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      stream.on('end', () => {
        stream.respond(json);
        const { ':method': method, 'content-length': length, 'impersonate-group': groups } = headers;
        stream.end(JSON.stringify({ method, path, length, groups, body }));
      });
    });
    const answer = await rest.post('/api/things', {
      query: { dryRun: 'All' },
      body: { text: 'ä' },
      impersonate: { user: 'jane', groups: ['a', 'b'] },
    });
    expect(answer).toEqual({
      method: 'POST',
      path: '/api/things?dryRun=All',
      length: '13',
      groups: 'a, b',
      body: '{"text":"ä"}',
    });
  });

  it('sends concurrent requests over one connection', async () => {
    const { rest, sessions } = await start((stream) => {
      stream.respond(json);
      stream.end('{"ok":true}');
    });
    await Promise.all(Array.from({ length: 90 }, () => rest.get('/')));
    for (let round = 0; round < 20; round += 1) await rest.get('/');
    expect(sessions).toHaveLength(1);
  });

  it('falls back to HTTP/1.1 if the server does not support HTTP/2', async () => {
    const server = createServer(pair, (request, response) => {
      response.end(JSON.stringify({ version: request.httpVersion }));
    });
    const rest = open(
      { server: `https://127.0.0.1:${await listen(server)}`, tls: { ca: authority.cert } },
      { http2: true },
    );
    expect(await Promise.all([rest.get('/a'), rest.get('/b')])).toEqual([
      { version: '1.1' },
      { version: '1.1' },
    ]);
  });

  it('is disabled by DISABLE_HTTP2', async () => {
    vi.stubEnv('DISABLE_HTTP2', '1');
    const { rest } = await start((stream) => stream.end());
    expect(isTransportError(await failure(rest.get('/')))).toBe(true);
  });

  it('does not block requests behind 200 watches that are not read', async () => {
    const block = Buffer.alloc(64 * 1024, 'x');
    const { rest, sessions } = await start(
      (stream, path) => {
        stream.respond(json);
        if (path === '/quick') stream.end('{}');
        else stream.write(block);
      },
      { maxConcurrentStreams: 50 },
    );
    const streams = await Promise.all(Array.from({ length: 200 }, () => rest.stream(watch)));
    await expect(rest.get('/quick')).resolves.toEqual({});
    await expect(rest.post('/quick', { body: {} })).resolves.toEqual({});
    expect(sessions.length).toBeLessThanOrEqual(6);
    for (const stream of streams) stream.cancel();
  });

  it('returns errors of the server, and decodes gzip', async () => {
    const { rest } = await start((stream, path) => {
      if (path === '/gzip') {
        stream.respond({ ...json, 'content-encoding': 'gzip' });
        stream.end(gzipSync('{"packed":true}'));
      } else {
        stream.respond({ ...json, ':status': 404 });
        stream.end('{"kind":"Status","reason":"NotFound","code":404}');
      }
    });
    expect(isApiError(await failure(rest.get('/none')))).toBe(true);
    expect(await rest.get('/gzip')).toEqual({ packed: true });
  });

  it('cancels a stream on the server and keeps the connection', async () => {
    let closed: (code: number) => void = () => undefined;
    const code = new Promise<number>((resolve) => {
      closed = resolve;
    });
    const { rest, sessions } = await start((stream, path) => {
      stream.respond(json);
      if (path === '/quick') return void stream.end('{}');
      stream.write('x');
      stream.on('close', () => closed(stream.rstCode ?? -1));
    });
    const response = await rest.stream(watch);
    response.cancel();
    expect(await code).toBe(8);
    const controller = new AbortController();
    const again = await rest.stream({ ...watch, signal: controller.signal });
    const body = again.body[Symbol.asyncIterator]();
    await body.next();
    const next = failure(body.next());
    controller.abort(new Error('enough'));
    expect((await next).message).toBe('enough');
    expect(sessions).toHaveLength(1);
  });
});

describe('a connection with HTTP/2 that', () => {
  it('sends GOAWAY completes its requests and is replaced', async () => {
    const connections: number[] = [];
    let finish: () => void = () => undefined;
    let said: () => void = () => undefined;
    const goodbye = new Promise<void>((resolve) => {
      said = resolve;
    });
    const { rest } = await start((stream, path, session, connection) => {
      connections.push(connection);
      stream.respond(json);
      if (path !== '/slow') return void stream.end('{"quick":true}');
      finish = () => stream.end('{"slow":true}');
      stream.write(' ');
      session.goaway(0);
      said();
    });
    const slow = rest.get('/slow');
    await goodbye;
    // No request is lost, whether GOAWAY has arrived or not.
    while (!connections.includes(1)) await expect(rest.get('/quick')).resolves.toEqual({ quick: true });
    finish();
    await expect(slow).resolves.toEqual({ slow: true });
  });

  it('rejects the start of a request is retried, also for a write', async () => {
    let refused = 0;
    const { rest } = await start((stream) => {
      if (refused < 2) {
        refused += 1;
        return void stream.close(7);
      }
      stream.respond(json);
      stream.end('{}');
    });
    await expect(rest.post('/things', { body: {} })).resolves.toEqual({});
    expect(refused).toBe(2);
  });

  it('is closed causes an error for writes, and a retry for reads', async () => {
    const { rest } = await start((stream, _path, session, connection) => {
      if (connection === 0) return void session.destroy();
      stream.respond(json);
      stream.end('{}');
    });
    const error = await failure(rest.post('/things', { body: {} }));
    expect(isTransportError(error)).toBe(true);
    await expect(rest.get('/things')).resolves.toEqual({});
    const { rest: reader } = await start((stream, _path, session, connection) => {
      if (connection === 0) return void session.destroy();
      stream.respond(json);
      stream.end('{}');
    });
    await expect(reader.get('/things')).resolves.toEqual({});
  });

  it.each([
    ['resets the stream', (stream: ServerHttp2Stream) => stream.destroy(new Error('cut'))],
    ['ends before it is complete', (stream: ServerHttp2Stream) => stream.end()],
    ['is gone', (stream: ServerHttp2Stream) => stream.session?.destroy()],
  ])('%s within a response never returns a truncated body', async (_, cut) => {
    const { rest } = await start((stream) => {
      stream.respond({ ...json, 'content-length': 100 });
      stream.write('{"half":', () => cut(stream));
    });
    const error = await failure(rest.post('/things', { body: {} }));
    expect(error.message).toMatch(/^post \/things: .*, in the middle of the response/);
    expect(isTransportError(error)).toBe(true);
  });

  it('does not respond to a ping is closed', async () => {
    vi.stubEnv('HTTP2_READ_IDLE_TIMEOUT_SECONDS', '1');
    vi.stubEnv('HTTP2_PING_TIMEOUT_SECONDS', '1');
    const { port } = await start((stream) => {
      stream.respond(json);
      stream.write('x');
    });
    const sockets: Socket[] = [];
    const relay = await listen(
      createTcpServer((socket) => {
        const onward = reach(port);
        sockets.push(socket, onward);
        joined(socket, onward);
      }),
    );
    const rest = open({ server: `https://127.0.0.1:${relay}`, tls: { ca: authority.cert } }, { http2: true });
    const response = await rest.stream(watch);
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    for (const socket of sockets) socket.unpipe().pause();
    const error = await failure(body.next());
    expect(error.message).toMatch(/did not acknowledge an HTTP\/2 ping within 1 s/);
  });

  it('responds to pings stays open, even if its watch is silent', async () => {
    vi.stubEnv('HTTP2_READ_IDLE_TIMEOUT_SECONDS', '1');
    vi.stubEnv('HTTP2_PING_TIMEOUT_SECONDS', '1');
    let write: () => void = () => undefined;
    const { rest, sessions } = await start((stream) => {
      stream.respond(json);
      stream.write('x');
      write = () => stream.write('y');
    });
    const response = await rest.stream(watch);
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    let pings = 0;
    await new Promise<void>((resolve) =>
      sessions[0]?.on('ping', () => {
        pings += 1;
        if (pings === 3) resolve();
      }),
    );
    write();
    expect(Buffer.from((await body.next()).value ?? []).toString()).toBe('y');
    response.cancel();
  });
});
