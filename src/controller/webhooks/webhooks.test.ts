import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { type CertificateFolder, certificateFolder } from '../health/certificates.fixture.ts';
import { Manager } from '../manager/manager.ts';
import type { ManagerOptions, ServedReviews } from '../manager/options.ts';
import { validates } from './declarations/admission.ts';
import { admissionReview, ring, rings } from './review/reviews.fixture.ts';
import { type WebhooksOptions, webhooks } from './webhooks.ts';

const ignore = (): void => undefined;
const path = '/validates/example.com/v1/rings';
const config = { server: 'http://127.0.0.1:1' };
const address = { port: 0, host: '127.0.0.1' };
const handlers = [validates(rings, { handle: () => undefined })];

interface Received {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly body: string;
}

async function world(
  options: ManagerOptions & { readonly webhooks?: Partial<WebhooksOptions>; readonly api?: string } = {},
) {
  const folder = await certificateFolder();
  const clock = new FakeClock();
  const logged: string[] = [];
  const note = (_: object, message: string): void => void logged.push(message);
  const manager = new Manager(options.api === undefined ? config : { server: options.api }, {
    log: { debug: ignore, info: note, warn: note, error: note },
    environment: { clock, random: () => 0.5 },
    handleSignals: false,
    health: address,
    metrics: address,
    ...options,
  });
  const part = webhooks({ ...address, handlers, certificates: folder, ...options.webhooks });
  manager.add(part);
  const stop = new AbortController();
  const ended = manager.run({ signal: stop.signal });
  ended.catch(ignore);
  onTestFinished(async () => {
    stop.abort();
    for (const kill = Date.now() + 5_000; Date.now() < kill; ) {
      const isOver = await Promise.race([ended.then(ignore, ignore).then(() => true), clock.advance(10_000)]);
      if (isOver === true) return;
    }
  });
  const get = (port: number | undefined, target: string): Promise<string> =>
    fetch(`http://127.0.0.1:${port}${target}`).then(
      async (response) => `${response.status} ${await response.text()}`,
    );
  const send = (client: object = {}): Promise<Received> => post(part.port, folder, client);
  return { manager, part, folder, clock, logged, stop, ended, get, send };
}

function post(port: number | undefined, { ca }: CertificateFolder, client: object): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: `${path}?timeout=10s`,
        method: 'POST',
        ca,
        headers,
        agent: false,
        ...client,
      },
      (response) => {
        let body = '';
        response.on('data', (bytes) => {
          body += bytes;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, connection: response.headers.connection, body }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(admissionReview('CREATE', ring({ size: 1 }))));
  });
}

describe('webhooks of a manager', () => {
  it('serve reviews, which metrics and records count, and are part of the readiness', async () => {
    const { manager, part, get, send } = await world();
    await expect.poll(() => get(manager.ports.health, '/readyz')).toBe('200 ok');
    const { status, body } = await send();
    expect([status, JSON.parse(body).response]).toEqual([200, { uid: 'u-1', allowed: true }]);
    expect(await get(manager.ports.health, '/readyz/webhooks')).toBe('200 ok');
    expect(await get(manager.ports.metrics, '/metrics')).toContain(
      `kgen_webhook_reviews_total{webhook="${path}",outcome="allowed"} 1`,
    );
    expect(await get(manager.ports.metrics, '/debug/reviews')).toMatch(
      /CREATE Ring\S* shop\/one by alice: allowed\n$/,
    );
    expect(part.declarations).toEqual(handlers);
  });

  it('serve on with closed connections after the stop has begun, and end last', async () => {
    const { part, stop, ended, clock, send, logged } = await world({ webhooks: { drainMs: 7_000 } });
    await expect.poll(() => part.port).toBeDefined();
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    expect((await send({ agent })).connection).toBe('keep-alive');
    stop.abort();
    await clock.advance(6_999);
    expect(await send({ agent })).toMatchObject({ status: 200, connection: 'close' });
    await clock.advance(1);
    await ended;
    await expect(send()).rejects.toThrow('ECONNREFUSED');
    expect(logged.filter((message) => message.includes('abandoned'))).toEqual([]);
  });

  it('end at once without a grace period', async () => {
    const { part, stop, ended, send } = await world({ gracePeriodMs: 0 });
    await expect.poll(() => part.port).toBeDefined();
    stop.abort();
    await ended;
    await expect(send()).rejects.toThrow('ECONNREFUSED');
  });

  it('refuse clients without a certificate of the authority, which may change', async () => {
    const own = await certificateFolder();
    const other = await certificateFolder();
    const clientCa = join(own.directory, 'ca.crt');
    await writeFile(clientCa, own.ca);
    const { part, manager, get, send, clock } = await world({ webhooks: { clientCa } });
    await expect.poll(() => part.port).toBeDefined();
    const clients = [own, other].map(({ authority }) => authority.issueClient('api', []));
    expect((await send(clients[0])).status).toBe(200);
    await expect(send()).rejects.toThrow();
    await expect(send(clients[1])).rejects.toThrow();
    await writeFile(clientCa, other.ca);
    await expect
      .poll(async () => {
        await clock.advance(10_000);
        return send(clients[1]).then(({ status }) => status, ignore);
      })
      .toBe(200);
    await expect(send(clients[0])).rejects.toThrow();
    expect(await get(manager.ports.health, '/readyz/webhooks')).toBe('200 ok');
  });

  it.each([
    [
      'the folder has no certificate',
      { certificates: { directory: '/missing' } },
      /ENOENT.*\/missing\/tls.crt/,
    ],
    ['the file of authorities is missing', { clientCa: '/missing/ca.crt' }, /ENOENT.*\/missing\/ca.crt/],
  ])('fail to start if %s', async (_, more, message) => {
    const { ended } = await world({ webhooks: more });
    await expect(ended).rejects.toThrow(message);
  });

  it('close their port if they cannot be registered', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 403, reason: 'Forbidden' };
    const api = createServer((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...status, message: 'not allowed here' }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void api.close());
    await once(api, 'listening');
    const place = api.address();
    const port = place instanceof Object ? place.port : 0;
    const { ended, part, send } = await world({
      api: `http://127.0.0.1:${port}`,
      webhooks: { register: {} },
    });
    await expect(ended).rejects.toThrow('not allowed here');
    expect(part.port).toBeDefined();
    await expect(send()).rejects.toThrow('ECONNREFUSED');
  });

  it('are served by a function in place of a port', async () => {
    let served: ServedReviews | undefined;
    let isReleased = false;
    const { manager, get, stop, ended, part } = await world({
      webhooks: { certificates: {} },
      serveWebhooks: (reviews) => {
        served = reviews;
        return () => {
          isReleased = true;
        };
      },
    });
    await expect.poll(() => get(manager.ports.health, '/readyz')).toBe('200 ok');
    expect([served?.paths, part.port]).toEqual([[path], undefined]);
    const body = Buffer.from(JSON.stringify(admissionReview('CREATE', ring())));
    const response = await served?.respond(path, body, { signal: new AbortController().signal });
    expect(response?.status).toBe(200);
    expect(await get(manager.ports.metrics, '/debug/reviews?limit=1')).toContain('allowed');
    stop.abort();
    await ended;
    expect(isReleased).toBe(true);
  });

  it('are part of one manager, which has one set of them', () => {
    const part = webhooks({ handlers });
    const manager = new Manager(config, {}).add(part);
    expect(() => new Manager(config, {}).add(part)).toThrow('webhooks are part of one manager');
    expect(() => manager.add(webhooks({ handlers }))).toThrow('exists already');
    expect(() => new Manager(config, {}).add(webhooks({ handlers: [...handlers, ...handlers] }))).toThrow(
      `two webhooks are declared for ${path}`,
    );
  });

  it.each([{ maxBytes: 0 }, { maxBytes: Number.NaN }, { drainMs: -1 }])(
    'refuse the options %j',
    (options) => {
      expect(() => webhooks({ handlers, ...options })).toThrow(RangeError);
    },
  );

  it('review without a manager', async () => {
    const { status, body } = await webhooks({ handlers }).review(path, admissionReview('CREATE', ring()));
    expect([status, body]).toMatchObject([200, { response: { allowed: true } }]);
  });
});
