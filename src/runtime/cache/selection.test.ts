import { describe, expect, it } from 'vitest';
import { settle } from '../../../test/support/runtime/fake-clock.ts';
import { noTimePasses } from '../../../test/support/runtime/no-time-passes.ts';
import { thing } from '../../../test/support/runtime/scripted-source.ts';
import { StubApi, things } from '../../../test/support/runtime/stub-api.ts';
import { CollectionClient } from '../client/collection-client.ts';
import { listWatch } from '../client/reading/list-watch.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { MetadataClient } from '../dynamic/metadata/metadata-client.ts';
import type { SelectorOptions } from '../selectors/selection.ts';
import { watch } from '../watch/watch.ts';
import { InformerFactoryBase } from './factory.ts';

noTimePasses();

const selectors: Required<Readonly<Record<keyof SelectorOptions, string>>> = {
  labelSelector: 'app=web',
  fieldSelector: 'metadata.name=a',
  shardSelector: "shardRange(object.metadata.uid, '0x0', '0x8000000000000000')",
};

const name = { group: 'example.com', version: 'v1', resource: 'things' };
const clientOf = (api: StubApi) => new CollectionClient(api.rest, { resource: things });
const dynamicOf = (api: StubApi) => new DynamicClient(api.rest).resource(name);

/** Reads the existing object and an event, so that the watch has listed and watched. */
async function opened(api: StubApi, events: AsyncIterable<unknown>): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  await iterator.next();
  const next = iterator.next();
  while (api.streams.length === 0) await settle(3);
  api.streams[0]?.line({ type: 'ADDED', object: thing('b', 9) });
  await next;
  await iterator.return?.();
}

async function synced(
  api: StubApi,
  informer: (factory: InformerFactoryBase) => unknown,
  streaming: boolean,
): Promise<void> {
  const factory = new InformerFactoryBase(api, { streaming });
  informer(factory);
  factory.start();
  await factory.waitForSync();
  await factory.stop();
}

type Call = (api: StubApi, options: SelectorOptions) => Promise<unknown>;

/** Calls that select objects, with the requests that each sends. */
const calls: Readonly<Record<string, Call>> = {
  list: (api, options) => clientOf(api).list(options),
  iterate: (api, options) => clientOf(api).iterate(options)[Symbol.asyncIterator]().next(),
  watch: (api, options) => opened(api, clientOf(api).watch(options)),
  'watch of a listWatch': (api, options) =>
    opened(api, watch(listWatch(api.rest, { resource: things }, options))),
  'dynamic list': (api, options) => dynamicOf(api).list(options),
  'metadata list': (api, options) => new MetadataClient(api.rest).resource(name).list(options),
  'metadata watch': (api, options) => opened(api, new MetadataClient(api.rest).resource(name).watch(options)),
  table: (api, options) => dynamicOf(api).table(options),
  watchTable: (api, options) => opened(api, dynamicOf(api).watchTable(options)),
  'listing informer': (api, options) => synced(api, (factory) => factory.of(things, options), false),
  'streaming informer': (api, options) => synced(api, (factory) => factory.of(things, options), true),
  'metadata informer': (api, options) => synced(api, (factory) => factory.metadataOf(things, options), true),
};

describe.each(Object.entries(selectors))('%s', (selector, value) => {
  it.each(Object.entries(calls))('is a query parameter of every request of %s', async (_, call) => {
    const api = new StubApi();
    await call(api, { [selector]: value });
    expect(api.requests.length).toBeGreaterThan(0);
    const sent = api.requests.map((request) => new URL(request, 'http://stub').searchParams.get(selector));
    expect([...new Set(sent)]).toEqual([value]);
  });

  it('separates informers', () => {
    const factory = new InformerFactoryBase(new StubApi());
    const informers = [{}, { [selector]: value }, { [selector]: 'app=other' }].map((options) =>
      factory.of(things, options),
    );
    expect(new Set(informers).size).toBe(3);
    expect(new Set(informers.map((informer) => informer.name)).size).toBe(3);
    expect(factory.of(things, { [selector]: value })).toBe(informers[1]);
  });
});
