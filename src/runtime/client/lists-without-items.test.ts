import { describe, expect, it } from 'vitest';
import { things } from '../../../test/support/runtime/stub-api.ts';
import type { KubernetesObject } from '../api/meta.ts';
import { defineResource, type NamespacedResource } from '../api/resource.ts';
import type { APIRequest, APIResponse } from '../api/transport.ts';
import { InformerFactoryBase } from '../cache/factory.ts';
import { DynamicClient } from '../dynamic/dynamic-client.ts';
import { MetadataClient } from '../dynamic/metadata/metadata-client.ts';
import { RESTClient } from '../rest/client.ts';
import { untilObjects } from '../watch/wait/until.ts';
import { configMaps, inProtobuf, responding } from './protobuf.fixture.ts';
import { ResourceClient } from './resource-client.ts';

const metadata = { resourceVersion: '9' };
const known = { group: 'example.com', version: 'v1', resource: 'things' };
const select = { spec: { a: true } } as const;

/** Creates a client of a server without streamed lists, whose watches never emit an event. */
function client(list: object): RESTClient {
  const transport = async ({ query, signal }: APIRequest): Promise<APIResponse> => {
    const isWatch = query.some(([name]) => name === 'watch');
    const status = query.some(([name]) => name === 'sendInitialEvents') ? 400 : 200;
    async function* body(): AsyncGenerator<Uint8Array> {
      if (!isWatch) yield Buffer.from(JSON.stringify(list));
      else if (status === 200) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    }
    return { status, headers: { 'content-type': 'application/json' }, body: body(), cancel: () => undefined };
  };
  return new RESTClient({ server: 'http://stub' }, { transport });
}

async function collected(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function synced(rest: RESTClient, resource: NamespacedResource<KubernetesObject, unknown, unknown>) {
  const factory = new InformerFactoryBase({ rest });
  const { lister } = factory.of(resource);
  factory.start();
  await factory.waitForSync();
  const objects = lister.list();
  await factory.stop();
  return objects;
}

const dynamic = (rest: RESTClient) => new DynamicClient(rest).resource(known).namespace('shop');
const calls: Readonly<Record<string, (rest: RESTClient) => Promise<readonly unknown[]>>> = {
  list: async (rest) => (await dynamic(rest).list()).items,
  iterate: (rest) => collected(dynamic(rest).iterate()),
  'list with a selection': async (rest) => (await dynamic(rest).list({ select })).items,
  'iterate with a selection': (rest) => collected(dynamic(rest).iterate({ select })),
  table: async (rest) => (await dynamic(rest).table()).rows,
  'list of metadata': async (rest) => (await new MetadataClient(rest).resource(known).list()).items,
  untilObjects: (rest) => untilObjects(dynamic(rest), () => true),
  informer: (rest) => synced(rest, things),
};

describe.each(Object.entries(calls))('%s', (_, call) => {
  it.each([
    ['without items', { kind: 'ThingList', apiVersion: 'example.com/v1', metadata }],
    ['with items that are null', { kind: 'ThingList', apiVersion: 'example.com/v1', metadata, items: null }],
    ['of kind List without items', { kind: 'List', apiVersion: 'v1', metadata }],
  ])('reads a list %s as an empty list', async (_name, list) => {
    expect(await call(client(list))).toEqual([]);
  });
});

it.each([
  ['the object of another kind', { kind: 'Thing', apiVersion: 'example.com/v1', metadata }],
  ['an object without a kind', { metadata }],
  ['items of another type', { kind: 'ThingList', items: {} }],
])('rejects a list that is %s', async (_, body) => {
  await expect(dynamic(client(body)).list()).rejects.toThrow('the response is not a list: it has no items');
});

it.each([
  ['no field', new Uint8Array()],
  ['only metadata', Buffer.from('0a03120139', 'hex')],
])('reads a protobuf list with %s as an empty list', async (_, list) => {
  const { rest } = responding(({ query }) =>
    query.some(([name]) => name === 'sendInitialEvents')
      ? { status: 400, type: 'text/plain', body: Buffer.from('no') }
      : inProtobuf(list, 'ConfigMapList'),
  );
  const resource: NamespacedResource<KubernetesObject, unknown, unknown> = defineResource({
    ...configMaps().resource,
    scope: 'Namespaced',
  });
  const typed = new ResourceClient(rest, { resource: configMaps().resource, namespace: 'shop' });
  expect(await typed.list()).toMatchObject({ kind: 'ConfigMapList', items: [] });
  expect((await typed.list({ select: { metadata: { labels: true } } })).items).toEqual([]);
  expect(await synced(rest, resource)).toEqual([]);
});
