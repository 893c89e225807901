import { describe, expect, it } from 'vitest';
import { things } from '../../../../test/support/runtime/stub-api.ts';
import type { Request } from '../../api/transport.ts';
import { StringPool } from '../../codec/string-pool.ts';
import { RESTClient } from '../../rest/client.ts';
import { cacheListWatch } from './cache-list-watch.ts';

interface Given {
  readonly status?: number;
  readonly body: string;
  readonly keepManagedFields?: boolean;
  /** Size of a chunk, in bytes. */
  readonly chunk?: number;
}

/** Creates a source with the same response to every request. */
function source({ status = 200, body, keepManagedFields = false, chunk = 50_000 }: Given) {
  const requests: Request[] = [];
  const bytes = Buffer.from(body);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const headers = { 'content-type': 'application/json' };
  const transport = async (request: Request) => {
    requests.push(request);
    return { status, headers, body: chunks(), cancel: () => undefined };
  };
  const rest = new RESTClient({ server: 'http://stub' }, { transport });
  const cache = { keepManagedFields, strings: new StringPool() };
  const options = { labelSelector: { app: 'web' }, headers: { 'x-a': 'b' }, cache };
  const made = cacheListWatch(rest, { resource: things, namespace: 'shop' }, options);
  return { ...made, requests, listAll: () => made.list({ limit: 500 }, new AbortController().signal) };
}

const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid of ${name}`,
  resourceVersion: '7',
  ...more,
});
const managed = (name: string) => ({ metadata: meta(name, { managedFields: [{ manager: 'a' }], z: 1 }) });
const listOf = (items: unknown): string =>
  JSON.stringify({
    kind: 'ThingList',
    apiVersion: 'example.com/v1',
    metadata: { resourceVersion: '9' },
    items,
  });
const thing = { apiVersion: 'example.com/v1', kind: 'Thing' };
const many = Array.from({ length: 3000 }, (_, index) => managed(`thing-${index}-${'-'.repeat(100)}`));

describe('a list for a cache', () => {
  it.each([
    { what: 'short', items: [managed('a'), managed('b')] },
    { what: 'long', items: many },
    { what: 'empty', items: [] },
  ])('that is $what has no managedFields', async ({ items }) => {
    const { listAll, requests } = source({ body: listOf(items) });
    const want = items.map(({ metadata }) => ({ ...thing, metadata: meta(metadata.name, { z: 1 }) }));
    expect(await listAll()).toEqual({ items: want, metadata: { resourceVersion: '9' }, unreadable: [] });
    expect(requests).toMatchObject([
      {
        path: '/apis/example.com/v1/namespaces/shop/things',
        query: [
          ['labelSelector', 'app=web'],
          ['limit', '500'],
        ],
        headers: { 'x-a': 'b' },
        maxRetries: 0,
      },
    ]);
  });

  it('has managedFields if requested', async () => {
    const { listAll } = source({ body: listOf([managed('a')]), keepManagedFields: true });
    expect((await listAll()).items).toEqual([{ ...thing, ...managed('a') }]);
  });

  it.each([1, 7, 100_000])('is decoded in chunks of %i bytes', async (chunk) => {
    const { listAll } = source({ body: listOf(many.slice(0, 20)), chunk });
    expect((await listAll()).items).toHaveLength(20);
  });

  it.each<{ item: unknown; message: string; known?: object }>([
    { item: null, message: 'an item of the list is null, not an object' },
    { item: 'a', message: 'an item of the list is a string, not an object' },
    { item: [{}], message: 'an item of the list is a list, not an object' },
    { item: { spec: {} }, message: 'an item of the list has no metadata' },
    { item: { metadata: null }, message: 'an item of the list has no metadata' },
    { item: { metadata: [] }, message: 'an item of the list has no metadata' },
    { item: { metadata: {} }, message: 'an item of the list has no name' },
    {
      item: { metadata: meta('', {}) },
      message: 'an item of the list has no name',
      known: { namespace: 'shop' },
    },
    {
      item: { metadata: meta('a', { uid: undefined }) },
      message: 'shop/a has no uid',
      known: { namespace: 'shop', name: 'a' },
    },
    {
      item: { metadata: meta('a', { resourceVersion: 7 }) },
      message: 'shop/a has no resourceVersion',
      known: { namespace: 'shop', name: 'a' },
    },
    {
      item: { metadata: meta('a', { namespace: undefined, uid: '' }) },
      message: 'a has no uid',
      known: { name: 'a' },
    },
    {
      item: { metadata: meta('a', { namespace: 7 }) },
      message: 'a has a namespace that is a number',
      known: { name: 'a' },
    },
  ])('skips an item that cannot be stored: $message', async ({ item, message, known }) => {
    const { listAll } = source({ body: listOf([managed('x'), item, managed('y')]) });
    const { items, unreadable } = await listAll();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['x', 'y']);
    const error = { name: 'DecodeError', message: `list things in namespace shop: ${message}` };
    expect(unreadable).toMatchObject([{ error }]);
    const { error: _, ...rest } = Object(unreadable?.[0]);
    expect(rest).toEqual(known ?? {});
  });

  it.each<{ given: Given; want: object }>([
    {
      given: { body: '{}' },
      want: {
        name: 'DecodeError',
        message: 'list things in namespace shop: the response is not a list: it has no items',
      },
    },
    {
      given: { body: '{"items":5}' },
      want: {
        name: 'DecodeError',
        message: 'list things in namespace shop: the response is not a list: it has no items',
      },
    },
    { given: { body: '[]' }, want: { name: 'DecodeError' } },
    {
      given: { body: '' },
      want: { name: 'DecodeError', message: 'list things in namespace shop: the response is empty' },
    },
    { given: { body: '{"items":[{"metadata":{"name":"a",}}]}' }, want: { name: 'DecodeError' } },
    { given: { body: '{"items":[{"metadata":{"name":"a","managedFields":[' }, want: { name: 'DecodeError' } },
    { given: { body: '{"kind":"Status","code":410}', status: 410 }, want: { name: 'ApiError', code: 410 } },
    {
      given: { body: '{"kind":"Status","status":"Failure","code":404,"metadata":{}}' },
      want: { name: 'ApiError', code: 404 },
    },
  ])('rejects malformed responses: $given.body', async ({ given, want }) => {
    await expect(source(given).listAll()).rejects.toMatchObject(want);
  });

  it('treats null as an empty list', async () => {
    expect(await source({ body: listOf(null) }).listAll()).toMatchObject({ items: [], unreadable: [] });
  });
});

describe('a watch for a cache', () => {
  it('requests the same objects, and decodes lines without managedFields', async () => {
    const { watch, parseLine, requests, target } = source({ body: '' });
    await watch({ resourceVersion: '9' }, new AbortController().signal);
    expect(requests).toMatchObject([
      {
        path: '/apis/example.com/v1/namespaces/shop/things',
        query: [
          ['labelSelector', 'app=web'],
          ['resourceVersion', '9'],
          ['watch', 'true'],
        ],
        headers: { 'x-a': 'b' },
        stream: true,
      },
    ]);
    const line = Buffer.from(JSON.stringify({ type: 'ADDED', object: managed('a') }));
    expect(parseLine?.(line)).toEqual({ type: 'ADDED', object: { metadata: meta('a', { z: 1 }) } });
    expect(target).toEqual({ resource: 'things', namespace: 'shop' });
  });

  it('decodes lines with managedFields if requested', () => {
    const { parseLine } = source({ body: '', keepManagedFields: true });
    const event = { type: 'ADDED', object: managed('a') };
    expect(parseLine?.(Buffer.from(JSON.stringify(event)))).toEqual(event);
  });
});
