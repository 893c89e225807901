/** Informers whose objects have selected fields only. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import {
  ProtobufServer,
  type ServedThing,
  thingOf,
  things,
} from '../../../test/support/runtime/protobuf-server.ts';
import { selectionIn } from '../codec/projection/selected-mark.ts';
import { RESTClient } from '../rest/client.ts';
import { InformerFactoryBase } from './factory.ts';
import { byLabel, byOwner } from './store/indices.ts';

noTimePasses();

interface Given {
  readonly served?: readonly ServedThing[];
  readonly streaming?: boolean;
  readonly encoding?: 'json' | 'protobuf';
}

const three: ServedThing[] = [1, 2, 3].map((version) => ({ name: `thing-${version}`, version }));

/** Creates a server and a factory for its things. */
function world({ served = three, streaming = false, encoding }: Given = {}) {
  const server = new ProtobufServer();
  server.things.push(...served);
  const { transport } = server;
  const rest = new RESTClient(
    { server: 'http://stub' },
    { transport, onWarning: () => undefined, ...(encoding && { encoding }) },
  );
  const clock = new FakeClock();
  const factory = new InformerFactoryBase({ rest }, { streaming, environment: { clock, random: () => 0 } });
  const start = async (): Promise<void> => {
    await factory.start();
    await factory.waitForSync();
    await settle(20);
  };
  return { server, rest, factory, start, stop: () => factory.stop() };
}

/** The fields that JSON represents. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const metadataOf = (name: string, version: number): object => ({
  name,
  namespace: 'shop',
  uid: `uid of ${name}`,
  resourceVersion: String(version),
});

const names = { apiVersion: 'example.com/v1', kind: 'Thing' };

const formats = [
  { encoding: 'json', streaming: false },
  { encoding: 'json', streaming: true },
  { encoding: 'protobuf', streaming: false },
  { encoding: 'protobuf', streaming: true },
] as const;

describe.each(formats)('an informer with a selection ($encoding, streaming: $streaming)', (format) => {
  it('has the selected fields and those of every selected object', async () => {
    const { server, factory, start, stop } = world(format);
    const sized = factory.of(things, { select: { spec: { size: true } } });
    await start();
    server.change('ADDED', { name: 'new', version: 11 });
    server.change('MODIFIED', { name: 'new', version: 12 });
    await settle(20);
    expect(plain(sized.lister.list())).toEqual([
      ...three.map((thing) => thingOf(thing)),
      thingOf({ name: 'new', version: 12 }),
    ]);
    expect(sized.selection).toMatchObject({ metadata: { uid: true }, spec: { size: true } });
    await stop();
  });

  it('calls handlers for changes of selected fields only', async () => {
    const { server, factory, start, stop } = world(format);
    const calls: string[] = [];
    const bare = factory.of(things, { select: { metadata: { labels: true } } });
    const every = factory.of(things, { select: { metadata: { labels: true } }, onEveryChange: true });
    const sized = factory.of(things, { select: { spec: true } });
    for (const [name, informer] of Object.entries({ bare, every, sized })) {
      informer.handle({
        add: ({ metadata }, { isInitial }) => calls.push(`${name} add ${metadata.name} ${isInitial}`),
        update: (object, old) =>
          calls.push(`${name} ${old.metadata.resourceVersion} to ${object.metadata.resourceVersion}`),
        delete: ({ metadata }) => calls.push(`${name} delete ${metadata.name}`),
      });
    }
    await start();
    calls.length = 0;
    server.change('MODIFIED', { name: 'thing-1', version: 11 });
    server.change('MODIFIED', { name: 'thing-1', version: 12 });
    server.change('MODIFIED', { name: 'thing-2', version: 13, uid: 'another' });
    server.change('DELETED', { name: 'thing-1', version: 14 });
    await settle(20);
    const common = (name: string): string[] => [
      `${name} delete thing-2`,
      `${name} add thing-2 false`,
      `${name} delete thing-1`,
    ];
    const of = (name: string): string[] => calls.filter((call) => call.startsWith(`${name} `));
    expect(of('bare')).toEqual(common('bare'));
    expect(of('every')).toEqual(['every 1 to 11', 'every 11 to 12', ...common('every')]);
    expect(of('sized')).toEqual(['sized 1 to 11', 'sized 11 to 12', ...common('sized')]);
    expect([bare, every, sized].map((informer) => informer.stats().unchanged)).toEqual([2, 0, 0]);
    expect(plain(bare.lister.get('shop', 'thing-3'))).toEqual({
      ...names,
      metadata: metadataOf('thing-3', 3),
    });
    await stop();
  });

  it('stores equal parts once, also after updates without a change', async () => {
    const { server, factory, start, stop } = world(format);
    const sized = factory.of(things, { select: { spec: { size: true } }, freeze: format.streaming });
    await start();
    server.change('ADDED', { name: 'other', version: 11, size: 1 });
    await settle(20);
    const before = sized.lister.get('shop', 'thing-1');
    expect(sized.lister.get('shop', 'other')?.spec).toBe(before?.spec);
    expect(Object.isFrozen(before?.spec)).toBe(true);
    server.change('MODIFIED', { name: 'thing-1', version: 12, size: 1 });
    await settle(20);
    const after = sized.lister.get('shop', 'thing-1');
    expect(after).not.toBe(before);
    expect(after?.metadata.resourceVersion).toBe('12');
    expect(before?.metadata.resourceVersion).toBe('1');
    expect(after?.spec).toBe(before?.spec);
    expect(sized.stats().unchanged).toBe(1);
    await stop();
  });

  it('keeps its indices over updates without a change', async () => {
    const { server, factory, start, stop } = world(format);
    const sized = factory.of(things, { select: { spec: { size: true } } });
    const bySize = sized.addIndex('size', ({ spec }) => [String(spec?.size)]);
    await start();
    server.change('MODIFIED', { name: 'thing-1', version: 11, size: 1 });
    server.change('MODIFIED', { name: 'thing-2', version: 12, size: 1 });
    await settle(20);
    const found = bySize.get('1').map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`);
    expect(found.sort()).toEqual(['thing-1 11', 'thing-2 12']);
    expect(bySize.get('2')).toEqual([]);
    await stop();
  });

  it('shares the requests of other selections', async () => {
    const { server, factory, start, stop } = world(format);
    const bare = factory.of(things, { select: {} });
    const sized = factory.of(things, { select: { spec: { size: true } } });
    await start();
    const requests = format.streaming ? 1 : 2;
    expect(server.requests).toHaveLength(requests);
    expect(sized.stats().lists + sized.stats().watches).toBe(requests);
    server.change('MODIFIED', { name: 'thing-1', version: 11 });
    await settle(20);
    expect(plain(sized.lister.get('shop', 'thing-1'))).toEqual(thingOf({ name: 'thing-1', version: 11 }));
    expect(plain(bare.lister.get('shop', 'thing-1'))).toEqual({
      ...names,
      metadata: metadataOf('thing-1', 11),
    });
    await stop();
  });

  it('relists for a selection that joins later, and calls no other handlers for that', async () => {
    const { server, factory, start, stop } = world(format);
    const calls: string[] = [];
    const bare = factory.of(things, { select: {}, onEveryChange: true });
    await start();
    bare.handle({ update: ({ metadata }) => calls.push(metadata.name), delete: () => calls.push('delete') });
    const sized = factory.of(things, { select: { spec: { size: true } } });
    await factory.waitForSync();
    await settle(20);
    expect(plain(sized.lister.list())).toEqual(three.map((thing) => thingOf(thing)));
    expect(bare.isSynced).toBe(true);
    server.change('MODIFIED', { name: 'thing-2', version: 11 });
    await settle(20);
    expect(calls).toEqual(['thing-2']);
    expect(sized.lister.get('shop', 'thing-2')?.spec?.size).toBe(11);
    expect(server.requests).toHaveLength(format.streaming ? 2 : 4);
    await stop();
  });

  it('is followed again after a stop', async () => {
    const { server, factory, start, stop } = world(format);
    const both = [factory.of(things, { select: {} }), factory.of(things, { select: { spec: true } })];
    await start();
    await stop();
    server.change('MODIFIED', { name: 'thing-1', version: 11 });
    await start();
    for (const { lister } of both) {
      expect(lister.get('shop', 'thing-1')?.metadata.resourceVersion).toBe('11');
    }
    await stop();
  });

  it('transforms its own copies', async () => {
    const { factory, start, stop } = world(format);
    const changed = factory.of(things, {
      select: { spec: true },
      transform: (object) => {
        Object.assign(Object(object.spec), { size: 7 });
        return object;
      },
    });
    const unchanged = factory.of(things, { select: { spec: true } });
    await start();
    expect(changed.lister.get('shop', 'thing-2')?.spec?.size).toBe(7);
    expect(unchanged.lister.get('shop', 'thing-2')?.spec?.size).toBe(2);
    await stop();
  });

  it('reduces own writes', async () => {
    const { factory, start, stop } = world(format);
    const bare = factory.of(things, { select: {} });
    await start();
    const object = thingOf({ name: 'written', version: 11 });
    factory.informers.recordWrite({ group: 'example.com', version: 'v1', resource: 'things' }, { object });
    const written = bare.lister.get('shop', 'written');
    expect(plain(written)).toEqual({ ...names, metadata: metadataOf('written', 11) });
    expect(selectionIn(written)).toBe(bare.selection);
    expect(selectionIn(object)).toBeUndefined();
    await stop();
  });
});

it.each([{ streaming: false }, { streaming: true }])(
  'fields that are not selected are not decoded from protobuf: %j',
  async ({ streaming }) => {
    const spoilt = { name: 'spoilt', version: 4, spoilt: true };
    const newer = { name: 'newer', version: 5, newer: 'unknown' };
    const { server, factory, start, stop } = world({ served: [spoilt, newer], streaming });
    const errors: unknown[] = [];
    const bare = factory.of(things, { select: {} });
    bare.on('error', (error) => errors.push(error));
    await start();
    server.change('MODIFIED', { ...spoilt, version: 11 });
    server.change('MODIFIED', { ...newer, version: 12 });
    await settle(20);
    expect(bare.lister.get('shop', 'spoilt')?.metadata.resourceVersion).toBe('11');
    expect(bare.lister.get('shop', 'newer')?.metadata.resourceVersion).toBe('12');
    expect(errors).toEqual([]);
    expect(server.requests.filter((request) => !request.endsWith('protobuf'))).toEqual([]);
    await stop();
  },
);

describe('selections', () => {
  it('are shared by calls with the same fields', () => {
    const { factory } = world();
    const one = factory.of(things, { select: { spec: { size: true }, metadata: { labels: true } } });
    expect(
      factory.of(things, { select: { metadata: { labels: true, uid: true }, spec: { size: true } } }),
    ).toBe(one);
    expect(factory.of(things, { select: { spec: true } })).not.toBe(one);
    expect(factory.of(things)).not.toBe(one);
    expect([...factory.stats().keys()]).toEqual([
      'things.example.com',
      'things.example.com #2',
      'things.example.com #3',
    ]);
  });

  it.each([[false], ['spec'], [[]], [{ spec: false }], [{ spec: { size: 'yes' } }], [{ spec: null }]])(
    'that are invalid throw a TypeError: %j',
    (select) => {
      const { factory } = world();
      expect(() => Reflect.apply(factory.of, factory, [things, { select }])).toThrow(
        /select.* must be true or an object/,
      );
    },
  );

  it('determine the types of objects', () => {
    const { factory } = world();
    const bare = factory.of(things, { select: { metadata: { labels: true } } });
    type Bare = NonNullable<ReturnType<typeof bare.find>>;
    expectTypeOf<Bare['metadata']['labels']>().toEqualTypeOf<{ [key: string]: string } | undefined>();
    expectTypeOf<Bare['metadata']['uid']>().toEqualTypeOf<string>();
    expectTypeOf<Bare>().not.toHaveProperty('spec');
  });

  it('without labels and owners cannot be selected by them', async () => {
    const { factory, start, stop } = world();
    const errors: unknown[] = [];
    const bare = factory.of(things, { select: {} });
    const labelled = factory.of(things, { select: { metadata: { labels: { app: true } } } });
    bare.on('error', (error, { during }) => errors.push(`${during}: ${String(error)}`));
    bare.addIndex('owner', byOwner);
    labelled.addIndex('app', byLabel('app'));
    await start();
    expect(() => bare.lister.list({ labelSelector: 'app=web' })).toThrow(
      /metadata\.labels\.app is not in the sel/,
    );
    expect(labelled.lister.list({ labelSelector: 'app=web' })).toEqual([]);
    expect(() => labelled.lister.list({ labelSelector: 'tier=web' })).toThrow(/metadata\.labels\.tier/);
    expect(errors).toHaveLength(three.length);
    expect(String(errors[0])).toMatch(/^index: .*: metadata\.ownerReferences\.uid is not in the selection/);
    await stop();
  });
});
