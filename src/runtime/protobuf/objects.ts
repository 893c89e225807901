/** Decodes and encodes single objects with the codecs of their own apiVersion and kind. */
import { isUint8Array } from 'node:util/types';
import type { KubernetesObject } from '../api/meta.ts';
import type { LoadProtobuf } from '../api/resource.ts';
import { copyRecord } from '../codec/integers/records.ts';
import { copyPooled } from '../codec/lazy/byte-slice.ts';
import { encodeMessage } from './encode.ts';
import { type Envelope, isEnvelope, parseEnvelope } from './envelope.ts';
import type { TypeNames } from './errors/decode-context.ts';
import { ProtobufError } from './errors/decode-error.ts';
import { movePreserved } from './errors/unknown-fields.ts';
import { readerFor } from './readers.ts';
import type { Codecs, KindCodec, Message } from './types.ts';

/** Loaders of codecs, by apiVersion. */
export type Modules = ReadonlyMap<string, LoadProtobuf>;

/**
 * Decodes `bytes`, which start with `k8s` and a zero byte. Items of lists have apiVersion and kind. Unknown
 * fields are kept for `encodeObject`.
 * @throws {ProtobufError} the bytes are not an object in protobuf, or `modules` has no codec for the kind
 * @throws {TypeError} the argument is not bytes
 */
export async function decodeObject(bytes: Uint8Array, modules: Modules): Promise<KubernetesObject> {
  if (!isUint8Array(bytes)) throw new TypeError('protobuf: expected a Uint8Array to decode');
  const other = isEnvelope(bytes) ? undefined : otherFormat(bytes);
  if (other !== undefined) throw new ProtobufError(other, { kind: '', path: '', offset: 0 });
  const envelope = parseEnvelope(bytes);
  const { apiVersion, kind } = envelope;
  const found = await find(modules, apiVersion, kind);
  if ('unknown' in found) throw new ProtobufError(found.unknown, { kind, path: '', offset: 0 });
  return decodeWith(found.codec, bytes, envelope);
}

/**
 * Decodes the object of an envelope with the codec of its kind. Items of lists have apiVersion and kind.
 * @throws {ProtobufError} the bytes are not a message of this kind
 */
export function decodeWith(
  codec: KindCodec,
  bytes: Uint8Array,
  { apiVersion, kind, start, end }: Envelope,
): KubernetesObject {
  const reader = readerFor({ unknown: 'keep' });
  const takeSlice = codec.item === undefined ? undefined : copyPooled;
  const object = reader.read(codec.read, bytes, start, end, { apiVersion, kind, takeSlice });
  reader.forget();
  return codec.item === undefined ? object : withNames(object, apiVersion, kind);
}

/**
 * Encodes an object with its envelope.
 * @throws {TypeError} apiVersion or kind is missing or has no codec in `modules`; an unknown member, or a
 * value that its field cannot hold
 */
export async function encodeObject(object: KubernetesObject, modules: Modules): Promise<Uint8Array> {
  // Plain JavaScript may pass any value.
  const { apiVersion, kind }: KubernetesObject = object ?? {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw new TypeError('protobuf: the object must have an apiVersion and a kind, which determine its codec');
  }
  const found = await find(modules, apiVersion, kind);
  if ('unknown' in found) throw new TypeError(`protobuf: ${found.unknown}`);
  return encodeWith(found.codec, object, { apiVersion, kind });
}

/**
 * Encodes an object with its envelope by the codec of its kind.
 * @throws {TypeError} an unknown member, or a value that its field cannot hold
 */
export function encodeWith(codec: KindCodec, object: object, { apiVersion, kind }: TypeNames): Uint8Array {
  const bare = codec.item === undefined ? object : withoutNames(object, apiVersion, kind);
  return encodeMessage(codec, bare, { apiVersion, kind });
}

/** Returns the probable format of bytes that are not protobuf, as the end of a sentence. */
function otherFormat(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  if (/^\s*[[{]/.test(head)) {
    return 'the bytes are JSON, as etcd holds custom resources, CustomResourceDefinitions and APIServices: JSON.parse reads them';
  }
  if (head.startsWith('k8s:enc:'))
    return 'the bytes are encrypted, as etcd stores them if the API server is configured to encrypt';
  if (head.startsWith('\x1f\x8b')) return 'the bytes are compressed with gzip: gunzip them first';
  return undefined;
}

type Found = { readonly codec: KindCodec } | { readonly unknown: string };

async function find(modules: Modules, apiVersion: string, kind: string): Promise<Found> {
  if (kind === '') return { unknown: 'the envelope does not name the kind of the object' };
  const load = modules.get(apiVersion);
  if (load === undefined) {
    const known = some(nearby(modules, apiVersion));
    return { unknown: `no codecs for the apiVersion ${quote(apiVersion)}, but for ${known}` };
  }
  // seam: the modules of generated code export `Codecs`.
  const codecs = (await load()).codecs as Codecs;
  const codec = codecs.get(kind);
  if (codec !== undefined) return { codec };
  const known = some([...codecs.keys()]);
  return { unknown: `no codec for the kind ${quote(kind)} of ${apiVersion}, but for ${known}` };
}

/** Returns the versions of the same group, or all if there are none. */
function nearby(modules: Modules, apiVersion: string): readonly string[] {
  const all = [...modules.keys()];
  const group = /^.*\//.exec(apiVersion)?.[0];
  const same = all.filter((known) => (group === undefined ? !known.includes('/') : known.startsWith(group)));
  return same.length > 0 ? same : all;
}

/** Names are untrusted and may be long. */
function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 99)}…` : name);
}

const shown = 20;

function some(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return `${names.slice(0, shown).join(', ')}${more}`;
}

/** Items of lists have neither apiVersion nor kind in protobuf. */
function withNames(list: Message, apiVersion: string, kind: string): Message {
  const item = itemKind(kind);
  // seam: the codec of a list has just created them.
  for (const each of list['items'] as Message[]) {
    each['apiVersion'] = apiVersion;
    each['kind'] = item;
  }
  return list;
}

/** @throws {TypeError} an item has another apiVersion or kind */
function withoutNames(list: object, apiVersion: string, kind: string): Message {
  const expected = new Map<string, unknown>([
    ['apiVersion', apiVersion],
    ['kind', itemKind(kind)],
  ]);
  const copy: Message = { ...list };
  const { items } = copy;
  if (Array.isArray(items)) copy['items'] = items.map((item, index) => withoutThese(item, expected, index));
  movePreserved(list, copy);
  return copy;
}

/**
 * Returns a copy of an item. A value that is not an object is returned unchanged, so that the codec rejects
 * it.
 */
function withoutThese(item: unknown, expected: ReadonlyMap<string, unknown>, index: number): unknown {
  if (typeof item !== 'object' || item === null) return item;
  const entries = Object.entries(item).filter(([name, value]) => {
    const want = expected.get(name);
    if (want === undefined || value === undefined || value === want) return want === undefined;
    throw new TypeError(`protobuf: items[${index}].${name}: the list has items of ${want} only`);
  });
  const copy = Object.fromEntries(entries);
  copyRecord(item, copy);
  movePreserved(item, copy);
  return copy;
}

function itemKind(listKind: string): string {
  return listKind.replace(/List$/, '');
}
