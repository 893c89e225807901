import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import type { Thing } from '../../../test/support/runtime/scripted-source.ts';
import { clusterThings, StubApi, things } from '../../../test/support/runtime/stub-api.ts';
import { isTimeoutError } from '../api/errors.ts';
import { defineResource, type NamespacedResource } from '../api/resource.ts';
import type { Stored } from '../api/types.ts';
import { InformerFactoryBase, type InformerFactoryOptions } from './factory.ts';
import { groupInformers } from './group-informers.ts';
import type { Informer, InformerOptions } from './informer/informer.ts';
import type { ClusterLister, NamespacedLister } from './lister/lister.ts';

noTimePasses();

let api = new StubApi();
let clock = new FakeClock();
beforeEach(() => {
  api = new StubApi();
  clock = new FakeClock();
});

const factoryWith = (options: InformerFactoryOptions = {}) =>
  new InformerFactoryBase(api, { environment: { clock, random: () => 0 }, ...options });

const sized: NamespacedResource<Thing, unknown, unknown, 'spec.size'> = defineResource(things);

describe('informers of a factory', () => {
  it.each([
    [undefined, 'the connection must be a configuration'],
    [null, 'the connection must be a configuration'],
    [{}, 'the configuration has no server'],
  ])('throw an error without a server or a factory: %j', (source, message) => {
    expect(() => Reflect.construct(InformerFactoryBase, [source])).toThrow(message);
  });

  it('are shared by calls with the same options', () => {
    const factory = factoryWith();
    const transform: InformerOptions<Thing>['transform'] = (object) => object;
    const options: InformerOptions<Thing>[] = [
      {},
      { namespace: 'shop' },
      { namespaces: ['shop', 'bank'] },
      { labelSelector: 'app=web' },
      { fieldSelector: 'metadata.name=a' },
      { keepManagedFields: true },
      { freeze: false },
      { transform },
    ];
    const informers = options.map((option) => factory.of(things, option));
    expect(new Set(informers).size).toBe(options.length);
    expect(options.map((option) => factory.of(things, { ...option }))).toEqual(informers);
    expect(factory.of(things, { namespaces: ['bank', 'shop', 'bank'] })).toBe(informers[2]);
    expect(factory.of(things, { labelSelector: { app: 'web' } })).toBe(informers[3]);
    expect(factory.of(things, { labelSelector: {}, namespace: undefined })).toBe(informers[0]);
    expect(factory.of(things, { keepManagedFields: false, freeze: true })).toBe(informers[0]);
    expect(factory.of(things, { transform: (object) => object })).not.toBe(informers[7]);
    expect(api.requests).toEqual([]);
  });

  it('are synced after start and waitForSync', async () => {
    const factory = factoryWith({ streaming: false });
    const informer = factory.of(things);
    await factory.start();
    await factory.waitForSync();
    expect(informer.lister.get('shop', 'a')?.metadata.resourceVersion).toBe('3');
    expect(informer.isSynced).toBe(true);
    await factory.stop();
  });

  it('start automatically once the factory is started', async () => {
    const factory = factoryWith({ streaming: false });
    await factory.start();
    const added: string[] = [];
    const registration = factory.of(things).handle({ add: ({ metadata }) => void added.push(metadata.name) });
    await registration.synced;
    expect(added).toEqual(['a']);
    await factory.stop();
  });

  it.each<{ defaults: InformerFactoryOptions; options: InformerOptions<Thing>; want: string[] }>([
    { defaults: {}, options: {}, want: ['/apis/example.com/v1/things'] },
    { defaults: { namespace: 'shop' }, options: {}, want: ['/apis/example.com/v1/namespaces/shop/things'] },
    {
      defaults: { namespace: 'shop' },
      options: { namespace: undefined, namespaces: undefined },
      want: ['/apis/example.com/v1/namespaces/shop/things'],
    },
    {
      defaults: { namespace: 'shop' },
      options: { namespace: 'bank' },
      want: ['/apis/example.com/v1/namespaces/bank/things'],
    },
    {
      defaults: { namespace: 'shop' },
      options: { namespaces: ['bank', 'mill'] },
      want: ['/apis/example.com/v1/namespaces/bank/things', '/apis/example.com/v1/namespaces/mill/things'],
    },
  ])('follow $options in a factory of $defaults', async ({ defaults, options, want }) => {
    const factory = factoryWith({ streaming: false, ...defaults });
    factory.of(things, options);
    await factory.start();
    await factory.waitForSync();
    expect(api.lists.map((request) => request.split('?')[0])).toEqual(want);
    await factory.stop();
  });

  it("of cluster-scoped resources ignore the factory's namespace", async () => {
    const factory = factoryWith({ streaming: false, namespace: 'shop', labelSelector: 'app=web' });
    const informer = factory.of(clusterThings);
    await factory.start();
    await informer.synced;
    expect(api.lists).toEqual([
      '/apis/example.com/v1/clusterthings?labelSelector=app%3Dweb&limit=500&resourceVersion=0',
    ]);
    await factory.stop();
  });

  it.each<{ resource: 'things' | 'clusterThings'; options: InformerOptions<Thing>; want: string }>([
    { resource: 'things', options: { namespace: '' }, want: 'a namespace is empty' },
    { resource: 'things', options: { namespaces: [] }, want: 'namespaces is empty' },
    { resource: 'things', options: Object({ namespaces: 'a' }), want: 'namespaces must be an array' },
    {
      resource: 'things',
      options: { namespace: 'a', namespaces: ['a'] },
      want: 'either namespace or namespaces',
    },
    { resource: 'clusterThings', options: { namespace: 'a' }, want: 'cluster-scoped' },
    { resource: 'things', options: { labelSelector: 'a in (' }, want: 'label selector' },
    { resource: 'things', options: Object({ transform: 3 }), want: 'things: transform is not a function' },
  ])('of $resource throw TypeError for $options', ({ resource, options, want }) => {
    const factory = factoryWith();
    factory.of(things);
    factory.of(things, { namespace: 'a' });
    factory.of(clusterThings);
    const make = () =>
      resource === 'things' ? factory.of(things, options) : factory.of(clusterThings, options);
    expect(make).toThrow(want);
    expect(make).toThrow(TypeError);
  });
});

describe('another factory', () => {
  it('shares informers, start and stop', async () => {
    const first = factoryWith({ streaming: false });
    const second = new InformerFactoryBase(first, { namespace: 'shop' });
    expect(second.of(things)).toBe(first.of(things, { namespace: 'shop' }));
    await first.start();
    await second.waitForSync();
    await second.stop();
    await expect(first.waitForSync()).rejects.toThrow('call start() first');
  });
});

it('a factory created from another one throws TypeError for options of that one', () => {
  const first = factoryWith();
  expect(() => new InformerFactoryBase(first, { streaming: false })).toThrow(
    'are options of the first factory',
  );
});

describe('waitForSync', () => {
  it('names informers that are not synced, with the reason', async () => {
    api.forbidden = true;
    const factory = factoryWith();
    factory.of(things, { namespace: 'shop' });
    factory.of(clusterThings);
    factory.on('error', () => undefined);
    await factory.start();
    const failure = factory.waitForSync({ timeoutMs: 500 }).catch((error) => error);
    await clock.advance(500);
    expect(isTimeoutError(await failure)).toBe(true);
    expect((await failure).message).toBe(
      'informers are not synced within 500 ms: ' +
        'things.example.com in namespace shop: rejected by the server: list things in namespace shop: 403 Forbidden: Forbidden; ' +
        'clusterthings.example.com: rejected by the server: list clusterthings: 403 Forbidden: Forbidden',
    );
    await factory.stop();
    expect(clock.armed).toBe(0);
  });

  it('rejects with the reason of its signal, or when the factory is stopped', async () => {
    api.forbidden = true;
    const factory = factoryWith();
    factory.of(things);
    factory.on('error', () => undefined);
    await factory.start();
    const controller = new AbortController();
    const aborted = factory.waitForSync({ signal: controller.signal }).catch((error) => error);
    const stopped = factory.waitForSync().catch((error) => error);
    controller.abort('enough');
    expect(await aborted).toBe('enough');
    await factory.stop();
    expect((await stopped).message).toBe('informer for things.example.com was stopped');
  });

  it('waits also for informers that are created meanwhile', async () => {
    api.silent = '/clusterthings';
    const factory = factoryWith({ streaming: false });
    factory.of(things).handle({ add: () => factory.of(clusterThings) });
    await factory.start();
    const failure = factory.waitForSync({ handlers: true, timeoutMs: 1000 }).catch((error) => error);
    await clock.advance(1000);
    expect((await failure).message).toMatch(
      /^informers are not synced within 1000 ms: clusterthings\.example\.com: waits for the whole state/,
    );
    await factory.stop();
  });

  it('throws if the factory is not started', async () => {
    await expect(factoryWith().waitForSync()).rejects.toThrow('call start() first');
  });
});

describe('start', () => {
  it('ends with its signal, and can be repeated', async () => {
    const factory = factoryWith({ streaming: false });
    const informer = factory.of(things);
    const controller = new AbortController();
    await factory.start({ signal: controller.signal });
    await factory.start();
    await factory.waitForSync();
    await settle();
    controller.abort();
    await settle();
    expect([informer.isSynced, api.streams.map(({ cancelled }) => cancelled), clock.armed]).toEqual([
      false,
      [true],
      0,
    ]);
    await factory.start();
    await factory.waitForSync();
    expect(api.lists).toHaveLength(2);
    await factory.stop();
    await factory.start({ signal: AbortSignal.abort('early') });
    await expect(factory.waitForSync()).rejects.toBe('early');
    await factory.start();
    await factory.waitForSync();
    await factory.start({ signal: AbortSignal.abort('late') });
    await expect(factory.waitForSync()).rejects.toBe('late');
    expect(informer.isSynced).toBe(false);
    await settle();
    expect(clock.armed).toBe(0);
  });

  it('adds one listener to a signal that is passed repeatedly', async () => {
    const factory = factoryWith();
    const { signal } = new AbortController();
    for (let times = 0; times < 3; times += 1) await factory.start({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await factory.stop();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await factory.start({ signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await factory.stop();
  });

  it('rejects waits with the reason of the signal that stopped the informers', async () => {
    const factory = factoryWith();
    api.forbidden = true;
    factory.of(things);
    const controller = new AbortController();
    await factory.start({ signal: controller.signal });
    const waiting = factory.waitForSync().catch((reason: unknown) => reason);
    controller.abort('enough');
    expect(await waiting).toBe('enough');
    await expect(factory.waitForSync()).rejects.toBe('enough');
    await factory.stop();
  });
});

describe('events', () => {
  it('of all informers are emitted by the factory', async () => {
    api.forbidden = true;
    const factory = factoryWith();
    const from: string[] = [];
    const off = factory.on('error', (_, { informer }) => void from.push(informer));
    factory.of(things);
    factory.of(clusterThings);
    await factory.start();
    await settle();
    expect(from.sort()).toEqual(['clusterthings.example.com', 'things.example.com']);
    off();
    factory.on('error', () => undefined);
    await clock.advance(800);
    expect(from).toHaveLength(2);
    await factory.stop();
  });
});

describe('types', () => {
  it('allow handlers any return value', () => {
    const keys = new Set<string>();
    const registration = factoryWith()
      .of(things)
      .handle({
        add: ({ metadata }) => keys.add(metadata.uid),
        delete: ({ metadata }) => keys.delete(metadata.uid),
      });
    expect(registration).toHaveProperty('synced');
  });

  it('are derived from the descriptor', () => {
    const factory = factoryWith();
    expectTypeOf(factory.of(things)).toEqualTypeOf<Informer<Thing, NamespacedLister<Thing>>>();
    expectTypeOf(factory.of(clusterThings)).toEqualTypeOf<Informer<Thing, ClusterLister<Thing>>>();
    const group = groupInformers(factory, { things, clusterThings });
    expectTypeOf(group.things()).toEqualTypeOf<Informer<Thing, NamespacedLister<Thing>>>();
    group.things({
      transform: (object) => {
        expectTypeOf(object).toEqualTypeOf<Stored<Thing>>();
        return object;
      },
    });
    interface Generated {
      things(options?: InformerOptions): Informer<Thing, NamespacedLister<Thing>>;
      clusterThings(options?: InformerOptions): Informer<Thing, ClusterLister<Thing>>;
    }
    expectTypeOf(group).toExtend<Generated>();
    interface Checked {
      things(options?: InformerOptions<Thing, 'spec.size'>): Informer<Thing, NamespacedLister<Thing>>;
      clusterThings(options?: InformerOptions<Thing, never>): Informer<Thing, ClusterLister<Thing>>;
    }
    const checked: Checked = groupInformers(factory, { things: sized, clusterThings });
    const good = { fieldSelector: { 'spec.size': '7', 'metadata.name': 'a' } } as const;
    expect(checked.things(good)).toBe(factory.of(sized, good));
    // @ts-expect-error an unknown field
    factory.of(sized, { fieldSelector: { 'spec.nope': '7' } });
    // @ts-expect-error nor here
    checked.things({ fieldSelector: { 'spec.nope': '7' } });
    // @ts-expect-error and none at all here
    checked.clusterThings({ fieldSelector: { 'spec.size': '7' } });
    const plain: InformerOptions<Thing> = {};
    expect(checked.things(plain)).toBe(factory.of(sized, plain));
    expect(group.things({ namespace: 'shop' })).toBe(factory.of(things, { namespace: 'shop' }));
    expect(group.clusterThings()).toBe(factory.of(clusterThings));
  });

  it('allow a subclass, as in generated code', () => {
    class InformerFactory extends InformerFactoryBase {
      readonly exampleV1 = groupInformers(this, { things });
    }
    expect(new InformerFactory(api).exampleV1.things()).toBeDefined();
  });
});
