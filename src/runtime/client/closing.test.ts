/**
 * `close()` ends watches, and the calls that wait with a watch, also while they pause between two requests.
 */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { statuses } from '../../../test/support/runtime/failures.ts';
import { FakeClock } from '../../../test/support/runtime/fake-clock.ts';
import { listOf, thing } from '../../../test/support/runtime/scripted-source.ts';
import { things } from '../../../test/support/runtime/stub-api.ts';
import type { Request, Response } from '../api/transport.ts';
import { InformerFactoryBase } from '../cache/factory.ts';
import { DiscoveryClient } from '../discovery/client.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { closedSignals } from '../rest/abort/abort-on-close.ts';
import { RESTClient } from '../rest/client.ts';
import { until, untilObjects } from '../watch/wait/until.ts';
import { watch } from '../watch/watch.ts';
import { ClientsetBase } from './clientset.ts';
import { listWatch } from './reading/list-watch.ts';

function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: body(),
    cancel: () => undefined,
  };
}

/** Responds with a `Retry-After` of five minutes. */
function busy({ method }: Request): Response {
  return method === 'DELETE'
    ? json(200, thing('web', 3))
    : json(429, statuses.busy, { 'retry-after': '300' });
}

/** Responds as a server whose history has expired. */
function forgetful({ query }: Request): Response {
  const watches = query.some(([name]) => name === 'watch');
  return watches ? json(410, statuses.expired) : json(200, listOf(5, []));
}

function setUp(respond: (request: Request) => Response) {
  const rest = new RESTClient({ server: 'http://stub' }, { transport: async (request) => respond(request) });
  const closed = closedSignals.get(rest);
  const pods = new DynamicClient(rest)
    .resource({ group: '', version: 'v1', resource: 'pods' })
    .namespace('shop');
  return {
    rest,
    pods,
    /** Number of pauses that wait for the end of the client. */
    pauses: () => (closed === undefined ? 0 : getEventListeners(closed, 'abort').length),
  };
}

type World = ReturnType<typeof setUp>;

/** Iterates until the end, and rejects with its error. */
async function drained(items: AsyncIterable<unknown>): Promise<string> {
  for await (const item of items) void item;
  return 'no error';
}

const onRetry = (): void => undefined;

/** A clock that does not advance: a pause ends only with its signal or with its client. */
const environment = { clock: new FakeClock(), random: () => 0 };

const calls: Readonly<Record<string, (world: World, signal?: AbortSignal) => Promise<unknown>>> = {
  watch: ({ pods }, signal) => drained(pods.watch({ onRetry, signal })),
  watchTable: ({ pods }, signal) => drained(pods.watchTable({ onRetry, signal })),
  waitFor: ({ pods }, signal) => pods.waitFor('web', () => false, { onRetry, signal }),
  deleteAndWait: ({ pods }, signal) => pods.deleteAndWait('web', { onRetry, signal }),
  until: ({ pods }, signal) => until(pods, () => false, { onRetry, signal, environment }),
  untilObjects: ({ pods }, signal) => untilObjects(pods, () => false, { onRetry, signal, environment }),
  'a watch of listWatch': ({ rest }, signal) =>
    drained(
      watch(listWatch(rest, { resource: things, namespace: 'shop' }), { onRetry, signal, environment }),
    ),
};

const clientClosed = { name: 'TransportError', code: 'CLIENT_CLOSED' };

/** Loops without an end of their own. */
const loops: ReadonlySet<string> = new Set(['watch', 'watchTable', 'a watch of listWatch']);

describe.each(Object.entries(calls))('%s in a pause that the server requested', (name, call) => {
  it('rejects at once when its client is closed', async () => {
    const world = setUp(busy);
    const end = call(world).catch((error: unknown) => error);
    await expect.poll(world.pauses).toBe(1);
    await world.rest.close();
    expect(await end).toMatchObject({
      ...clientClosed,
      message: expect.stringContaining('the client is closed'),
    });
    expect(world.pauses()).toBe(0);
  });

  const title = loops.has(name)
    ? 'ends without an error by its signal'
    : 'rejects with the reason of its signal';
  it(`${title}, and leaves no listener in the signal of the client`, async () => {
    const world = setUp(busy);
    const controller = new AbortController();
    const end = call(world, controller.signal).catch((error: unknown) => error);
    await expect.poll(world.pauses).toBe(1);
    controller.abort('enough');
    expect(await end).toBe(loops.has(name) ? 'no error' : 'enough');
    expect(world.pauses()).toBe(0);
  });
});

it.each(['until', 'untilObjects', 'waitFor'])(
  '%s rejects at once while it waits to list again',
  async (name) => {
    const world = setUp(forgetful);
    const end = calls[name]?.(world).catch((error: unknown) => error);
    await expect.poll(world.pauses).toBe(1);
    await world.rest.close();
    expect(await end).toMatchObject(clientClosed);
    expect(world.pauses()).toBe(0);
  },
);

describe('a function that ends a client, without its object', () => {
  const config = { server: 'http://stub' };
  const transport = async (): Promise<Response> => json(200, thing('web', 3));
  const get = {
    method: 'GET',
    path: '/',
    query: [],
    headers: {},
    operation: { verb: 'get', resource: 'x' },
  } as const;

  it.each([
    ['a RESTClient', () => new RESTClient(config, { transport })],
    ['a clientset', () => new ClientsetBase(config, { transport })],
    ['a DynamicClient', () => new DynamicClient(config, { transport })],
    ['a DiscoveryClient', () => new DiscoveryClient(config, { transport })],
  ])('closes %s', async (_name, create) => {
    const client = create();
    const rest = client instanceof RESTClient ? client : client.rest;
    const { close } = client;
    await rest.request(get);
    await close();
    expect(closedSignals.get(rest)?.aborted).toBe(true);
  });

  it('calls the method of a derived class', async () => {
    const calls: string[] = [];
    class Own extends ClientsetBase {
      override async close(): Promise<void> {
        calls.push('own');
        await super.close();
      }
    }
    const client = new Own(config, { transport });
    const { close } = client;
    await close();
    expect([calls, closedSignals.get(client.rest)?.aborted]).toEqual([['own'], true]);
  });

  it('does not close a RESTClient that the clientset shares', async () => {
    const rest = new RESTClient(config, { transport });
    const { close } = new ClientsetBase(rest);
    await close();
    expect(closedSignals.get(rest)?.aborted).toBe(false);
  });

  it('stops the informers of a factory', async () => {
    const world = setUp(busy);
    const factory = new InformerFactoryBase({ rest: world.rest }, { namespace: 'shop' });
    const informer = factory.of(things);
    factory.on('error', () => undefined);
    const { stop } = factory;
    factory.start();
    await stop();
    await expect(informer.synced).rejects.toThrow('was stopped');
    await world.rest.close();
  });
});

it('an informer in a pause ends when its client is closed', async () => {
  const world = setUp(busy);
  const factory = new InformerFactoryBase({ rest: world.rest }, { namespace: 'shop' });
  const informer = factory.of(things);
  factory.on('error', () => undefined);
  factory.start();
  await expect.poll(world.pauses).toBe(1);
  await world.rest.close();
  await expect(informer.synced).rejects.toThrow('the client is closed');
  expect(world.pauses()).toBe(0);
  await factory.stop();
});
