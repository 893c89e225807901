import { RESTClient } from '@kgen/runtime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Json, type JsonObject, text } from '../../schema/values/json.ts';
import { crd, foosPath } from '../client.fixture.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './testserver.ts';
import { MovableTime, VirtualTime } from './virtual-time.ts';

interface World {
  readonly server: TestServer;
  readonly client: RESTClient;
}

/** A server with virtual time, and a client within the process. */
async function virtual(options: TestServerOptions = {}): Promise<World> {
  const server = await startTestServer({ crds: [{ yaml: crd }], time: 'virtual', seed: 1, ...options });
  const client = new RESTClient(server.config, { transport: server.transport });
  onTestFinished(async () => {
    await client.close();
    await server.stop();
  });
  return { server, client };
}

function create({ client }: World, name: string, metadata: JsonObject = {}): Promise<unknown> {
  const foo = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { name, ...metadata }, spec: {} };
  return client.post(foosPath, { body: foo });
}

/** Reads a watch into a list of printed events, until it ends. */
function follow({ client, server }: World, query: Readonly<Record<string, string>>, user?: string): string[] {
  const seen: string[] = [];
  const config = user === undefined ? server.config : server.as({ user, groups: ['system:masters'] });
  const own = user === undefined ? client : new RESTClient(config, { transport: server.transport });
  const read = async (): Promise<void> => {
    const parameters = Object.entries({ watch: 'true', ...query });
    const response = await server.transport({
      method: 'GET',
      path: foosPath,
      query: parameters.map(([name, value]): [string, string] => [name, value]),
      headers: { authorization: `Bearer ${config.auth?.token}` },
      operation: { verb: 'watch', resource: 'foos' },
      stream: true,
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body)
      for (const line of decoder.decode(chunk).trimEnd().split('\n')) seen.push(print(JSON.parse(line)));
    seen.push('end');
  };
  void read().catch((error: unknown) => seen.push(error instanceof Error ? error.message : 'error'));
  if (own !== client) onTestFinished(() => own.close());
  return seen;
}

function print(event: Json): string {
  const type = text(event, 'type');
  if (type === 'ERROR') return `ERROR ${text(event, 'object', 'reason')}`;
  return `${type} ${text(event, 'object', 'metadata', 'name')}`.trim();
}

test('a day of bookmarks and time-outs takes no time, and no timer of the process runs', async () => {
  const world = await virtual();
  const { server } = world;
  const timers = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
  onTestFinished(() => void vi.restoreAllMocks());
  const seen = follow(world, { allowWatchBookmarks: 'true', timeoutSeconds: '86400' });
  await server.time.advance(86_399_999);
  // One a minute, and one 2 seconds before the end.
  expect(seen.length).toBe(1 + 1_440);
  expect(new Set(seen)).toEqual(new Set(['BOOKMARK']));
  await server.time.advance(1);
  expect(seen.at(-1)).toBe('end');
  expect(server.time.next()).toBeUndefined();
  for (const timer of timers) expect(timer).not.toHaveBeenCalled();
});

test('timestamps are of virtual time, and a seed determines UIDs and generated names', async () => {
  const play = async (): Promise<readonly unknown[]> => {
    const world = await virtual({ seed: 7 });
    await world.server.time.advance(1_500);
    const foo = { apiVersion: 'test.example.com/v1', kind: 'Foo', metadata: { generateName: 'a-' } };
    const created = (await world.client.post(foosPath, { body: foo })) as { metadata: JsonObject };
    const { uid, name, creationTimestamp } = created.metadata;
    return [uid, name, creationTimestamp];
  };
  const [first, second] = [await play(), await play()];
  expect(first).toEqual(second);
  expect(first[2]).toBe('2026-01-01T00:00:01Z');
});

test('a watch without a timeout ends after one to two times 30 minutes', async () => {
  const world = await virtual();
  const seen = follow(world, {});
  await world.server.time.advance(0);
  const left = world.server.time.next() ?? 0;
  expect(left).toBeGreaterThanOrEqual(1_800_000);
  expect(left).toBeLessThan(3_600_000);
  await world.server.time.advance(left);
  expect(seen).toEqual(['end']);
});

test('holds back one watcher and releases its events by version', async () => {
  const world = await virtual();
  const { server } = world;
  const hold = server.hold({ user: 'slow', resource: 'foos' });
  const [slow, fast] = [follow(world, {}, 'slow'), follow(world, {}, 'fast')];
  await server.time.advance(0);
  const versions: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    const created = (await create(world, name)) as { metadata: { resourceVersion: string } };
    versions.push(created.metadata.resourceVersion);
  }
  await server.time.advance(0);
  expect([slow, fast, hold.pending]).toEqual([[], ['ADDED a', 'ADDED b', 'ADDED c'], 3]);
  hold.release(versions[1]);
  await server.time.advance(0);
  expect([slow, hold.pending]).toEqual([['ADDED a', 'ADDED b'], 1]);
  hold.release();
  await create(world, 'd');
  await server.time.advance(0);
  expect([slow, hold.pending]).toEqual([['ADDED a', 'ADDED b', 'ADDED c', 'ADDED d'], 0]);
});

test('a hold of a kind includes the initial events of watches that begin later', async () => {
  const world = await virtual();
  const { server } = world;
  await create(world, 'a');
  const hold = server.hold({ resource: 'foos' });
  const other = server.hold({ resource: 'bars' });
  const seen = follow(world, { allowWatchBookmarks: 'true' });
  await server.time.advance(0);
  expect([seen, hold.pending, other.pending]).toEqual([[], 2, 0]);
  hold.release();
  await server.time.advance(0);
  expect(seen).toEqual(['ADDED a', 'BOOKMARK']);
});

test('restore brings back all objects, expires earlier versions and ends watches with 410', async () => {
  const world = await virtual();
  const { server, client } = world;
  await create(world, 'a');
  const snapshot = server.snapshot();
  const before = (await client.get(foosPath)) as { metadata: { resourceVersion: string } };
  await create(world, 'b');
  await client.delete(`${foosPath}/a`);
  const seen = follow(world, { resourceVersion: before.metadata.resourceVersion });
  await server.time.advance(0);
  server.restore(snapshot);
  await server.time.advance(0);
  expect(seen).toEqual(['ADDED b', 'DELETED a', 'ERROR Expired', 'end']);
  const after = (await client.get(foosPath)) as {
    items: { metadata: { name: string; resourceVersion: string } }[];
    metadata: { resourceVersion: string };
  };
  expect(after.items.map(({ metadata }) => metadata.name)).toEqual(['a']);
  const created = (await create(world, 'c')) as { metadata: { resourceVersion: string } };
  expect(Number(created.metadata.resourceVersion)).toBeGreaterThan(Number(after.metadata.resourceVersion));
  expect(follow(world, { resourceVersion: before.metadata.resourceVersion })).toEqual([]);
  const late = follow(world, { resourceVersion: before.metadata.resourceVersion });
  await server.time.advance(0);
  expect(late).toEqual(['ERROR Expired', 'end']);
  server.restore(snapshot);
  server.restore(snapshot);
  await expect(create(world, 'a')).rejects.toThrow('already exists');
});

test('restores the snapshot of another server', async () => {
  const [from, to] = [await virtual(), await virtual()];
  await create(from, 'a');
  to.server.restore(from.server.snapshot());
  await create(to, 'b');
  const list = (await to.client.get(foosPath)) as { items: { metadata: { name: string } }[] };
  expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  expect(() => to.server.restore({ resourceVersion: '1' })).toThrow('snapshot()');
});

test('time of a real server cannot be advanced', async () => {
  const { server } = await virtual({ time: 'real' });
  await expect(server.time.advance(1)).rejects.toThrow('time: "virtual"');
  expect(Math.abs(server.time.now() - Date.now())).toBeLessThan(10_000);
});

test('virtual timers run in the order of their times, also those that others create and cancel', async () => {
  const time = new VirtualTime(0);
  const seen: string[] = [];
  const log = (name: string) => (): void => void seen.push(`${name}@${time.now()}`);
  const cancels = Array.from({ length: 100 }, (_, index) => time.timer(1 + (index % 7), log('cancelled')));
  time.timer(5, log('b'));
  time.timer(3, () => {
    log('a')();
    time.timer(0, log('soon'));
    time.timer(1, log('nested'));
  });
  time.timer(5, log('c'));
  time.timer(20, log('later'));
  for (const cancel of cancels) cancel();
  await Promise.all([time.advance(4), time.advance(6)]);
  expect(seen).toEqual(['a@3', 'soon@3', 'nested@4', 'b@5', 'c@5']);
  expect([time.now(), time.next()]).toEqual([10, 10]);
  expect(() => time.advance(-1)).toThrow('advance: ms must be >= 0');
});

test('virtual time waits for work of others that takes several turns', async () => {
  let left = 0;
  const time = new VirtualTime(0, 1, () => left === 0);
  const work = (): void => {
    left -= 1;
    if (left > 0) setImmediate(work);
  };
  time.timer(10, () => {
    left = 5;
    setImmediate(work);
  });
  let seen = -1;
  time.timer(11, () => {
    seen = left;
  });
  await time.advance(20);
  expect(seen).toBe(0);
});

test('movable time follows the process, and its timers run earlier if it is advanced', async () => {
  const time = new MovableTime();
  const seen: string[] = [];
  const begin = time.now();
  expect(Math.abs(begin - Date.now())).toBeLessThan(10_000);
  time.timer(60_000, () => {
    seen.push('minute');
    time.timer(60_000, () => seen.push('second minute'));
  });
  time.timer(3_600_000, () => seen.push('hour'))();
  time.timer(20, () => seen.push('soon'));
  await expect.poll(() => seen).toEqual(['soon']);
  await time.advance(61_000);
  expect(seen).toEqual(['soon', 'minute']);
  await time.advance(60_000);
  expect(seen).toEqual(['soon', 'minute', 'second minute']);
  expect(time.now() - begin).toBeGreaterThanOrEqual(121_000);
  expect(time.next()).toBeUndefined();
});
