import { describe, expect, it } from 'vitest';
import {
  enveloped,
  field,
  frameBytes,
  message,
  metadataBytes,
} from '../../../../test/support/runtime/protobuf-bytes.ts';
import { thingBytes, thingCodecs, things } from '../../../../test/support/runtime/protobuf-things.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { rounds } from '../../../../test/support/seeds.ts';
import type { ReadFrame } from '../../api/transport.ts';
import { UnknownFieldError } from '../errors/decode-error.ts';
import { frameReader } from './frames.ts';

const operation = { verb: 'watch', resource: 'things' };
const reader = (omitManagedFields = false): ReadFrame =>
  frameReader(operation, { ...things, codecs: thingCodecs, omitManagedFields });

const meta = { name: 'a', namespace: 'shop', uid: 'b', resourceVersion: '7' };
const object = enveloped('example.com/v1', 'Thing', thingBytes({ ...meta, manager: 'kubectl' }, 3, 'grüße'));
const expected = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { ...meta, managedFields: [{ manager: 'kubectl' }] },
  spec: { size: 3, tags: ['grüße'] },
};
const frame = (type: string, of: Uint8Array): Buffer => frameBytes(type, of).subarray(4);

describe('a frame', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    { name: 'a change', given: frame('ADDED', object), want: { type: 'ADDED', object: expected } },
    {
      name: 'a bookmark',
      given: frame(
        'BOOKMARK',
        enveloped(
          'example.com/v1',
          'Thing',
          field(1, metadataBytes({ resourceVersion: '9', annotations: { a: 'b' } })),
        ),
      ),
      want: {
        type: 'BOOKMARK',
        object: {
          apiVersion: 'example.com/v1',
          kind: 'Thing',
          metadata: { resourceVersion: '9', annotations: { a: 'b' } },
          spec: {},
        },
      },
    },
    {
      name: 'an error',
      given: frame(
        'ERROR',
        enveloped('v1', 'Status', message(field(1, ''), field(2, 'Failure'), field(4, 'Expired'))),
      ),
      want: {
        type: 'ERROR',
        object: { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason: 'Expired' },
      },
    },
    {
      name: 'metadata',
      given: frame(
        'ADDED',
        enveloped('meta.k8s.io/v1', 'PartialObjectMetadata', field(1, metadataBytes(meta))),
      ),
      want: {
        type: 'ADDED',
        object: { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: meta },
      },
    },
    { name: 'an event without an object', given: field(1, 'ADDED'), want: { type: 'ADDED' } },
    {
      name: 'an event with an empty object',
      given: message(field(1, 'ADDED'), field(2, '')),
      want: { type: 'ADDED' },
    },
    {
      name: 'an object without an event',
      given: field(2, field(1, object)),
      want: { type: '', object: expected },
    },
  ])('may be $name', ({ given, want }) => {
    expect(reader()(given)).toEqual(want);
  });

  it('is read one after the other by the same reader, and not held', () => {
    const read = reader(true);
    const bytes = Buffer.concat([Buffer.alloc(100), frame('ADDED', object)]);
    const event = read(new Uint8Array(bytes.buffer, bytes.byteOffset + 100, bytes.length - 100));
    bytes.fill(0);
    expect(event).toEqual({ type: 'ADDED', object: { ...expected, metadata: meta } });
    expect(read(frame('DELETED', object))).toMatchObject({ type: 'DELETED', object: { metadata: meta } });
  });
});

describe('a frame that makes no sense', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    { name: 'of no bytes', given: Buffer.alloc(0), want: { kind: 'WatchEvent', offset: 0 } },
    { name: 'of JSON', given: Buffer.from('{"type":"ADDED"}'), want: { kind: 'WatchEvent' } },
    {
      name: 'whose type is a number',
      given: Buffer.of(0x08, 1),
      want: { kind: 'WatchEvent', message: expect.stringContaining('field 1 is of wire type 0') },
    },
    {
      name: 'whose object is a number',
      given: Buffer.of(0x10, 1),
      want: { kind: 'WatchEvent', message: expect.stringContaining('field 2 is of wire type 0') },
    },
    { name: 'without an envelope', given: frame('ADDED', thingBytes(meta)), want: { kind: 'Thing' } },
    {
      name: 'of another kind',
      given: frame('ADDED', enveloped('example.com/v1', 'Gadget', Buffer.alloc(0))),
      want: {},
    },
    {
      name: 'with a bad object',
      given: frame('ADDED', enveloped('example.com/v1', 'Thing', field(2, field(2, Buffer.of(0xff))))),
      want: { kind: 'Thing', path: 'spec.tags[0]' },
    },
  ])('throws for $name', ({ given, want }) => {
    const read = reader();
    expect(() => read(given)).toThrow(/^watch things: protobuf: /);
    expect(() => read(given)).toThrow(expect.objectContaining({ name: 'DecodeError', ...want }));
    expect(read(frame('ADDED', object))).toEqual({ type: 'ADDED', object: expected });
  });

  it('is cut off anywhere', () => {
    const whole = frame('ADDED', object);
    const read = reader();
    // An event without an object is valid, and so is an object without its optional fields.
    const sound = [7, ...[4, 2].map((missing) => whole.length - missing)];
    for (let end = 0; end < whole.length; end += 1) {
      if (!sound.includes(end)) expect(() => read(whole.subarray(0, end)), `${end}`).toThrow(/protobuf/);
    }
  });

  it('throws only DecodeError for random changes of its bytes', () => {
    for (let seed = 1; seed <= rounds(2000, 300); seed += 1) {
      const random = new Seeded(seed);
      const given = Buffer.from(frame('ADDED', object));
      for (let count = 1 + random.below(3); count > 0; count -= 1)
        given[random.below(given.length)] = random.below(256);
      try {
        reader()(given);
      } catch (error) {
        expect(error, `seed ${seed}`).toMatchObject({ name: 'DecodeError', operation });
      }
    }
  });
});

describe('a frame after another one', () => {
  const outcome = (read: ReadFrame, given: Buffer): unknown => {
    try {
      return read(given);
    } catch (error) {
      const { message: text, kind, path, offset, number } = error as Record<string, unknown>;
      return { text, kind, path, offset, number };
    }
  };
  const alike = (given: Buffer, name: string): void => {
    const used = reader();
    used(frame('MODIFIED', object));
    expect(outcome(used, given), name).toEqual(outcome(reader(), given));
  };

  it.each<{ name: string; given: Buffer }>([
    { name: 'of the same kind', given: frame('DELETED', object) },
    { name: 'of an unknown type', given: frame('CHANGED', object) },
    { name: 'of no type', given: frame('', object) },
    { name: 'of another kind', given: frame('ADDED', enveloped('v1', 'Status', field(2, 'Failure'))) },
    {
      name: 'of an unknown kind',
      given: frame('ADDED', enveloped('example.com/v1', 'Thin', Buffer.alloc(0))),
    },
    {
      name: 'with an empty object',
      given: frame('ADDED', enveloped('example.com/v1', 'Thing', Buffer.alloc(0))),
    },
    {
      name: 'with an encoding',
      given: frame('ADDED', Buffer.concat([object.subarray(0, -4), field(3, 'gzip'), field(4, '')])),
    },
    {
      name: 'with two objects',
      given: frame(
        'ADDED',
        Buffer.concat([object.subarray(0, -4), field(2, ''), field(3, ''), field(4, '')]),
      ),
    },
    { name: 'without an end', given: frame('ADDED', object.subarray(0, -4)) },
    { name: 'of an envelope with more', given: frame('ADDED', Buffer.concat([object, field(5, 'x')])) },
    { name: 'of an event with more', given: message(frame('ADDED', object), field(3, 'x')) },
    { name: 'of an event in another order', given: message(field(2, field(1, object)), field(1, 'ADDED')) },
  ])('is read as if it were the first: $name', ({ given, name }) => {
    alike(given, name);
  });

  it('is read as if it were the first, wherever it is cut off', () => {
    const whole = frame('ADDED', object);
    for (let end = 0; end < whole.length; end += 1) alike(whole.subarray(0, end), `${end}`);
  });

  it('is read as if it were the first, whatever has become of its bytes', () => {
    for (let seed = 1; seed <= 3000; seed += 1) {
      const random = new Seeded(seed);
      const given = Buffer.from(frame('ADDED', object));
      for (let count = 1 + random.below(3); count > 0; count -= 1)
        given[random.below(given.length)] = random.below(256);
      alike(given, `seed ${seed}`);
    }
  });
});

describe('a field that is not known', () => {
  it.each<{ name: string; given: Buffer; want: object }>([
    {
      name: 'of the event',
      given: message(frame('ADDED', object), field(3, 'x')),
      want: { kind: 'WatchEvent', number: 3 },
    },
    {
      name: 'of what the object is in',
      given: message(field(1, 'ADDED'), field(2, message(field(1, object), field(2, 'x')))),
      want: { kind: 'WatchEvent', path: 'object', number: 2 },
    },
    {
      name: 'of the object',
      given: frame('ADDED', enveloped('example.com/v1', 'Thing', message(thingBytes(meta), field(9, 'x')))),
      want: { kind: 'Thing', number: 9 },
    },
  ])('throws for $name', ({ given, want }) => {
    const read = (): unknown => reader()(given);
    expect(read).toThrow(UnknownFieldError);
    expect(read).toThrow(expect.objectContaining(want));
  });
});
