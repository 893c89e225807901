import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { copy, copyPooled, type TakeSlice } from '../../codec/lazy/byte-slice.ts';
import { encodeMessage } from '../encode.ts';
import { parseEnvelope } from '../envelope.ts';
import type { ReaderOptions } from '../errors/decode-context.ts';
import type { KindCodec, Message } from '../types.ts';
import { Reader } from '../wire/reader.ts';
import { runtimeCodecs } from './runtime-codecs.ts';

const names = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' };
const codec: KindCodec = runtimeCodecs.get(names.kind) ?? { read: () => ({}), write: () => 0 };

const entries = [
  {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-31T12:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:ä': {} } } },
  },
  { manager: 'kubelet', fieldsV1: { 'f:status': {} }, subresource: 'status' },
  { manager: 'nobody' },
];
const object = { ...names, metadata: { name: 'a', uid: 'b', finalizers: ['c'], managedFields: entries } };
const bytes = encodeMessage(codec, object, names);

function decode(
  from: Uint8Array = bytes,
  options: ReaderOptions = { unknown: 'keep' },
  hold: TakeSlice = copy,
): Message {
  const { start, end } = parseEnvelope(from);
  return new Reader(options).read(codec.read, from, start, end, { ...names, takeSlice: hold });
}

const metadataOf = (decoded: Message) =>
  decoded['metadata'] as { managedFields: (typeof entries)[number][]; name: string };

/** Returns another encoding of the same fields that `JSON.stringify` does not produce. */
function withSpace(): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  return Buffer.from(text.replace('{"f:status":{}}', '{"f:status": 1}'), 'latin1');
}

describe('managed fields that nobody has looked at', () => {
  it('are a member like any other', () => {
    expect(Object.keys(metadataOf(decode()))).toEqual(['name', 'uid', 'finalizers', 'managedFields']);
    expect(Object.keys(metadataOf(decode()).managedFields[1] ?? {})).toEqual([
      'manager',
      'fieldsV1',
      'subresource',
    ]);
    expect(decode()).toStrictEqual(object);
    expect(isDeepStrictEqual(decode(), object)).toBe(true);
  });

  it.each<[string, (decoded: Message) => unknown]>([
    ['JSON.stringify', (decoded) => JSON.parse(JSON.stringify(decoded))],
    ['structuredClone', (decoded) => structuredClone(decoded)],
    ['spread', (decoded) => ({ ...decoded, metadata: { ...metadataOf(decoded) } })],
    ['Object.assign', (decoded) => ({ ...decoded, metadata: Object.assign({}, decoded['metadata']) })],
    [
      'entries',
      (decoded) => ({ ...decoded, metadata: Object.fromEntries(Object.entries(metadataOf(decoded))) }),
    ],
  ])('are seen by %s', (_, copy) => {
    expect(copy(decode())).toEqual(object);
  });

  it('are read in frozen objects, and are the same each time', () => {
    const decoded = decode();
    Object.freeze(decoded['metadata']);
    const { managedFields } = metadataOf(decoded);
    expect(metadataOf(decoded).managedFields).toBe(managedFields);
    managedFields.forEach(Object.freeze);
    expect(managedFields[0]?.fieldsV1).toEqual(entries[0]?.fieldsV1);
    expect(managedFields[0]?.fieldsV1).toBe(managedFields[0]?.fieldsV1);
    expect(() => Object.assign(metadataOf(decoded), { managedFields: [] })).toThrow(TypeError);
    expect(metadataOf(decoded).managedFields).toBe(managedFields);
  });

  it('can be assigned, deleted and changed', () => {
    const [assigned, deleted, changed] = [decode(), decode(), decode()];
    metadataOf(assigned).managedFields = [];
    expect(assigned).toEqual({ ...object, metadata: { ...object.metadata, managedFields: [] } });
    Reflect.deleteProperty(metadataOf(deleted), 'managedFields');
    expect(Object.keys(metadataOf(deleted))).not.toContain('managedFields');
    metadataOf(changed).managedFields.pop();
    for (const [decoded, count] of [
      [assigned, 0],
      [deleted, 0],
      [changed, 2],
    ] as const) {
      const again = metadataOf(decode(encodeMessage(codec, decoded, names)));
      expect(again.managedFields?.length ?? 0).toBe(count);
    }
  });

  it('are written as they came, byte for byte, looked at or not', () => {
    for (const from of [bytes, withSpace()]) {
      const decoded = decode(from);
      expect(Buffer.compare(encodeMessage(codec, decoded, names), from)).toBe(0);
      expect(metadataOf(decoded).managedFields[0]?.manager).toBe('kubectl');
      expect(Buffer.compare(encodeMessage(codec, decoded, names), from)).toBe(0);
    }
    const decoded = decode();
    JSON.stringify(decoded);
    expect(Buffer.compare(encodeMessage(codec, decoded, names), bytes)).toBe(0);
  });

  it.each([
    [1, copy],
    [1, copyPooled],
    [100, copyPooled],
    [1_000, copyPooled],
  ])('are not those of what is read next, with %i names and %o', (count, hold) => {
    const sources = Array.from({ length: 50 }, (_, index) => {
      const fields = Array.from({ length: count }, (__, name) => [`f:${index}-${name}`, {}]);
      const managedFields = [{ manager: `m${index}`, fieldsV1: Object.fromEntries(fields) }];
      return { ...names, metadata: { managedFields } };
    });
    const all = sources.map((source) => encodeMessage(codec, source, names));
    const decoded = all.map((from) => decode(from, { unknown: 'keep' }, hold));
    for (const from of all) from.fill(0);
    expect(decoded).toStrictEqual(sources);
  });

  it('can be left out', () => {
    expect(decode(bytes, { unknown: 'refuse', omitManagedFields: true })).toStrictEqual({
      ...names,
      metadata: { name: 'a', uid: 'b', finalizers: ['c'] },
    });
  });
});

/** Returns the object with other bytes for its managed fields. */
function withEntry(entry: readonly number[], before: readonly number[] = []): Uint8Array {
  const metadata = [...before, 0x8a, 1, entry.length, ...entry];
  const raw = [10, metadata.length, ...metadata];
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, 18, raw.length, ...raw]);
}

describe('the bytes of managed fields', () => {
  it.each<[string, number[], string]>([
    ['a text that is no UTF-8', [10, 1, 0xff], 'metadata.managedFields[0].manager'],
    ['a wrong wire type', [8, 1], 'metadata.managedFields[0].manager'],
    ['a time that is wrong', [34, 2, 10, 0], 'metadata.managedFields[0].time.seconds'],
    ['fields past their end', [58, 3, 10, 9, 0x7b], 'metadata.managedFields[0].fieldsV1.Raw'],
    ['an entry past its end', [10, 9, 0x61], 'metadata.managedFields[0].manager'],
  ])('are checked when the object is read: %s', (_, entry, path) => {
    expect(() => decode(withEntry(entry))).toThrow(
      expect.objectContaining({ name: 'DecodeError', kind: names.kind, path }),
    );
  });

  it('are refused with a field that nobody knows, and keep it otherwise', () => {
    const from = withEntry([10, 1, 0x61, 0x78, 7]);
    const refuse = () => decode(from, { unknown: 'refuse' });
    expect(refuse).toThrow(expect.objectContaining({ number: 15, path: 'metadata.managedFields[0]' }));
    const decoded = decode(from);
    expect(metadataOf(decoded).managedFields).toEqual([{ manager: 'a' }]);
    const again = encodeMessage(codec, decoded, names);
    expect(() => decode(again, { unknown: 'refuse' })).toThrow(expect.objectContaining({ number: 15 }));
    expect(metadataOf(decode(again)).managedFields).toEqual([{ manager: 'a' }]);
  });

  it('may be in several places', () => {
    const decoded = decode(withEntry([10, 1, 0x62], [0x8a, 1, 3, 10, 1, 0x61, 10, 1, 0x78]));
    expect(decoded['metadata']).toEqual({ name: 'x', managedFields: [{ manager: 'a' }, { manager: 'b' }] });
  });

  it('throw when fields that are not JSON are read', () => {
    const decoded = decode(withEntry([58, 3, 10, 1, 0x7b]));
    const [entry] = metadataOf(decoded).managedFields;
    for (let turn = 0; turn < 2; turn += 1) {
      expect(() => entry?.fieldsV1).toThrow(
        expect.objectContaining({ name: 'DecodeError', path: 'fieldsV1' }),
      );
    }
  });

  it('have null for fields that are there and empty', () => {
    const from = withEntry([34, 0, 58, 0]);
    const decoded = decode(from);
    expect(metadataOf(decoded).managedFields).toEqual([{ time: null, fieldsV1: null }]);
    const again = Buffer.from(encodeMessage(codec, decoded, names));
    expect(again.includes(Buffer.of(34, 0, 50, 0, 58, 0))).toBe(true);
  });
});
