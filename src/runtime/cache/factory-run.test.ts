import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { clusterThings, StubApi, things } from '../../../test/support/runtime/stub-api.ts';
import { InformerFactoryBase } from './factory.ts';

noTimePasses();

let api = new StubApi();
let clock = new FakeClock();
beforeEach(() => {
  api = new StubApi();
  clock = new FakeClock();
});

const factoryWith = () =>
  new InformerFactoryBase(api, { streaming: false, environment: { clock, random: () => 0 } });

describe('waitForSync with handlers', () => {
  it('waits until they have been called for the initial objects, and names those that have not', async () => {
    const factory = factoryWith();
    let finish = (): void => undefined;
    const calls: string[] = [];
    factory.of(things).handle({
      add: ({ metadata }) =>
        new Promise<void>((resolve) => {
          finish = resolve;
          calls.push(metadata.name);
        }),
    });
    const removed = factory.of(things).handle({ add: () => new Promise(() => undefined) });
    await factory.start();
    await factory.waitForSync();
    const failure = factory.waitForSync({ handlers: true, timeoutMs: 1000 }).catch((error) => error);
    await clock.advance(1000);
    expect((await failure).message).toBe(
      'informers are not synced within 1000 ms: things.example.com: handlers are busy, queued calls: 0',
    );
    const synced = factory.waitForSync({ handlers: true });
    await settle();
    removed.remove();
    finish();
    await synced;
    expect([calls, clock.armed]).toEqual([['a'], 1]);
    await factory.stop();
  });
});

describe('several namespaces', () => {
  it('have one cache, which is complete when all of them are', async () => {
    const factory = factoryWith();
    const informer = factory.of(things, { namespaces: ['bank', 'shop'] });
    const byPlace = informer.addIndex('place', ({ metadata }) => [metadata.namespace ?? '']);
    api.silent = '/namespaces/shop/';
    await factory.start();
    await expect.poll(() => informer.lister.list()).toHaveLength(1);
    expect([informer.isSynced, informer.lister.list().length, byPlace.values()]).toEqual([
      false,
      1,
      ['bank'],
    ]);
    const failure = factory.waitForSync({ timeoutMs: 3000 }).catch((error) => error);
    await clock.advance(3000);
    expect((await failure).message).toBe(
      'informers are not synced within 3000 ms: things.example.com in namespaces bank, shop: ' +
        'waits for the whole state, requested 3 s ago: list things in namespace shop',
    );
    await factory.stop();
    api.silent = undefined;
    await factory.start();
    await factory.waitForSync();
    expect(informer.lister.list().map(({ metadata }) => metadata.namespace)).toEqual(['bank', 'shop']);
    expect([...informer.stats().resourceVersions.keys()]).toEqual(['bank', 'shop']);
    await factory.stop();
    expect(clock.armed).toBe(0);
  });
});

describe('stats of all informers', () => {
  it('have unique names', async () => {
    const factory = factoryWith();
    factory.of(things);
    factory.of(things, { freeze: false });
    factory.of(things, { transform: (object) => object });
    factory.of(things, { namespaces: ['shop', 'bank'], labelSelector: { app: 'web' } });
    factory.of(things, { namespace: 'shop', fieldSelector: 'metadata.name=a', labelSelector: 'app' });
    factory.metadataOf(clusterThings);
    const named = new InformerFactoryBase(factory).stats();
    expect([...named.keys()]).toEqual([
      'things.example.com',
      'things.example.com #2',
      'things.example.com #3',
      'things.example.com in namespaces bank, shop with app=web',
      'things.example.com in namespace shop with app and metadata.name=a',
      'metadata of clusterthings.example.com',
    ]);
    await factory.start();
    await factory.waitForSync();
    expect([...factory.stats().values()].map(({ synced, objects }) => [synced, objects])).toEqual(
      [1, 1, 1, 2, 1, 1].map((objects) => [true, objects]),
    );
    await factory.stop();
  });
});
