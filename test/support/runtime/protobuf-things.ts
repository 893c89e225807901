/** A kind with a short codec like the generated ones, for tests. */
import { readObjectMeta } from '../../../src/runtime/protobuf/meta/object-meta.ts';
import type { Codecs, KindCodec, Message } from '../../../src/runtime/protobuf/types.ts';
import type { Reader } from '../../../src/runtime/protobuf/wire/reader.ts';
import { field, message, metadataBytes, varint } from './protobuf-bytes.ts';

const write = (): never => {
  throw new Error('nothing is written in these tests');
};

function readSpec(reader: Reader, end: number): Message {
  const spec: Message = {};
  reader.enter('1 size,2 tags*');
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 0x08) spec['size'] = reader.int64();
    else if (tag === 0x12)
      spec['tags'] = [...(Array.isArray(spec['tags']) ? spec['tags'] : []), reader.string()];
    else reader.unknown(tag);
  }
  reader.leave(end, spec);
  return spec;
}

function readThing(reader: Reader, end: number, target?: Message): Message {
  const thing: Message = target ?? {};
  thing['metadata'] = {};
  thing['spec'] = {};
  reader.enter('1 metadata,2 spec');
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 0x0a) thing['metadata'] = readObjectMeta(reader, reader.end());
    else if (tag === 0x12) thing['spec'] = readSpec(reader, reader.end());
    else reader.unknown(tag);
  }
  reader.leave(end, thing);
  return thing;
}

/** Codecs of `example.com/v1`. */
export const thingCodecs: Codecs = new Map<string, KindCodec>([
  ['Thing', { read: readThing, write }],
  ['ThingList', { read: write, write, item: { read: readThing, write } }],
]);

export const things: { readonly apiVersion: string; readonly kind: string } = {
  apiVersion: 'example.com/v1',
  kind: 'Thing',
};

/** Returns the message of an object. */
export function thingBytes(meta: Parameters<typeof metadataBytes>[0], size = 0, ...tags: string[]): Buffer {
  const spec = message(Buffer.of(0x08), varint(size), ...tags.map((tag) => field(2, tag)));
  return message(field(1, metadataBytes(meta)), field(2, spec));
}
