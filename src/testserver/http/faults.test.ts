import { setTimeout } from 'node:timers/promises';
import { isConflict, isTooManyRequests, RESTClient, TransportError } from '@kgen/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call, crd, create, foosPath, next, start, watch } from '../client.fixture.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../server/testserver.ts';
import type { FaultOptions } from './faults.ts';

/** A client of one server, through a socket or within the process, that does not retry. */
async function clientOf(kind: string, options: TestServerOptions = {}): Promise<[TestServer, RESTClient]> {
  const server = await startTestServer({ crds: [{ yaml: crd }], ...options });
  const transport = kind === 'a socket' ? {} : { transport: server.transport };
  const client = new RESTClient(server.config, transport);
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  return [server, client];
}

const foo = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name: 'a' }, spec: {} };

describe.each(['a socket', 'the process'])('faults of requests through %s', (kind) => {
  test.each<[string, FaultOptions, (error: unknown) => boolean]>([
    ['409', { status: 409, reason: 'Conflict' }, isConflict],
    ['429', { status: 429, retryAfterSeconds: 1 }, isTooManyRequests],
    ['500', { status: 500 }, (error) => error instanceof Error && error.message.includes('500')],
    ['a cut connection', { cut: 'before' }, (error) => error instanceof TransportError],
  ])('%s has no effect and hits only the matching user and verb', async (_, fault, is) => {
    const [server, client] = await clientOf(kind);
    const match = { verb: 'create', resource: 'foos', user: 'kubernetes-admin' };
    server.faults.failNext({ ...fault, match });
    await client.get(foosPath);
    const body = JSON.stringify(foo);
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', path: foosPath, body, headers, maxRetries: 0 } as const;
    await expect(client.request(request)).rejects.toSatisfy(is);
    await client.post(foosPath, { body: foo });
    server.requests.expect(match, 2);
    server.requests.expect({ verb: 'list' });
    expect(() => server.requests.expect({ user: 'jane' })).toThrow('expected at least 1 request with');
  });

  test('a connection that is cut after the effect loses the response', async () => {
    const [server, client] = await clientOf(kind);
    server.faults.failNext({ cut: 'after' });
    await expect(client.post(foosPath, { body: foo })).rejects.toThrow(TransportError);
    expect(server.requests[0]?.status).toBeUndefined();
    await expect(client.post(foosPath, { body: foo })).rejects.toThrow('already exists');
  });

  test('a delay lasts until virtual time reaches it', async () => {
    const [server, client] = await clientOf(kind, { time: 'virtual' });
    server.faults.failNext({ delayMs: 60_000, times: Number.POSITIVE_INFINITY });
    let isDone = false;
    const request = client.post(foosPath, { body: foo }).then(() => {
      isDone = true;
    });
    while (server.time.next() === undefined) await setTimeout(1);
    await server.time.advance(59_999);
    expect(isDone).toBe(false);
    await server.time.advance(1);
    await request;
    server.faults.clear();
    await client.get(foosPath);
  });
});

test('faults need an effect', async () => {
  const server = await start();
  expect(() => server.faults.failNext({})).toThrow('failNext needs status, cut or delayMs');
});

test('cuts, ends and expires only the watches that match', async () => {
  const server = await start();
  const all = await watch(server, '');
  const selected = await watch(server, 'labelSelector=x');
  await create(server, 'a', { labels: { x: '1' } });
  expect([await next(all), await next(selected)]).toEqual(['ADDED a', 'ADDED a']);
  expect(server.faults.expireWatches(({ query }) => query['labelSelector'] === 'x')).toBe(1);
  expect([await next(selected), await next(selected)]).toEqual(['ERROR', 'end']);
  expect(server.faults.cutWatches({ resource: 'bars' })).toBe(0);
  expect(server.faults.endWatches({ resource: 'foos', verb: 'watch' })).toBe(1);
  expect(await next(all)).toBe('end');
});

test('the log describes requests and forgets them on request', async () => {
  const server = await start();
  await call(server, `${foosPath}/a`);
  await call(server, '/version');
  expect(server.requests.map(({ verb, resource, name, status }) => [verb, resource, name, status])).toEqual([
    ['get', 'foos', 'a', 404],
    ['get', '', '', 200],
  ]);
  expect(server.requests.matching({ status: 404 }).length).toBe(1);
  expect(() => server.requests.expect({ status: 404 }, 2)).toThrow('got 1 of:\n  kubernetes-admin: GET');
  server.requests.clear();
  expect(server.requests.length).toBe(0);
});
