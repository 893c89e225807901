import { describe, expect, it } from 'vitest';
import { ProtobufError, UnknownFieldError, UnknownKindError } from './errors/decode-error.ts';
import {
  readDeleteOptions,
  readListMeta,
  readPartialObjectMetadata,
  readPreconditions,
  readShardInfo,
  readStatus,
  readStatusCause,
  readStatusDetails,
  writeDeleteOptions,
  writeListMeta,
  writePartialObjectMetadata,
  writePreconditions,
  writeShardInfo,
  writeStatus,
  writeStatusCause,
  writeStatusDetails,
} from './meta/meta-codecs.ts';
import { runtimeCodecs } from './meta/runtime-codecs.ts';
import type { Message, ReadMessage, WriteMessage } from './types.ts';
import {
  readJSONSchemaPropsOrArray,
  readJSONSchemaPropsOrBool,
  readJSONSchemaPropsOrStringArray,
  writeJSONSchemaPropsOrArray,
  writeJSONSchemaPropsOrBool,
  writeJSONSchemaPropsOrStringArray,
} from './values/json-schema-props.ts';
import { momentOf } from './values/time.ts';
import { Reader } from './wire/reader.ts';
import { Writer, type WriteValue } from './wire/writer.ts';

type Read = (r: Reader, end: number) => unknown;

function encoded(write: WriteMessage, message: unknown): Uint8Array {
  const writer = new Writer();
  writer.root(message, write);
  return Uint8Array.from(writer.finish());
}

function decoded(read: ReadMessage, bytes: Uint8Array): Message {
  return new Reader({ unknown: 'refuse' }).read(read, bytes, 0, bytes.length, { kind: 'Thing' });
}

/** Returns a message with one field, as its bytes: the tag, the length and the content. */
const field = (tag: number, content: Uint8Array): number[] => [tag, content.length, ...content];

const ownerReference = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web',
  uid: 'u-1',
  controller: true,
  blockOwnerDeletion: false,
};
const objectMeta = {
  name: 'web',
  generateName: 'web-',
  namespace: 'default',
  selfLink: '/self',
  uid: 'u-2',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-31T12:00:00Z',
  deletionTimestamp: '2026-02-28T23:59:59Z',
  deletionGracePeriodSeconds: 30,
  labels: { a: 'b' },
  annotations: { c: 'd', e: 'f' },
  ownerReferences: [ownerReference],
  finalizers: ['one', 'two'],
};

describe('messages of meta/v1 with every field are read as they were written', () => {
  it.each<[name: string, read: ReadMessage, write: WriteMessage, message: Message]>([
    [
      'PartialObjectMetadata',
      readPartialObjectMetadata,
      writePartialObjectMetadata,
      { metadata: objectMeta },
    ],
    [
      'ListMeta',
      readListMeta,
      writeListMeta,
      {
        selfLink: '/self',
        resourceVersion: '8',
        continue: 'token',
        remainingItemCount: 9,
        shardInfo: { selector: 's' },
      },
    ],
    [
      'Status',
      readStatus,
      writeStatus,
      {
        metadata: { resourceVersion: '8' },
        status: 'Failure',
        message: 'It failed.',
        reason: 'Conflict',
        details: {
          name: 'web',
          group: 'apps',
          kind: 'deployments',
          uid: 'u-3',
          causes: [{ reason: 'FieldValueInvalid', message: 'It is wrong.', field: 'spec' }],
          retryAfterSeconds: 5,
        },
        code: 409,
      },
    ],
    [
      'DeleteOptions',
      readDeleteOptions,
      writeDeleteOptions,
      {
        gracePeriodSeconds: 10,
        preconditions: { uid: 'u-4', resourceVersion: '9' },
        orphanDependents: false,
        propagationPolicy: 'Foreground',
        dryRun: ['All'],
        ignoreStoreReadErrorWithClusterBreakingPotential: true,
      },
    ],
  ])('%s', (_, read, write, message) => {
    expect(decoded(read, encoded(write, message))).toEqual(message);
  });

  it('and have no member for a field that is absent', () => {
    expect(Object.keys(decoded(readDeleteOptions, Uint8Array.of()))).toEqual([]);
    expect(Object.keys(decoded(readListMeta, Uint8Array.of()))).toEqual([]);
    expect(Object.keys(decoded(readStatusCause, Uint8Array.of()))).toEqual([]);
    expect(Object.keys(decoded(readStatusDetails, Uint8Array.of()))).toEqual([]);
    expect(Object.keys(decoded(readPreconditions, Uint8Array.of()))).toEqual([]);
    expect(decoded(readStatus, Uint8Array.of())).toEqual({ metadata: {} });
    expect(decoded(readShardInfo, Uint8Array.of())).toEqual({ selector: '' });
  });

  it('and take the fields of a message together that comes in parts', () => {
    const part = (selector: string): number[] => field(42, Uint8Array.from(field(10, Buffer.from(selector))));
    const bytes = Uint8Array.from([...part('one'), ...field(42, Uint8Array.of())]);
    expect(decoded(readListMeta, bytes)).toEqual({ shardInfo: { selector: 'one' } });
  });

  it.each<[name: string, read: ReadMessage, member: string, tag: number, parts: [string, string]]>([
    ['metadata of Status', readStatus, 'metadata', 10, ['selfLink', 'resourceVersion']],
    ['details of Status', readStatus, 'details', 42, ['name', 'group']],
    ['preconditions of DeleteOptions', readDeleteOptions, 'preconditions', 18, ['uid', 'resourceVersion']],
    [
      'metadata of PartialObjectMetadata',
      readPartialObjectMetadata,
      'metadata',
      10,
      ['name', 'generateName'],
    ],
  ])('and merge parts of the same message: %s', (_, read, member, tag, [first, second]) => {
    const one = field(tag, Uint8Array.from(field(10, Buffer.from('one'))));
    const two = field(tag, Uint8Array.from(field(18, Buffer.from('two'))));
    const message = decoded(read, Uint8Array.from([...one, ...two]));
    expect(message[member]).toEqual({ [first]: 'one', [second]: 'two' });
  });

  it.each<[name: string, read: ReadMessage, write: WriteMessage]>([
    ['ShardInfo', readShardInfo, writeShardInfo],
    ['ListMeta', readListMeta, writeListMeta],
    ['StatusCause', readStatusCause, writeStatusCause],
    ['StatusDetails', readStatusDetails, writeStatusDetails],
    ['Status', readStatus, writeStatus],
    ['Preconditions', readPreconditions, writePreconditions],
    ['DeleteOptions', readDeleteOptions, writeDeleteOptions],
    ['PartialObjectMetadata', readPartialObjectMetadata, writePartialObjectMetadata],
  ])('and unknown fields are written again: %s', (_, read, write) => {
    const unknown = [0xfa, 1, ...field(1, Buffer.from('later')).slice(1)];
    const reader = new Reader({ unknown: 'keep' });
    const message = reader.read(read, Uint8Array.from(unknown), 0, unknown.length, { kind: 'Thing' });
    expect([...encoded(write, message)].slice(-unknown.length)).toEqual(unknown);
    expect(() => decoded(read, Uint8Array.from(unknown))).toThrow(UnknownFieldError);
  });
});

describe('a schema or something else', () => {
  const readName: ReadMessage = (r, end) => {
    r.enter('1 name');
    let name = '';
    while (r.pos < end) {
      const tag = r.tag();
      if (tag === 10) name = r.string();
      else r.unknown(tag);
    }
    const message: Message = { name };
    r.leave(end, message);
    return message;
  };
  const writeName: WriteMessage = (w, message) => {
    w.enter('1 name', message);
    return w.string(10, message['name']);
  };

  function write(writes: WriteValue, value: unknown): number[] {
    const writer = new Writer();
    writer.enter('1 field');
    writer.value(10, value, writes);
    const [, , ...bytes] = writer.finish();
    return bytes;
  }

  function read(reads: Read, bytes: readonly number[]): unknown {
    const outer: ReadMessage = (r, end) => ({ value: reads(r, end) });
    return decoded(outer, Uint8Array.from(bytes))['value'];
  }

  const a = { name: 'a' };
  const b = { name: 'b' };
  const nameA = [10, 1, 0x61];
  const nameB = [10, 1, 0x62];

  it.each<[title: string, reads: Read, writes: WriteValue, value: unknown, bytes: number[]]>([
    [
      'schema',
      readJSONSchemaPropsOrArray(readName),
      writeJSONSchemaPropsOrArray(writeName),
      a,
      [10, 3, ...nameA],
    ],
    [
      'list of schemas',
      readJSONSchemaPropsOrArray(readName),
      writeJSONSchemaPropsOrArray(writeName),
      [a, b],
      [18, 3, ...nameA, 18, 3, ...nameB],
    ],
    [
      'schema, or strings',
      readJSONSchemaPropsOrStringArray(readName),
      writeJSONSchemaPropsOrStringArray(writeName),
      a,
      [10, 3, ...nameA],
    ],
    [
      'strings',
      readJSONSchemaPropsOrStringArray(readName),
      writeJSONSchemaPropsOrStringArray(writeName),
      ['a', 'b'],
      [18, 1, 0x61, 18, 1, 0x62],
    ],
    [
      'schema, or a boolean',
      readJSONSchemaPropsOrBool(readName),
      writeJSONSchemaPropsOrBool(writeName),
      a,
      [8, 1, 18, 3, ...nameA],
    ],
    ['true', readJSONSchemaPropsOrBool(readName), writeJSONSchemaPropsOrBool(writeName), true, [8, 1]],
    ['false', readJSONSchemaPropsOrBool(readName), writeJSONSchemaPropsOrBool(writeName), false, [8, 0]],
  ])('%s', (_, reads, writes, value, bytes) => {
    expect(write(writes, value)).toEqual(bytes);
    expect(read(reads, bytes)).toEqual(value);
  });

  it('is null where nothing was written', () => {
    expect(read(readJSONSchemaPropsOrArray(readName), [])).toBeNull();
    expect(read(readJSONSchemaPropsOrStringArray(readName), [])).toBeNull();
  });
});

describe('momentOf', () => {
  it.each<[text: string, seconds: number | undefined, nanos?: number]>([
    ['1970-01-01T00:00:00Z', 0],
    ['1970-02-01T00:00:00Z', 2_678_400],
    ['1970-01-28T00:00:00Z', 2_332_800],
    ['1970-01-29T00:00:00Z', 2_419_200],
    ['1971-01-01T00:00:00Z', 31_536_000],
    ['2000-12-28T23:59:59Z', 978_047_999],
    ['1970-01-01T02:00:00+01:30', 1800],
    ['1969-12-31T22:30:00-01:30', 0],
    ['1970-01-01T00:00:01.25Z', 1, 250_000_000],
    ['1970-01-01T00:00:01,123456789999Z', 1, 123_456_789],
    ['1970-02-29T00:00:00Z', undefined],
    ['1970-13-01T00:00:00Z', undefined],
    ['1970-00-01T00:00:00Z', undefined],
    ['1970-01-00T00:00:00Z', undefined],
    ['1970-01-01T24:00:00Z', undefined],
    ['1970-01-01T00:60:00Z', undefined],
    ['1970-01-01T00:00:60Z', undefined],
    ['2000-02-29T00:00:00Z', 951_782_400],
    ['ab70-01-01T00:00:00Z', undefined],
    ['19ab-01-01T00:00:00Z', undefined],
    ['1970-01-02T00:00:00+24:00', 0],
    ['1970-01-01T01:00:00+00:60', 0],
    ['1970-01-01T00:00:00+25:00', undefined],
    ['1970-01-01T00:00:00+00:61', undefined],
    ['1970-01-01 00:00:00Z', undefined],
    ['not a time', undefined],
    ['', undefined],
  ])('%s', (text, seconds, nanos = 0) => {
    expect(momentOf(text)).toEqual(seconds === undefined ? undefined : { seconds, nanos });
  });
});

it('the runtime has the codecs of kinds that every group uses', () => {
  const kinds = ['Status', 'DeleteOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
  expect([...runtimeCodecs.keys()]).toEqual(kinds);
});

describe('errors', () => {
  const fault = { kind: '', path: '', offset: 0 };

  it.each([
    ['Pod', 'Pod'],
    ['Pod\nsecond\nthird', 'Pod…'],
    ['a'.repeat(200), 'a'.repeat(200)],
    ['a'.repeat(201), `${'a'.repeat(200)}…`],
    ['\u0000Pod', '…'],
  ])('name the kind %j as %j', (kind, name) => {
    expect(new ProtobufError('is wrong', { ...fault, kind }).message).toContain(
      `protobuf: ${name}: is wrong`,
    );
    expect(new UnknownKindError('v1', { ...fault, kind }).message).toContain(JSON.stringify(`v1 ${name}`));
  });

  it.each([
    [0, 8],
    [1, 9],
    [5, 13],
  ])('name the wire type %d of a tag that is not that of its field', (wire, tag) => {
    expect(() => decoded(readListMeta, Uint8Array.of(tag, 0, 0, 0, 0, 0, 0, 0, 0))).toThrow(
      `wire type ${wire} is not that of the field`,
    );
  });
});
