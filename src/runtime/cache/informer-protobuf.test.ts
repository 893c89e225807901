/** Informers with a protobuf server. */
import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import {
  ProtobufServer,
  type ServedThing,
  thingOf,
  things,
} from '../../../test/support/runtime/protobuf-server.ts';
import type { Thing } from '../../../test/support/runtime/scripted-source.ts';
import { RESTClient } from '../rest/client.ts';
import { InformerFactoryBase } from './factory.ts';
import type { InformerOptions } from './informer/informer.ts';

noTimePasses();

interface Given {
  readonly things?: readonly ServedThing[];
  readonly options?: InformerOptions<Thing>;
  readonly streaming?: boolean;
  readonly encoding?: 'json' | 'protobuf';
  readonly metadata?: boolean;
}

/** Creates a started informer, its server, and the record of its events. */
async function world({
  things: served = [],
  options = {},
  streaming = false,
  encoding,
  metadata,
}: Given = {}) {
  const server = new ProtobufServer();
  server.things.push(...served);
  const received: string[] = [];
  const { transport } = server;
  const onWarning = (): void => void received.push('warning');
  const rest = new RESTClient(
    { server: 'http://stub' },
    { transport, onWarning, ...(encoding && { encoding }) },
  );
  const clock = new FakeClock();
  const factory = new InformerFactoryBase({ rest }, { streaming, environment: { clock, random: () => 0 } });
  const informer = metadata === true ? factory.metadataOf(things) : factory.of(things, options);
  informer.on('error', (error) => void received.push(`error: ${String(error)}`));
  informer.on('relist', ({ reason }) => void received.push(`relist: ${reason}`));
  const at = ({
    metadata: { name, resourceVersion },
  }: {
    metadata: { name: string; resourceVersion: string };
  }) => `${name}@${resourceVersion}`;
  informer.handle({
    add: (object) => void received.push(`add ${at(object)}`),
    update: (object, old) => void received.push(`update ${at(old)} to ${at(object)}`),
    delete: (object) => void received.push(`delete ${at(object)}`),
  });
  await factory.start();
  await factory.waitForSync();
  const passing = async (): Promise<void> => {
    do await settle(20);
    while (informer.stats().queued > 0);
  };
  await passing();
  const state = (): readonly unknown[] => informer.lister.list();
  return { server, informer, received, state, passing, rest, clock, stop: () => factory.stop() };
}

const three: ServedThing[] = [1, 2, 3].map((version) => ({ name: `thing-${version}`, version }));
const many: ServedThing[] = Array.from({ length: 3000 }, (_, index) => ({
  name: `thing-${index}`,
  version: index + 1,
}));

describe('an informer with protobuf responses', () => {
  it.each<{ name: string; given: Given }>([
    { name: 'lists', given: { things: three } },
    { name: 'lists many objects', given: { things: many } },
    { name: 'lists an empty collection', given: {} },
    { name: 'streams the state', given: { things: three, streaming: true } },
    { name: 'keeps managedFields', given: { things: three, options: { keepManagedFields: true } } },
    { name: 'freezes', given: { things: three, options: { freeze: true } } },
    {
      name: 'transforms',
      given: { things: three, options: { transform: (object) => ({ ...object, spec: { size: 7 } }) } },
    },
    { name: 'has metadata only', given: { things: three, metadata: true } },
    { name: 'streams metadata', given: { things: three, metadata: true, streaming: true } },
  ])('has the same objects as with JSON when it $name', async ({ given }) => {
    const [one, other] = [await world(given), await world({ ...given, encoding: 'json' })];
    for (const { server, passing } of [one, other]) {
      server.change('ADDED', { name: 'new', version: 5001 });
      server.change('MODIFIED', { name: 'new', version: 5002 });
      server.change('ADDED', { name: 'gone', version: 5003 });
      server.change('DELETED', { name: 'gone', version: 5004 });
      await passing();
    }
    expect(one.state()).toEqual(other.state());
    expect(one.received).toEqual(other.received);
    expect(one.state().map(Object.isFrozen)).toEqual(other.state().map(Object.isFrozen));
    expect(one.state()).toHaveLength((given.things?.length ?? 0) + 1);
    expect(one.server.requests.every((request) => request.endsWith('protobuf'))).toBe(true);
    expect(other.server.requests.some((request) => request.endsWith('protobuf'))).toBe(false);
    await Promise.all([one.stop(), other.stop()]);
  });
});

describe('the time of decoding', () => {
  it.each<{ encoding: 'json' | 'protobuf'; other: 'json' | 'protobuf'; streaming: boolean; count: number }>([
    { encoding: 'json', other: 'protobuf', streaming: false, count: 3 },
    { encoding: 'json', other: 'protobuf', streaming: true, count: 3 },
    { encoding: 'protobuf', other: 'json', streaming: false, count: 3 },
    { encoding: 'protobuf', other: 'json', streaming: false, count: 10_000 },
    { encoding: 'protobuf', other: 'json', streaming: true, count: 3 },
  ])('counts for $encoding: $count objects, streaming: $streaming', async ({ encoding, other, ...given }) => {
    let now = 0;
    vi.mocked(performance.now).mockImplementation(() => {
      now += 0.001;
      return now;
    });
    const served = Array.from({ length: given.count }, (_, index) => ({
      name: `thing-${index}`,
      version: index + 1,
    }));
    const { informer, server, passing, stop } = await world({ ...given, things: served, encoding });
    const ms = { json: 'decodeJsonMs', protobuf: 'decodeProtobufMs' } as const;
    const listed = informer.stats()[ms[encoding]];
    server.change('ADDED', { name: 'new', version: 20_000 });
    await passing();
    const stats = informer.stats();
    expect([listed > 0, stats[ms[encoding]] > listed, stats[ms[other]]]).toEqual([true, true, 0]);
    expect(stats[ms[encoding]]).toBeLessThan(now);
    await stop();
  });
});

describe('an informer of objects with fields that only the server knows', () => {
  it('lists them again as JSON, and watches in JSON', async () => {
    const newer = { name: 'newer', version: 4, newer: 'more' };
    const { server, received, state, stop } = await world({ things: [...three, newer] });
    expect(state()).toEqual([...three, newer].map(thingOf));
    expect(server.requests).toEqual([
      'list limit=500 resourceVersion=0 -> protobuf',
      'list limit=500 resourceVersion=0 -> json',
      'watch allowWatchBookmarks=true resourceVersion=10 -> json',
    ]);
    expect(received).toEqual(['warning', 'add thing-1@1', 'add thing-2@2', 'add thing-3@3', 'add newer@4']);
    await stop();
  });

  it('resumes the watch in JSON after the last change, without loss', async () => {
    const { server, received, state, passing, stop } = await world({ things: three });
    received.length = 0;
    const newer = { name: 'newer', version: 12, newer: 'more' };
    server.change('ADDED', { name: 'new', version: 11 });
    server.change('ADDED', newer);
    server.change('MODIFIED', { name: 'new', version: 13 });
    await passing();
    expect(received).toEqual(['add new@11', 'warning', 'add newer@12', 'update new@11 to new@13']);
    expect(state()).toEqual([...three, { name: 'new', version: 13 }, newer].map(thingOf));
    expect(server.requests.slice(1)).toEqual([
      'watch allowWatchBookmarks=true resourceVersion=10 -> protobuf',
      'watch allowWatchBookmarks=true resourceVersion=11 -> json',
    ]);
    await stop();
  });

  it('streams the state again as JSON', async () => {
    const newer = { name: 'newer', version: 4, newer: 'more' };
    const { server, received, state, stop } = await world({ things: [...three, newer], streaming: true });
    expect(state()).toEqual([...three, newer].map(thingOf));
    expect(server.requests.map((request) => request.split(' ').at(-1))).toEqual(['protobuf', 'json']);
    expect(server.requests.every((request) => request.includes('sendInitialEvents'))).toBe(true);
    expect(received).toEqual(['warning', 'add thing-1@1', 'add thing-2@2', 'add thing-3@3', 'add newer@4']);
    await stop();
  });
});

describe('an item that cannot be decoded', () => {
  it.each<{ name: string; given: ServedThing; want: string }>([
    {
      name: 'is malformed',
      given: { name: 'bad', version: 4, spoilt: true },
      want: 'ThingList items[1].spec',
    },
    { name: 'has no uid', given: { name: 'bad', version: 4, uid: '' }, want: 'shop/bad has no uid' },
  ])('affects no other if it $name', async ({ given, want }) => {
    const [first, ...others] = three.map(thingOf);
    const { server, received, state, stop } = await world({
      things: [...three.slice(0, 1), given, ...three.slice(1)],
    });
    expect(state()).toEqual([first, ...others]);
    expect(received.filter((line) => line.startsWith('error'))).toEqual([expect.stringContaining(want)]);
    expect(server.requests).toHaveLength(2);
    await stop();
  });

  it('keeps its cached state if it becomes malformed', async () => {
    const known = { name: 'bad', version: 4 };
    const { server, received, state, clock, passing, stop } = await world({ things: [...three, known] });
    received.length = 0;
    server.change('MODIFIED', { ...known, version: 20, spoilt: true });
    server.change('MODIFIED', { name: 'thing-1', version: 21 });
    await passing();
    await clock.advance(5000);
    await passing();
    const want = [{ name: 'thing-1', version: 21 }, ...three.slice(1), known].map(thingOf);
    expect(state()).toHaveLength(want.length);
    expect(state()).toEqual(expect.arrayContaining(want));
    expect(received).toEqual([
      expect.stringContaining('watch things: protobuf: Thing spec'),
      expect.stringContaining('relist'),
      expect.stringContaining('list things: protobuf: ThingList items[2].spec'),
      'update thing-1@1 to thing-1@21',
    ]);
    await stop();
  });
});
