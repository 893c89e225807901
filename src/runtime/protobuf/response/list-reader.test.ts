import { describe, expect, it } from 'vitest';
import {
  enveloped,
  field,
  inPieces,
  listBytes,
  message,
} from '../../../../test/support/runtime/protobuf-bytes.ts';
import { thingBytes, thingCodecs, things } from '../../../../test/support/runtime/protobuf-things.ts';
import { UnknownFieldError } from '../errors/decode-error.ts';
import { type LongList, ResponseReader } from './response-envelope.ts';

const { apiVersion } = things;
const options = { ...things, codecs: thingCodecs };
const reader = (keepUnknown = false): ResponseReader =>
  new ResponseReader({ verb: 'list', resource: 'things' }, { ...options, keepUnknown });

const items = ['a', 'b', 'c'].map((name) => thingBytes({ name }, 1, 'x'.repeat(100)));
const list = enveloped(apiVersion, 'ThingList', listBytes('9', items));
const type = field(1, message(field(1, apiVersion), field(2, 'ThingList')));
const unknown = enveloped(apiVersion, 'ThingList', message(listBytes('9', items), field(3, 'x')));
const want = {
  apiVersion,
  kind: 'ThingList',
  metadata: { resourceVersion: '9' },
  items: ['a', 'b', 'c'].map((name) => ({ kind: 'Thing', metadata: { name } })),
};

/** Reads the list of which the first bytes are its head. */
function finished(long: LongList | undefined, rest: Iterable<Buffer>): unknown {
  const left = [...rest];
  for (let step = long?.list.step(); step !== 'ended' && step !== undefined; step = long?.list.step()) {
    if (step === 'incomplete') long?.list.push(left.shift() ?? Buffer.alloc(0));
  }
  return long?.finish(Buffer.concat(left));
}

describe('a list in protobuf', () => {
  it.each([20, 60, 150, 400])('is read before all of its bytes have arrived, from %d on', (size) => {
    const head = list.subarray(0, size);
    const rest = inPieces(list.subarray(size), () => 10);
    const long = reader().begin(head);
    const isTyped = size > 40;
    expect(long !== undefined).toBe(isTyped);
    if (isTyped) expect(finished(long, rest)).toMatchObject(want);
  });

  it.each<[name: string, head: Buffer]>([
    ['no bytes', Buffer.alloc(0)],
    ['JSON', Buffer.from('{"kind":"ThingList","items":[]}')],
    ['an object', enveloped(apiVersion, 'Thing', items[0] ?? Buffer.alloc(0))],
    ['a list before its type', message(Buffer.from('k8s\0'), field(2, listBytes('9', items)), type)],
    ['a type without an object', message(Buffer.from('k8s\0'), type)],
    ['a number before its type', message(Buffer.from('k8s\0'), Buffer.of(0x10, 1), type)],
  ])('is not read early from %s', (_, head) => {
    expect(reader().begin(head)).toBeUndefined();
  });

  it('keeps or refuses unknown fields', () => {
    expect(reader(true).read(unknown)).toMatchObject(want);
    expect(() => reader().read(unknown)).toThrow(UnknownFieldError);
    expect(() => finished(reader().begin(unknown), [])).toThrow(UnknownFieldError);
    expect(finished(reader(true).begin(unknown), [])).toMatchObject(want);
  });
});
