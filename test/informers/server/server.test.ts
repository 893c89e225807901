/** The server of the schedules behaves as kube-apiserver does. */
import { describe, expect, test } from 'vitest';
import { Chance } from '../chance.ts';
import { quiet } from '../quiet.ts';
import { SimulatedClock } from '../simulated-clock.ts';
import type { Traits } from './lists.ts';
import { ApiServer } from './server.ts';

const path = '/apis/example.com/v1/widgets';

interface Line {
  readonly type: string;
  /** Of a failure that is the whole response. */
  readonly status?: string;
  readonly object?: {
    readonly code?: number;
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: object;
    };
  };
}

function world(traits: Partial<Traits> = {}) {
  const clock = new SimulatedClock();
  const chance = new Chance(7);
  const server = new ApiServer(clock, chance, { cache: true, state: 'streamed', pageSize: 2, ...traits });
  const settle = (): Promise<void> => quiet(() => server.activity + clock.activity);
  const put = (name: string, tier = 'web'): void => {
    server.database.put({ namespace: 'shop', name, tier, size: 1 }, chance);
    server.publish();
  };
  for (const name of ['a', 'b', 'c']) put(name);
  const request = async (query: Readonly<Record<string, string>>) => {
    const hasResponse = server.handle({ path, query: Object.entries(query), headers: {} });
    await clock.pass(6000, settle);
    const response = await hasResponse;
    return {
      status: response.status,
      text: async () => Buffer.concat(await all(response.body)).toString(),
      response,
    };
  };
  /** Returns a summary of the events of a watch. */
  const follow = async (query: Readonly<Record<string, string>>) => {
    const { response, status } = await request({ watch: 'true', ...query });
    const reported: string[] = [];
    void (async () => {
      let text = '';
      for await (const chunk of response.body) text += Buffer.from(chunk).toString('latin1');
      reported.push(...text.split('\n').filter(Boolean).map(short), 'end');
    })();
    return { reported, status };
  };
  const pass = (ms: number): Promise<void> => clock.pass(ms, settle);
  return { server, put, request, follow, pass };
}

async function all(body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return chunks;
}

function short(line: string): string {
  const { type, status, object }: Line = JSON.parse(line);
  if (object === undefined) return String(status);
  const { name = '', annotations } = object.metadata;
  return `${type} ${object.code ?? name}${annotations === undefined ? '' : 'end of the state'}`;
}

describe('lists', () => {
  test.each<[string, Readonly<Record<string, string>>, Partial<Traits>, number]>([
    ['the newest state in pages', { limit: '5' }, {}, 2],
    ['version 0 from the cache, whole', { limit: '5', resourceVersion: '0' }, {}, 3],
    ['version 0 without a cache in pages', { limit: '5', resourceVersion: '0' }, { cache: false }, 2],
    ['not older than a version', { resourceVersion: '101' }, {}, 3],
    ['the exact version if there is a limit', { limit: '5', resourceVersion: '100' }, {}, 0],
  ])('return %s', async (_, query, traits, count) => {
    const { text } = await world(traits).request(query);
    expect(JSON.parse(await text()).items).toHaveLength(count);
  });

  test('continue from a token with the state of the first page until it is compacted', async () => {
    const { request, put, server } = world();
    const page = JSON.parse(await (await request({ limit: '2' })).text());
    put('d');
    const token = page.metadata.continue;
    const rest = JSON.parse(await (await request({ limit: '2', continue: token })).text());
    expect(
      rest.items.map(({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name),
    ).toEqual(['c']);
    expect(rest.metadata).toEqual({ resourceVersion: page.metadata.resourceVersion, continue: '' });
    server.compact();
    const gone = await request({ limit: '2', continue: token });
    expect([gone.status, JSON.parse(await gone.text()).reason]).toEqual([410, 'Expired']);
  });

  test('of a future resource version are rejected with 504', async () => {
    const { status, text } = await world().request({ resourceVersion: '5000' });
    expect([status, JSON.parse(await text()).message]).toEqual([504, expect.stringContaining('Too large')]);
  });
});

describe('watches', () => {
  test('stream the initial state, mark its end, and continue until their time-out', async () => {
    const { follow, put, pass } = world();
    const { reported } = await follow({
      sendInitialEvents: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '30',
    });
    put('d');
    await pass(31_000);
    const expected = ['ADDED a', 'ADDED b', 'ADDED c', 'BOOKMARK end of the state', 'ADDED d', 'end'];
    expect(reported).toEqual(expected);
  });

  test.each([400, 422] as const)('are rejected with %d if the state cannot be streamed', async (state) => {
    const { request } = world({ state });
    expect((await request({ watch: 'true', sendInitialEvents: 'true' })).status).toBe(state);
  });

  test('send DELETED for an object that leaves the selector', async () => {
    const { server, follow, put, pass } = world();
    const since = String(server.database.version);
    const { reported } = await follow({
      labelSelector: 'tier=web',
      resourceVersion: since,
      timeoutSeconds: '30',
    });
    put('a', 'db');
    put('b');
    put('e', 'db');
    put('a');
    await pass(31_000);
    expect(reported).toEqual(['DELETED a', 'MODIFIED b', 'ADDED a', 'end']);
  });

  test('send a bookmark each minute with a watch cache', async () => {
    const { server, follow, pass } = world();
    const resourceVersion = String(server.database.version);
    const { reported } = await follow({
      resourceVersion,
      allowWatchBookmarks: 'true',
      timeoutSeconds: '150',
    });
    await pass(200_000);
    expect(reported).toEqual(['BOOKMARK ', 'BOOKMARK ', 'end']);
  });

  test('from before the start of the cache are rejected as expired', async () => {
    const { server, follow, pass } = world();
    server.restart();
    const { reported, status } = await follow({ resourceVersion: '100' });
    await pass(1000);
    // As a response, or in the stream.
    expect(reported).toEqual([status === 410 ? 'Failure' : 'ERROR 410', 'end']);
  });
});
