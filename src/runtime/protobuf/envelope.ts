/** The envelope of objects: four bytes, and a message with their kind. */
import type { RequestOperation } from '../api/operation.ts';
import { ProtobufError } from './errors/decode-error.ts';
import type { Message } from './types.ts';
import { Reader } from './wire/reader.ts';

/** First bytes of every object in protobuf: `k8s` and a zero byte. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);
const unknownFields = '1 typeMeta,2 raw,3 contentEncoding,4 contentType';
const typeMetaFields = '1 apiVersion,2 kind';

/** Content of an envelope: the message of a kind. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** Offset of the first byte of the message. */
  readonly start: number;
  readonly end: number;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** The request, for errors. */
export interface ExpectedKind {
  /** The requested kind. Default: unknown. */
  readonly kind?: string | undefined;
  readonly operation?: RequestOperation | undefined;
}

/** Returns whether bytes begin with the prefix of an object in protobuf. */
export function isEnvelope(bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
  return end - start >= magic.length && magic.every((byte, index) => bytes[start + index] === byte);
}

/** Unknown fields of the envelope are ignored, because the object is inside. */
const reader: Reader = new Reader({ unknown: 'keep' });

/**
 * Returns the content of an envelope, without reading the bytes of the object.
 * @throws {ProtobufError} the bytes are not an envelope, or it contains no object
 */
export function parseEnvelope(
  bytes: Uint8Array,
  start = 0,
  end: number = bytes.length,
  expected: ExpectedKind = {},
): Envelope {
  const { kind = '', operation } = expected;
  const fault = { kind, path: '', offset: 0, operation };
  if (end === start) throw new ProtobufError('the input is empty', fault);
  if (!isEnvelope(bytes, start, end))
    throw new ProtobufError(
      'the bytes do not begin with k8s and a zero byte, as objects in protobuf do',
      fault,
    );
  // seam: readUnknown returns this type.
  const envelope = reader.read(readUnknown, bytes, start + magic.length, end, {
    kind,
    operation,
  }) as unknown as Envelope;
  reader.forget();
  if (envelope.start === -1)
    throw new ProtobufError('there is not an object in the envelope', {
      ...fault,
      kind: envelope.kind || kind,
    });
  return envelope;
}

/** Reads the message around an object. `start` is -1 if it contains no object. */
function readUnknown(r: Reader, end: number): Message {
  r.enter(unknownFields);
  let typeMeta: Message | undefined;
  let [rawStart, rawEnd] = [-1, -1];
  let contentEncoding = '';
  let contentType = '';
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) typeMeta = typeMeta === undefined ? readTypeMeta(r, r.end()) : r.merged(readTypeMeta, 10);
    else if (tag === 18) {
      rawEnd = r.end();
      rawStart = r.pos;
      r.pos = rawEnd;
    } else if (tag === 26) contentEncoding = r.string();
    else if (tag === 34) contentType = r.string();
    else r.unknown(tag);
  }
  r.leave(end);
  return {
    ...(typeMeta ?? readTypeMeta(r, r.pos)),
    start: rawStart,
    end: rawEnd,
    contentEncoding,
    contentType,
  };
}

function readTypeMeta(r: Reader, end: number): Message {
  r.enter(typeMetaFields);
  let apiVersion = '';
  let kind = '';
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) apiVersion = r.string();
    else if (tag === 18) kind = r.string();
    else r.unknown(tag);
  }
  r.leave(end);
  return { apiVersion, kind };
}
