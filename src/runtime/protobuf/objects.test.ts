import { expect, test } from 'vitest';
import { DecodeError } from '../api/errors.ts';
import type { KubernetesObject } from '../api/meta.ts';
import type { LoadProtobuf } from '../api/resource.ts';
import { encodeMessage } from './encode.ts';
import { runtimeCodecs } from './meta/runtime-codecs.ts';
import { decodeObject, encodeObject, type Modules } from './objects.ts';
import { listCodec } from './response/list.ts';
import type { Codecs, KindCodec } from './types.ts';

const metadata = runtimeCodecs.get('PartialObjectMetadata');
const status = runtimeCodecs.get('Status');
if (metadata === undefined || status === undefined) throw new Error('the runtime has lost its codecs');

const loads: string[] = [];
function loading(apiVersion: string, codecs: Codecs): readonly [string, LoadProtobuf] {
  const load = async (): Promise<{ readonly codecs: Codecs }> => {
    loads.push(apiVersion);
    return { codecs };
  };
  return [apiVersion, load];
}

const things: Codecs = new Map<string, KindCodec>([
  ['Thing', metadata],
  ['ThingList', listCodec(metadata)],
]);
const modules: Modules = new Map([
  loading('v1', new Map([['Status', status]])),
  loading('things.dev/v1', things),
  loading('things.dev/v2', things),
]);

const thing = { apiVersion: 'things.dev/v1', kind: 'Thing', metadata: { name: 'a', labels: { b: 'c' } } };

test('what was written is read, and nothing else is loaded for it', async () => {
  loads.length = 0;
  const bytes = await encodeObject(thing, modules);
  expect(await decodeObject(bytes, modules)).toEqual(thing);
  expect(loads).toEqual(['things.dev/v1', 'things.dev/v1']);
});

test('the bytes are those that clients send', async () => {
  const names = { apiVersion: thing.apiVersion, kind: thing.kind };
  expect(await encodeObject(thing, modules)).toEqual(encodeMessage(metadata, thing, names));
});

test('items of lists have apiVersion and kind, and may have them on the way back', async () => {
  const { metadata: named } = thing;
  const list = { apiVersion: 'things.dev/v2', kind: 'ThingList', metadata: {}, items: [{ metadata: named }] };
  const odd = { ...list, items: [{ metadata: named, ...JSON.parse('{"__proto__":1}') }] };
  await expect(encodeObject(odd, modules)).rejects.toThrow('items[0].__proto__');
  const bytes = await encodeObject(list, modules);
  const read = await decodeObject(bytes, modules);
  expect(read).toMatchObject({ items: [{ apiVersion: 'things.dev/v2', kind: 'Thing', metadata: named }] });
  expect(await encodeObject(read, modules)).toEqual(bytes);
});

test('a list holds items of its own kind only', async () => {
  const items = [thing, { ...thing, kind: 'Other' }];
  const list = { apiVersion: 'things.dev/v1', kind: 'ThingList', metadata: {}, items };
  await expect(encodeObject(list, modules)).rejects.toThrow(
    new TypeError('protobuf: items[1].kind: the list has items of Thing only'),
  );
});

test.each([['text'], [5], [true]])('a list with the item %j is refused', async (item) => {
  const list = { apiVersion: 'things.dev/v1', kind: 'ThingList', metadata: {}, items: [{}, item] };
  await expect(encodeObject(list, modules)).rejects.toThrow('protobuf: items[1] is not an object');
});

test('unknown fields of lists and of their items are written again', async () => {
  const unknown = [0xfa, 0x01, 0x02, 0x68, 0x69]; // field 31: hi
  const item = [0x0a, 0x03, 0x0a, 0x01, 0x61, ...unknown]; // metadata, with name: a
  const raw = [0x0a, 0x00, 0x12, item.length, ...item, ...unknown];
  const type = Buffer.from('\n\rthings.dev/v1\x12\tThingList');
  const rest = [0x0a, type.length, ...type, 0x12, raw.length, ...raw, 0x1a, 0x00, 0x22, 0x00];
  const bytes = Uint8Array.from([0x6b, 0x38, 0x73, 0x00, ...rest]);
  const list = await decodeObject(bytes, modules);
  expect(list).toMatchObject({ kind: 'ThingList', items: [{ kind: 'Thing', metadata: { name: 'a' } }] });
  const written = Buffer.from(await encodeObject(list, modules)).toString('latin1');
  expect(written.split('\xfa\x01\x02hi')).toHaveLength(3);
});

test.each<readonly [what: string, object: KubernetesObject, want: string]>([
  ['no apiVersion', { kind: 'Thing' }, 'must have an apiVersion and a kind'],
  ['no kind', { apiVersion: 'v1' }, 'must have an apiVersion and a kind'],
  [
    'an apiVersion of a known group',
    { apiVersion: 'things.dev/v3', kind: 'Thing' },
    'no codecs for the apiVersion "things.dev/v3", but for things.dev/v1, things.dev/v2',
  ],
  [
    'an unknown group',
    { apiVersion: '__proto__', kind: 'Thing' },
    'no codecs for the apiVersion "__proto__", but for v1',
  ],
  [
    'an unknown group with a version',
    { apiVersion: 'other.dev/v1', kind: 'Thing' },
    'no codecs for the apiVersion "other.dev/v1", but for v1, things.dev/v1, things.dev/v2',
  ],
  [
    'an unknown kind',
    { apiVersion: 'things.dev/v1', kind: 'toString' },
    'no codec for the kind "toString" of things.dev/v1, but for Thing, ThingList',
  ],
])('throws TypeError for %s, with the supported ones in the message', async (_what, object, want) => {
  const failure: unknown = await encodeObject(object, modules).catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(TypeError);
  expect(String(failure)).toContain(want);
});

test.each<readonly [apiVersion: string, kind: string, want: string]>([
  ['', '', 'does not name the kind'],
  ['other.dev/v1', 'Thing', 'no codecs for the apiVersion "other.dev/v1", but for v1'],
  ['things.dev/v1', 'Other', 'no codec for the kind "Other" of things.dev/v1, but for Thing'],
  ['x'.repeat(10_000), 'Thing', `"${'x'.repeat(99)}…"`],
])('of apiVersion "%.20s" and kind "%s" nothing is read', async (apiVersion, kind, want) => {
  const bytes = encodeMessage(metadata, { metadata: {} }, { apiVersion, kind });
  const failure: unknown = await decodeObject(bytes, modules).catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(DecodeError);
  expect(failure).toMatchObject({ kind, path: '', offset: 0 });
  expect(String(failure)).toContain(want);
});

test.each([
  [20, 'kind19'],
  [21, 'kind19 and 1 more'],
])('the error for an unknown kind names at most 20 kinds, of %d', async (count, want) => {
  const kinds = Array.from({ length: count }, (_, index) => [`kind${index}`, metadata] as const);
  const many: Modules = new Map([loading('v1', new Map(kinds))]);
  const failure: unknown = await encodeObject({ apiVersion: 'v1', kind: 'Other' }, many).catch(
    (cause: unknown) => cause,
  );
  expect(String(failure).endsWith(`, kind18, ${want}`)).toBe(true);
});

test('bytes that are not an envelope are refused before anything is loaded', async () => {
  loads.length = 0;
  await expect(decodeObject(new Uint8Array(), modules)).rejects.toThrow(DecodeError);
  await expect(decodeObject(Buffer.from('{"kind":"Pod"}'), modules)).rejects.toThrow(DecodeError);
  expect(loads).toEqual([]);
});

test.each<readonly [string, unknown, string]>([
  ['JSON', Buffer.from(' {"kind":"Thing"}'), 'the bytes are JSON, as etcd holds custom resources'],
  ['a list of JSON', Buffer.from('[]'), 'the bytes are JSON'],
  ['gzip', Uint8Array.of(0x1f, 0x8b, 8), 'compressed with gzip'],
  ['what is encrypted', Buffer.from('k8s:enc:aescbc:v1:key:…'), 'the bytes are encrypted'],
  ['another format', Buffer.from('kind: Thing'), 'do not begin with k8s'],
  ['no bytes', new Uint8Array(), 'the input is empty'],
  [
    'an envelope without its last byte',
    Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x22),
    'the bytes end before a length',
  ],
])('names the format of bytes that are not protobuf: %s', async (_, bytes, want) => {
  const reading = decodeObject(bytes as Uint8Array, modules); // seam: a value that callers may pass
  await expect(reading).rejects.toBeInstanceOf(DecodeError);
  await expect(reading).rejects.toThrow(want);
});

test.each([['{}'], [undefined], [new ArrayBuffer(4)], [[1]]])(
  'takes nothing but bytes: %s',
  async (value) => {
    const reading = decodeObject(value as unknown as Uint8Array, modules); // seam: a value that only plain JavaScript can pass
    await expect(reading).rejects.toThrow(new TypeError('protobuf: expected a Uint8Array to decode'));
  },
);

test.each([[undefined], [null], ['text']])('writes nothing but objects: %s', async (value) => {
  const writing = encodeObject(value as unknown as KubernetesObject, modules); // seam: a value that only plain JavaScript can pass
  await expect(writing).rejects.toThrow('the object must have an apiVersion and a kind');
});
