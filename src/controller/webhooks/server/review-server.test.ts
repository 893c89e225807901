import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { Registry } from 'prom-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../../test/support/runtime/fake-clock.ts';
import { readAuthorities, readCertificate, WatchedFiles } from '../../health/certificate-files.ts';
import { certificateFolder } from '../../health/certificates.fixture.ts';
import { checkOwnPort } from './own-port.ts';
import { ReviewMetrics } from './review-metrics.ts';
import { reviewMs } from './review-request.ts';
import { ReviewServer, type ReviewServerOptions, reviewLimits, type ServedReview } from './review-server.ts';

const ignore = (): void => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const path = '/validates/example.com/v1/rings';
const conversion = '/convert/example.com/rings';

async function world(
  options: Partial<ReviewServerOptions> & { readonly clientCa?: boolean; readonly isIdle?: boolean } = {},
) {
  const folder = await certificateFolder();
  const clock = new FakeClock();
  const registry = new Registry();
  const stopping = new AbortController();
  const paths = [path, conversion];
  const reviews: ServedReview[] = [];
  const { certFile } = folder;
  const { isIdle = false } = options;
  const parts = { clock, log };
  const server = new ReviewServer({
    port: 0,
    host: '127.0.0.1',
    certificates: new WatchedFiles({ ...parts, files: folder, read: () => readCertificate(folder) }),
    clientAuthorities: options.clientCa
      ? new WatchedFiles({ ...parts, files: { certFile }, read: () => readAuthorities(`${certFile}.ca`) })
      : undefined,
    maxBytes: 1000,
    paths,
    respond: async (review) => {
      reviews.push(review);
      return { status: 200, body: '{"response":{}}' };
    },
    metrics: new ReviewMetrics(registry, paths),
    stopping: stopping.signal,
    ...parts,
    ...options,
  });
  const deadline = new AbortController();
  if (!isIdle) await server.start();
  onTestFinished(() => {
    deadline.abort();
    return server.close(deadline.signal);
  });
  const open = async (more: ConnectionOptions = {}): Promise<Client> => {
    const socket = connect({ port: server.port, host: '127.0.0.1', ca: folder.ca, ...more });
    onTestFinished(() => void socket.destroy());
    const client = new Client(socket);
    await once(socket, 'secureConnect');
    return client;
  };
  const metrics = async (): Promise<readonly string[]> =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { folder, clock, stopping, server, reviews, open, metrics, deadline };
}

/** A connection with requests one after the other. */
class Client {
  readonly socket: TLSSocket;
  readonly closed: Promise<void>;
  #text = '';

  constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('error', ignore);
    socket.on('data', (bytes) => {
      this.#text += bytes.toString();
    });
    this.closed = new Promise((resolve) => void socket.once('close', () => resolve()));
  }

  /** Sends bytes and returns the next response. */
  async send(bytes: string): Promise<string> {
    this.#text = '';
    this.socket.write(bytes);
    await expect.poll(() => this.#isComplete(), { interval: 2 }).toBe(true);
    return this.#text;
  }

  #isComplete(): boolean {
    const [head = '', body] = this.#text.split('\r\n\r\n');
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    return body !== undefined && body.length === Number(length);
  }
}

const post = (target = path, body = '{}', headers = 'content-type: application/json'): string =>
  `POST ${target} HTTP/1.1\r\nhost: a\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

describe('a server of reviews', () => {
  it('passes path, headers and body on, and keeps the connection open for longer than API servers do', async () => {
    const { open, reviews, server } = await world();
    const client = await open({ ALPNProtocols: ['http/1.1'] });
    const response = await client.send(post(`${path}?timeout=10s`, '{"a":1}'));
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\n/);
    expect(response).toContain('Keep-Alive: timeout=95\r\n');
    expect(response).toMatch(/\{"response":\{\}\}$/);
    expect(reviews.map((review) => [review.path, Buffer.from(review.body).toString()])).toEqual([
      [path, '{"a":1}'],
    ]);
    expect(await client.send(post())).toContain('200 OK');
    await expect(open({ ALPNProtocols: ['h2'] })).rejects.toThrow();
    expect(server.port).toBeGreaterThan(0);
  });

  it('closes no connection within the 90 s for which API servers keep it, used or not', () => {
    const { maxRequestsPerSocket, maxConnections, ...times } = reviewLimits;
    for (const [name, ms] of Object.entries(times)) expect([name, ms > 90_000]).toEqual([name, true]);
    expect([maxRequestsPerSocket, maxConnections]).toEqual([0, 2_000]);
  });

  it.each([
    ['an unknown path', post('/other'), 404],
    ['an unknown path with GET', 'GET /validates HTTP/1.1\r\nhost: a\r\n\r\n', 404],
    ['GET', `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`, 405],
    ['another type', post(path, '{}', 'content-type: text/plain'), 415],
    ['a type that begins as JSON', post(path, '{}', 'content-type: application/json5'), 415],
    ['no type', post(path, '{}', 'x: y'), 415],
    ['a body of the maximum', post(path, 'x'.repeat(1000)), 200],
    ['a charset', post(path, '{}', 'content-type: application/json; charset=utf-8'), 200],
    ['a longer body', post(path, 'x'.repeat(1001)), 413],
    [
      'an announced body that is not sent',
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n`,
      413,
    ],
    [
      'chunks that exceed the maximum',
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${`12c\r\n${'x'.repeat(300)}\r\n`.repeat(4)}`,
      413,
    ],
  ])('responds to %s', async (_, bytes, status) => {
    const { open, reviews } = await world();
    const client = await open();
    expect((await client.send(bytes)).slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(reviews.length).toBe(status === 200 ? 1 : 0);
  });

  it.each([
    ['no HTTP', 'nonsense\r\n\r\n'],
    ['a negative length', `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n`],
    ['a length that is not a number', `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1e3\r\n\r\n`],
    [
      'two lengths',
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['long headers', `POST ${path} HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a path of a prototype', post('/__proto__')],
    ['an absolute target', post('http://evil/')],
    ['a malformed query', post(`${path}?timeout=%E0%A4%A&timeout=1s`)],
    ['the end of the connection', `POST ${path} HTTP/1.1\r\n`],
  ])('continues after a request with %s', async (_, bytes) => {
    const { open, reviews, server } = await world();
    const hostile = await open();
    hostile.socket.end(bytes);
    await hostile.closed;
    const plain = connectTcp(server.port ?? 0, '127.0.0.1');
    plain.on('error', ignore).end(bytes);
    await new Promise((resolve) => plain.once('close', resolve));
    const before = reviews.length;
    expect(await (await open()).send(post())).toContain('200 OK');
    expect(reviews.length).toBe(before + 1);
  });

  it('ends a request whose body is too large without reading it whole', async () => {
    const { open, clock } = await world();
    const client = await open();
    const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n`;
    expect(await client.send(head)).toContain('Connection: close'.toLowerCase());
    await clock.advance(500);
    await client.closed;
  });

  it('refuses a body that does not arrive in the time of the review, with 408', async () => {
    const { open, clock } = await world();
    const client = await open();
    const response = client.send(post(`${path}?timeout=1s`).slice(0, -1));
    await expect.poll(() => clock.armed).toBeGreaterThan(1);
    await clock.advance(900);
    expect(await response).toMatch(/^HTTP\/1\.1 408/);
  });

  it.each([
    [`${path}?timeout=2s`, 1800],
    [path, 9500],
    [conversion, 29_500],
  ])('aborts the signal of %s before the API server stops waiting', async (target, ms) => {
    let reached: (review: ServedReview) => void = ignore;
    const review = new Promise<ServedReview>((resolve) => {
      reached = resolve;
    });
    const respond: ReviewServerOptions['respond'] = async (served) => {
      reached(served);
      await once(served.signal, 'abort');
      return { status: 200, body: '"late"' };
    };
    const { open, clock } = await world({ respond });
    const client = await open();
    const response = client.send(post(target));
    const { signal } = await review;
    await clock.advance(ms - 1);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
    expect(await response).toContain('"late"');
  });

  it('aborts the signal if the connection is closed', async () => {
    let reached: (review: ServedReview) => void = ignore;
    const review = new Promise<ServedReview>((resolve) => {
      reached = resolve;
    });
    const { open, metrics } = await world({
      respond: (served) => {
        reached(served);
        return once(served.signal, 'abort').then(() => ({ status: 200, body: '' }));
      },
    });
    const client = await open();
    client.socket.write(post());
    const { signal } = await review;
    client.socket.destroy();
    await expect.poll(() => signal.aborted).toBe(true);
    await expect
      .poll(metrics)
      .toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 0`);
  });

  it('responds with 500 or closes the connection if a part fails, and continues', async () => {
    const failures: (() => Promise<never>)[] = [
      () => Promise.reject(new Error('a part failed')),
      () => {
        throw new Error('a part failed');
      },
    ];
    const { open } = await world({
      respond: async () => (await failures.pop()?.()) ?? { status: 200, body: '1' },
    });
    for (const _ of [...failures]) {
      const client = await open();
      client.socket.write(post());
      await client.closed;
    }
    expect(await (await open()).send(post())).toContain('200 OK');
  });
});

describe('reviewMs', () => {
  it.each([
    ['10s', 9500],
    ['1m30s', 29_500],
    ['500ms', 450],
    ['1s', 900],
    ['1.5s', 1350],
    [null, 9500],
    ['', 9500],
    ['10', 9500],
    ['-3s', 9500],
    ['0s', 9500],
    ['1e9s', 9500],
    ['NaN', 9500],
    [`${'9'.repeat(60)}s`, 9500],
  ])('of %j is %i', (timeout, ms) => {
    expect(reviewMs(timeout, false)).toBe(ms);
  });
});

describe('the connections of a server of reviews', () => {
  it('are closed by responses after the stop has begun', async () => {
    const { open, stopping } = await world();
    const [used, unused] = [await open(), await open()];
    expect(await used.send(post())).toContain('keep-alive');
    stopping.abort();
    expect(await used.send(post())).toContain('connection: close');
    await used.closed;
    expect(await unused.send(post())).toContain('connection: close');
    expect(await (await open()).send(post())).toContain('200 OK');
  });

  it('are closed at once without a request, and after its response with one', async () => {
    let release: (response: { readonly status: number; readonly body: string }) => void = ignore;
    const { open, server, metrics, deadline } = await world({
      respond: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    const [busy, fresh] = [await open(), await open()];
    const response = busy.send(post());
    await expect
      .poll(metrics)
      .toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 1`);
    const closed = server.close(deadline.signal);
    await fresh.closed;
    const refused = connectTcp(server.port ?? 0, '127.0.0.1');
    await expect(once(refused, 'connect')).rejects.toThrow('ECONNREFUSED');
    release({ status: 200, body: '"last"' });
    expect(await response).toContain('"last"');
    await closed;
    await busy.closed;
  });

  it('end at the deadline of the stop', async () => {
    const { open, server, metrics, deadline } = await world({ respond: () => new Promise(ignore) });
    const client = await open();
    client.socket.write(post());
    await expect
      .poll(metrics)
      .toContain(`controller_runtime_webhook_requests_in_flight{webhook="${path}"} 1`);
    const closed = server.close(deadline.signal);
    deadline.abort();
    await closed;
    await client.closed;
  });
});

describe('the certificates of a server of reviews', () => {
  it('are exchanged without closing a connection, and are checked for readiness', async () => {
    const { folder, clock, server, open } = await world({ isIdle: true });
    await expect(checkOwnPort(server)).rejects.toThrow('do not listen yet');
    await server.start();
    const client = await open();
    await checkOwnPort(server);
    await folder.write('second');
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return (await open()).socket.getPeerCertificate().subject.CN;
      })
      .toBe('second');
    expect(await client.send(post())).toContain('200 OK');
    await checkOwnPort(server);
  });
});

describe('metrics of a server of reviews', () => {
  it('have the names of controller-runtime', async () => {
    const { open, metrics } = await world();
    const client = await open();
    await client.send(post());
    await client.send(post(path, 'x', 'a: b'));
    const lines = await metrics();
    expect(lines).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"} 1`);
    expect(lines).toContain(`controller_runtime_webhook_requests_total{webhook="${path}",code="415"} 1`);
    expect(lines).toContain(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"} 2`);
    expect(lines).toContain('controller_runtime_webhook_panics_total 0');
  });
});
