import { describe, expect, it } from 'vitest';
import { encodeMessage } from './encode.ts';
import { isEnvelope, parseEnvelope } from './envelope.ts';
import { ProtobufError } from './errors/decode-error.ts';
import { runtimeCodecs } from './meta/runtime-codecs.ts';
import type { KindCodec } from './types.ts';
import { Reader } from './wire/reader.ts';

const names = { apiVersion: 'v1', kind: 'Status' };
const codec: KindCodec = runtimeCodecs.get('Status') ?? { read: () => ({}), write: () => 0 };
const magic = [0x6b, 0x38, 0x73, 0];
const status = {
  ...names,
  metadata: {},
  status: 'Failure',
  reason: 'NotFound',
  details: { name: 'a', causes: [{ field: 'b' }], retryAfterSeconds: 3 },
  code: 404,
};

describe('an envelope', () => {
  it('is written and read', () => {
    const bytes = encodeMessage(codec, status, names);
    expect([...bytes.subarray(0, 18)]).toEqual([
      ...magic,
      10,
      12,
      10,
      2,
      0x76,
      0x31,
      18,
      6,
      ...Buffer.from('Status'),
    ]);
    expect([...bytes.subarray(-4)]).toEqual([0x1a, 0, 0x22, 0]);
    const { start, end, ...envelope } = parseEnvelope(bytes);
    expect(envelope).toEqual({ ...names, contentEncoding: '', contentType: '' });
    expect(new Reader({ unknown: 'refuse' }).read(codec.read, bytes, start, end, names)).toStrictEqual(
      status,
    );
  });

  it('is read from a part of a larger buffer, without a type', () => {
    const bytes = Uint8Array.from([1, 2, 3, ...magic, 18, 0, 9]);
    expect(parseEnvelope(bytes, 3, 9)).toEqual({
      apiVersion: '',
      kind: '',
      start: 9,
      end: 9,
      contentEncoding: '',
      contentType: '',
    });
    expect(isEnvelope(bytes, 3)).toBe(true);
    expect(isEnvelope(bytes)).toBe(false);
    expect(isEnvelope(bytes, 3, 6)).toBe(false);
  });

  it('is read without its unknown fields', () => {
    const typeMeta = [10, 2, 0x76, 0x31, 18, 1, 0x61, 26, 1, 0x62];
    const bytes = Uint8Array.from([...magic, 10, typeMeta.length, ...typeMeta, 18, 0, 42, 1, 0x63]);
    expect(parseEnvelope(bytes)).toMatchObject({ apiVersion: 'v1', kind: 'a', start: 18, end: 18 });
  });

  it.each<[string, number[], string]>([
    ['nothing', [], 'the input is empty'],
    ['JSON', [...Buffer.from('{"kind":"Pod"}')], 'do not begin with k8s'],
    ['half of its beginning', [0x6b, 0x38], 'do not begin with k8s'],
    ['its beginning', magic, 'there is not an object'],
    ['no object', [...magic, 10, 0], 'there is not an object'],
    ['an object that is cut off', [...magic, 18, 2, 0], '2 bytes are announced, and only 1 there'],
    ['a kind that is not a string', [...magic, 10, 3, 18, 1, 0xff, 18, 0], 'no UTF-8'.replace('no', 'not')],
    ['the wrong wire type', [...magic, 16, 1], 'wire type 0'],
  ])('is refused: %s', (_, bytes, problem) => {
    const operation = { verb: 'get', resource: 'pods' };
    const run = () => parseEnvelope(Uint8Array.from(bytes), 0, bytes.length, { kind: 'Pod', operation });
    expect(run).toThrow(ProtobufError);
    expect(run).toThrow(problem);
    expect(run).toThrow(expect.objectContaining({ name: 'DecodeError', kind: 'Pod', operation }));
  });
});

describe('writing an object', () => {
  it('refuses another apiVersion or kind than is written', () => {
    expect(() => encodeMessage(codec, { kind: 'Pod' }, names)).toThrow(
      'protobuf: kind: "Pod" where Status is written',
    );
    expect(() => encodeMessage(codec, { apiVersion: 'v2' }, names)).toThrow(TypeError);
    expect(encodeMessage(codec, {}, names)).toEqual(encodeMessage(codec, names, names));
    expect(() => encodeMessage(codec, { ...names, x: 1 }, names)).toThrow('protobuf: x: unknown member');
  });

  it('gives bytes that nobody writes to afterwards, and goes on after an error', () => {
    const first = encodeMessage(codec, { reason: 'a'.repeat(3_000_000) }, names);
    const small = encodeMessage(codec, { reason: 'a' }, names);
    const copies = [Uint8Array.from(first), Uint8Array.from(small)];
    expect(() => encodeMessage(codec, { reason: 'b', details: { causes: [{ x: 1 }] } }, names)).toThrow(
      'protobuf: details.causes[0].x: unknown member',
    );
    encodeMessage(codec, { reason: 'b'.repeat(2_000_000) }, names);
    expect(Buffer.compare(first, copies[0] ?? small)).toBe(0);
    expect(Buffer.compare(small, copies[1] ?? first)).toBe(0);
  });

  it('can be done while another one is written', () => {
    let inner: Uint8Array | undefined;
    const object = {
      get reason() {
        inner = encodeMessage(codec, { reason: 'inner' }, names);
        return 'outer';
      },
    };
    expect(encodeMessage(codec, object, names)).toEqual(encodeMessage(codec, { reason: 'outer' }, names));
    expect(inner).toEqual(encodeMessage(codec, { reason: 'inner' }, names));
  });
});

describe('a list', () => {
  const list: KindCodec = runtimeCodecs.get('PartialObjectMetadataList') ?? codec;
  const read = (bytes: readonly number[]) =>
    new Reader({ unknown: 'keep' }).read(list.read, Uint8Array.from(bytes), 0, bytes.length, {
      kind: 'List',
    });

  it('has items, if only none', () => {
    expect(read([])).toStrictEqual({ metadata: {}, items: [] });
    expect(read([18, 0, 10, 5, 18, 3, 0x34, 0x37, 0x31, 18, 0])).toStrictEqual({
      metadata: { resourceVersion: '471' },
      items: [{ metadata: {} }, { metadata: {} }],
    });
  });
});
