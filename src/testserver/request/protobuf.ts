/**
 * Objects in protobuf: bodies of requests and responses, and frames of watches. Loaded with the first one.
 */

import { decode, encode } from '@kgen/kubernetes/protobuf';
import {
  listCodec,
  readDeleteOptions,
  readPartialObjectMetadata,
  readStatus,
  writeDeleteOptions,
  writePartialObjectMetadata,
  writeStatus,
} from '@kgen/runtime/gen/v1/protobuf';
import { decodeWith, encodeWith, type KindCodec, parseEnvelope } from '@kgen/runtime/protobuf';
import { array, isObject, type JsonObject, object, omit, putAt, text } from '@kgen/schema/values/json';
import { messageOf } from '@kgen/schema/values/thrown';
import type { Encoding } from './encoding.ts';
import type { WatchEvent } from './request.ts';

const contentType = 'application/vnd.kubernetes.protobuf';
const metadata = { read: readPartialObjectMetadata, write: writePartialObjectMetadata };

/** Kinds of every group version. */
const common: ReadonlyMap<string, KindCodec> = new Map<string, KindCodec>([
  ['Status', { read: readStatus, write: writeStatus }],
  ['DeleteOptions', { read: readDeleteOptions, write: writeDeleteOptions }],
  ['PartialObjectMetadata', metadata],
  ['PartialObjectMetadataList', listCodec(metadata)],
]);

/** Returns the encoding with the codecs of the requested kind. */
export function protobufEncoding(codecs: ReadonlyMap<string, object>): Encoding {
  return {
    contentType,
    watchContentType: `${contentType};stream=watch`,
    body: (value) => encodeObject(value, codecs) ?? encode(named(value)),
    event: (event) => frame(event, codecs),
  };
}

/** Returns the object with the type that `encode` requires: every object of the API has these members. */
function named(value: JsonObject): Parameters<typeof encode>[0] {
  return { ...value, apiVersion: text(value, 'apiVersion'), kind: text(value, 'kind') };
}

/** Bytes of objects, by object: all watches of a kind send the same ones. */
const encoded = new WeakMap<JsonObject, Uint8Array>();

function encodeObject(value: JsonObject, codecs: ReadonlyMap<string, object>): Uint8Array | undefined {
  const [apiVersion, kind] = [text(value, 'apiVersion'), text(value, 'kind')];
  // seam: the modules of generated code export codecs of kinds.
  const codec = common.get(kind) ?? (codecs.get(kind) as KindCodec | undefined);
  if (codec === undefined) return undefined;
  const known = encoded.get(value);
  if (known !== undefined) return known;
  const bytes = encodeWith(codec, withoutTypes(value), { apiVersion, kind });
  encoded.set(value, bytes);
  return bytes;
}

/** In protobuf, the claims of StatefulSets have neither apiVersion nor kind. */
function withoutTypes(value: JsonObject): JsonObject {
  switch (text(value, 'kind')) {
    case 'StatefulSet':
      return withoutClaimTypes(value);
    case 'StatefulSetList':
      return { ...value, items: array(value, 'items').map((item) => withoutClaimTypes(object(item))) };
    default:
      return value;
  }
}

function withoutClaimTypes(value: JsonObject): JsonObject {
  const claims = array(value, 'spec', 'volumeClaimTemplates');
  if (claims.length === 0) return value;
  const bare = claims.map((claim) => omit(object(claim), 'apiVersion', 'kind'));
  return putAt(value, ['spec', 'volumeClaimTemplates'], bare);
}

/** Returns an event with the length of its message in front: type in field 1, object in field 2. */
function frame(event: WatchEvent, codecs: ReadonlyMap<string, object>): Uint8Array {
  const object = encodeObject(event.object, codecs);
  if (object === undefined) {
    throw new TypeError(`protobuf: no codec for ${text(event.object, 'kind')}`);
  }
  const type = Buffer.from(event.type);
  const raw = Buffer.concat([field(0x0a, object.length), object]);
  const message = Buffer.concat([field(0x0a, type.length), type, field(0x12, raw.length), raw]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return Buffer.concat([length, message]);
}

/** Returns a tag and a length. */
function field(tag: number, length: number): Uint8Array {
  const bytes = [tag];
  let rest = length;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Uint8Array.from([...bytes, rest]);
}

const prefix = '107 56 115 0';

/** Longest summary of bytes in a message. */
const summaryLength = 30;

/** A body that is not an object in protobuf. */
export class ProtobufBodyError extends Error {
  /** `undefined` if the kind of the body is unknown. */
  readonly kind: { readonly apiVersion: string; readonly kind: string } | undefined;

  constructor(message: string, kind?: { readonly apiVersion: string; readonly kind: string }) {
    super(message);
    this.kind = kind;
  }
}

/** Returns the bytes in messages of the API server. */
export function summaryOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '<empty>';
  const head = Buffer.from(bytes.subarray(0, summaryLength)).toString('hex');
  return bytes.length > summaryLength ? `${head} ...` : head;
}

/**
 * Decodes the body of a request.
 * @throws {ProtobufBodyError}
 */
export async function decodeBytes(bytes: Uint8Array): Promise<JsonObject> {
  if (bytes.length === 0) throw new ProtobufBodyError('empty data');
  const magic = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (magic !== 'k8s\0') {
    throw new ProtobufBodyError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    );
  }
  if (bytes.length === 4) throw new ProtobufBodyError('empty body');
  const envelope = parse(bytes);
  const codec = common.get(envelope.kind);
  try {
    const value: unknown = codec === undefined ? await decode(bytes) : decodeWith(codec, bytes, envelope);
    if (isObject(value)) return value;
  } catch (error) {
    throw new ProtobufBodyError(reasonOf(error, envelope), envelope);
  }
  throw new ProtobufBodyError('unexpected EOF', envelope);
}

function parse(bytes: Uint8Array): ReturnType<typeof parseEnvelope> {
  try {
    return parseEnvelope(bytes);
  } catch {
    throw new ProtobufBodyError('unexpected EOF');
  }
}

function reasonOf(
  error: unknown,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): string {
  const message = messageOf(error);
  if (!/no codecs? for the/.test(message)) return 'unexpected EOF';
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
}
