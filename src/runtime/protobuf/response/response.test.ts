import { describe, expect, it } from 'vitest';
import {
  enveloped,
  field,
  inPieces,
  listBytes,
  message,
  metadataBytes,
  varint,
} from '../../../../test/support/runtime/protobuf-bytes.ts';
import { thingBytes, thingCodecs, things } from '../../../../test/support/runtime/protobuf-things.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { rounds } from '../../../../test/support/seeds.ts';
import type { APIResponse } from '../../api/transport.ts';
import { UnknownFieldError } from '../errors/decode-error.ts';
import { decodeResponse } from './response.ts';
import type { ResponseOptions } from './response-envelope.ts';

const operation = { verb: 'list', resource: 'things', namespace: 'shop' };
const { apiVersion } = things;
/** Maximum size of a body that is decoded at once. */
const shortBytes = 256 * 1024;

type Options = Pick<ResponseOptions, 'omitManagedFields' | 'itemErrors'>;

/** Returns a response whose body arrives in these chunks, followed by an error if there is one. */
function reply(chunks: Iterable<Uint8Array>, failure?: Error) {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield* chunks;
    if (failure !== undefined) throw failure;
  }
  const state = { cancelled: false };
  const cancel = (): void => {
    state.cancelled = true;
  };
  const response: APIResponse = { status: 200, headers: {}, body: body(), cancel };
  return { response, state };
}

function decode(chunks: Iterable<Uint8Array>, options: Options = {}): Promise<unknown> {
  return decodeResponse(reply(chunks).response, operation, { ...things, codecs: thingCodecs, ...options });
}

/** Returns the error of a body, and whether the rest of it was cancelled. */
async function fault(chunks: Iterable<Uint8Array>, options: Options = {}) {
  const { response, state } = reply(chunks);
  const error: unknown = await decodeResponse(response, operation, {
    ...things,
    codecs: thingCodecs,
    ...options,
  }).then(
    () => 'no error',
    (cause: unknown) => cause,
  );
  const { name, message, kind, path, offset } = Object(error);
  return { name, message, kind, path, offset, cancelled: state.cancelled };
}

const meta = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid of ${name}`,
  resourceVersion: '7',
  ...more,
});
const thing = (name: string, size = 1, ...tags: string[]) => ({
  apiVersion,
  kind: 'Thing',
  metadata: meta(name),
  spec: { size, ...(tags.length > 0 && { tags }) },
});
const list = (items: readonly Uint8Array[], token = ''): Buffer =>
  enveloped(apiVersion, 'ThingList', listBytes('9', items, token));
const filler = 'x'.repeat(300);
const bytesOf = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => thingBytes(meta(`thing-${index}`), index, filler, 'grüße'));
const thingsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => thing(`thing-${index}`, index, filler, 'grüße'));
const long = list(bytesOf(2000));
const expected = { apiVersion, kind: 'ThingList', metadata: { resourceVersion: '9' }, items: thingsOf(2000) };

describe('an answer', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    {
      name: 'an object',
      given: enveloped(apiVersion, 'Thing', thingBytes(meta('a'), 3, 'b')),
      want: thing('a', 3, 'b'),
    },
    {
      name: 'an object that is large',
      given: enveloped(apiVersion, 'Thing', thingBytes(meta('a'), 3, 'x'.repeat(1_000_000))),
      want: thing('a', 3, 'x'.repeat(1_000_000)),
    },
    {
      name: 'a list',
      given: list(bytesOf(3), 'more'),
      want: { ...expected, metadata: { resourceVersion: '9', continue: 'more' }, items: thingsOf(3) },
    },
    { name: 'an empty list', given: list([]), want: { ...expected, items: [] } },
    {
      name: 'a list without anything',
      given: enveloped(apiVersion, 'ThingList', Buffer.alloc(0)),
      want: { ...expected, metadata: {}, items: [] },
    },
    {
      name: 'a list with an empty item',
      given: list([Buffer.alloc(0)]),
      want: { ...expected, items: [{ apiVersion, kind: 'Thing', metadata: {}, spec: {} }] },
    },
    { name: 'a list that is long', given: long, want: expected },
    {
      name: 'a list whose metadata comes in parts, behind the items',
      given: enveloped(
        apiVersion,
        'ThingList',
        message(
          field(1, field(2, '8')),
          field(2, thingBytes(meta('thing-0'), 0, filler, 'grüße')),
          field(1, field(2, '9')),
        ),
      ),
      want: { ...expected, items: thingsOf(1) },
    },
    {
      name: 'an envelope whose type follows the object',
      given: message(
        Buffer.from('k8s\0'),
        field(2, listBytes('9', bytesOf(2000))),
        field(1, message(field(1, apiVersion), field(2, 'ThingList'))),
      ),
      want: expected,
    },
    {
      name: 'metadata',
      given: enveloped(
        'meta.k8s.io/v1',
        'PartialObjectMetadataList',
        listBytes('9', [field(1, metadataBytes(meta('a')))]),
      ),
      want: {
        apiVersion: 'meta.k8s.io/v1',
        kind: 'PartialObjectMetadataList',
        metadata: { resourceVersion: '9' },
        items: [{ apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: meta('a') }],
      },
    },
    {
      name: 'a status',
      given: enveloped('v1', 'Status', message(field(1, ''), field(2, 'Success'))),
      want: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' },
    },
  ])('may be $name', async ({ given, want }) => {
    expect(await decode([given])).toEqual(want);
    const random = new Seeded(given.length);
    expect(await decode(inPieces(given, () => random.below(given.length / 5)))).toEqual(want);
  });

  it('does not depend on where chunks end', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = new Seeded(seed);
      const most = random.pick([700, 5000, 20_000, 300_000]);
      expect(await decode(inPieces(long, () => 1 + random.below(most ?? 1))), `seed ${seed}`).toEqual(
        expected,
      );
    }
  });

  it('does not hold the chunks that it came in', async () => {
    const chunks = [...inPieces(long, () => 10_000)].map((chunk) => Buffer.from(chunk));
    const decoded = await decode(chunks);
    for (const chunk of chunks) chunk.fill(0);
    expect(decoded).toEqual(expected);
  });

  it.each([true, false])('omits managedFields that are not requested: %s', async (omitManagedFields) => {
    const given = list([thingBytes(meta('a', { manager: 'kubectl' }))]);
    const managedFields = [{ manager: 'kubectl' }];
    const metadata = meta('a', omitManagedFields ? {} : { managedFields });
    expect(await decode([given], { omitManagedFields })).toMatchObject({ items: [{ metadata }] });
  });

  it('gives other work its turn while it comes', async () => {
    const many = list(
      Array.from({ length: 60_000 }, (_, index) => thingBytes(meta(`thing-${index}`), index, 'a', 'b', 'c')),
    );
    let turns = 0;
    let over = false;
    const count = (): void => {
      turns += 1;
      if (!over) setImmediate(count);
    };
    setImmediate(count);
    const decoded = await decode([many]);
    over = true;
    expect(Object(decoded).items).toHaveLength(60_000);
    expect(turns).toBeGreaterThan(3);
  });
});

const badSpec = message(field(1, metadataBytes(meta('bad'))), field(2, field(2, Buffer.of(0xff))));
const strange = message(field(1, metadataBytes(meta('new'))), field(2, field(9, 'new')));
const spoilt = (item: Buffer): Buffer => list([...bytesOf(1000), item, ...bytesOf(1000)]);
/** Bytes before the malformed item. */
const before =
  list([...bytesOf(1000), Buffer.alloc(0)]).length -
  field(2, '').length -
  message(field(3, ''), field(4, '')).length;

describe('an answer that makes no sense', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    { name: 'nothing', given: Buffer.alloc(0), want: { kind: 'Thing' } },
    { name: 'JSON', given: Buffer.from('{"kind":"ThingList","items":[]}'), want: { kind: 'Thing' } },
    {
      name: 'much JSON',
      given: Buffer.from(`{"kind":"ThingList","items":[${'1,'.repeat(300_000)}`),
      want: { kind: 'Thing' },
    },
    { name: 'a prefix', given: Buffer.from('k8s\0'), want: {} },
    {
      name: 'no kind',
      given: enveloped(apiVersion, '', thingBytes(meta('a'))),
      want: { kind: 'Thing', message: expect.stringContaining('does not name the kind') },
    },
    {
      name: 'an unknown kind',
      given: enveloped(apiVersion, 'Gadget', thingBytes(meta('a'))),
      want: { message: expect.stringContaining('"example.com/v1 Gadget"') },
    },
    {
      name: 'a long list of an unknown kind',
      given: enveloped('example.com/v2', 'ThingList', listBytes('9', bytesOf(2000))),
      want: { message: expect.stringContaining('"example.com/v2 ThingList"') },
    },
    {
      name: 'a bad object',
      given: enveloped(apiVersion, 'Thing', badSpec),
      want: { kind: 'Thing', path: 'spec.tags[0]' },
    },
    {
      name: 'a bad item',
      given: list([...bytesOf(3), badSpec]),
      want: { kind: 'ThingList', path: 'items[3].spec.tags[0]' },
    },
    {
      name: 'a bad item in a long list',
      given: spoilt(badSpec),
      want: {
        path: 'items[1000].spec.tags[0]',
        message: expect.stringMatching(/^list things in namespace shop: /),
      },
    },
    {
      name: 'a list within which the metadata is bad',
      given: enveloped(apiVersion, 'ThingList', message(field(1, field(2, Buffer.of(0xff))), field(2, ''))),
      want: { kind: 'ThingList', path: 'metadata.resourceVersion' },
    },
    {
      name: 'items that are numbers',
      given: enveloped(apiVersion, 'ThingList', message(field(1, ''), Buffer.of(0x10, 5))),
      want: { kind: 'ThingList', message: expect.stringContaining('wire type 0') },
    },
    {
      name: 'an item that is longer than the list',
      given: enveloped(apiVersion, 'ThingList', message(Buffer.of(0x12), varint(2 ** 31))),
      want: { kind: 'ThingList' },
    },
    {
      name: 'a list that is longer than the body',
      given: message(long.subarray(0, 40), long.subarray(40, -200)),
      want: { message: expect.stringContaining('list things in namespace shop: ') },
    },
    { name: 'bytes after it', given: message(long, Buffer.of(0xff)), want: {} },
    { name: 'bytes after a short one', given: message(list([]), Buffer.of(0xff)), want: {} },
    { name: 'another object after it', given: message(long, field(2, 'x')), want: {} },
  ])('fails, and is cancelled: $name', async ({ given, want }) => {
    const random = new Seeded(given.length);
    for (const chunks of [[given], [...inPieces(given, () => random.below(given.length / 3))]])
      expect(await fault(chunks)).toMatchObject({ name: 'DecodeError', cancelled: true, ...want });
  });

  it('contains the offset in the body', async () => {
    const { offset } = await fault(inPieces(spoilt(badSpec), () => 999));
    expect(offset).toBeGreaterThan(before);
    expect(offset).toBeLessThan(before + 200);
  });

  it('fails with what its connection failed with', async () => {
    const broken = new Error('reset');
    const { response, state } = reply([long.subarray(0, 300_000)], broken);
    const decoding = decodeResponse(response, operation, { ...things, codecs: thingCodecs });
    await expect(decoding).rejects.toBe(broken);
    expect(state.cancelled).toBe(true);
  });

  it('is cut off anywhere', async () => {
    const short = list(bytesOf(2));
    for (let end = 0; end < short.length - 4; end += 1)
      expect(await fault([short.subarray(0, end)])).toMatchObject({ name: 'DecodeError', cancelled: true });
    for (let end = shortBytes; end < long.length - 4; end += 1 + (end % rounds(977, 4999)))
      expect(await fault(inPieces(long.subarray(0, end), () => 50_000))).toMatchObject({
        name: 'DecodeError',
      });
  });

  it('is said to be longer than memory is', async () => {
    const type = field(1, message(field(1, apiVersion), field(2, 'ThingList')));
    const head = message(Buffer.from('k8s\0'), type, Buffer.of(0x12), varint(2 ** 31));
    const claims = message(head, Buffer.of(0x12), varint(2 ** 31 - 100), Buffer.alloc(300_000));
    const before = process.memoryUsage().arrayBuffers;
    expect(await fault(inPieces(claims, () => 10_000))).toMatchObject({
      name: 'DecodeError',
      cancelled: true,
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024);
  });

  it('makes no trouble, whatever has become of its bytes', async () => {
    const seeds = Array.from({ length: 400 }, (_, index) => index + 1);
    for (const seed of seeds) {
      const random = new Seeded(seed);
      const given = random.chance(0.1) ? Buffer.from(long) : list(bytesOf(4));
      for (let count = 1 + random.below(3); count > 0; count -= 1)
        given[random.below(given.length)] = random.below(256);
      const whole = await decode([given]).catch(String);
      const pieces = await decode(inPieces(given, () => random.below(given.length / 4))).catch(String);
      expect(pieces, `seed ${seed}`).toEqual(whole);
    }
  });
});

describe('a field that is not known', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    {
      name: 'of an object',
      given: enveloped(apiVersion, 'Thing', strange),
      want: { kind: 'Thing', path: 'spec' },
    },
    { name: 'of an item', given: list([...bytesOf(2), strange]), want: { path: 'items[2].spec' } },
    { name: 'of an item of a long list', given: spoilt(strange), want: { path: 'items[1000].spec' } },
    {
      name: 'of the list',
      given: enveloped(apiVersion, 'ThingList', message(listBytes('9', []), field(3, 'x'))),
      want: { kind: 'ThingList', path: '' },
    },
  ])('throws for $name', async ({ given, want }) => {
    for (const options of [{}, { itemErrors: true }]) {
      const { response, state } = reply(inPieces(given, () => 10_000));
      const decoding = decodeResponse(response, operation, { ...things, codecs: thingCodecs, ...options });
      const error: unknown = await decoding.catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(UnknownFieldError);
      expect(error).toMatchObject(want);
      expect(state.cancelled).toBe(true);
    }
  });
});

describe('items that make no sense', () => {
  it('are returned with their errors, with itemErrors', async () => {
    const decoded = await decode(
      inPieces(spoilt(badSpec), () => 10_000),
      { itemErrors: true },
    );
    const { items } = Object(decoded);
    expect(items).toHaveLength(2001);
    expect(items[1000]).toEqual({ unread: expect.anything(), metadata: { name: 'bad', namespace: 'shop' } });
    expect(items[1000].unread).toMatchObject({ name: 'DecodeError', path: 'items[1000].spec.tags[0]' });
    expect([...items.slice(0, 1000), ...items.slice(1001)]).toEqual([...thingsOf(1000), ...thingsOf(1000)]);
  });

  it.each<{ name: string; given: Buffer }>([
    { name: 'no name', given: message(field(1, field(3, 'shop')), field(2, field(2, Buffer.of(0xff)))) },
    { name: 'no metadata', given: field(2, field(2, Buffer.of(0xff))) },
    { name: 'nothing', given: Buffer.of(0xff) },
  ])('reject the list if they contain $name', async ({ given }) => {
    expect(await fault([list([given])], { itemErrors: true })).toMatchObject({
      name: 'DecodeError',
      cancelled: true,
    });
  });
});
