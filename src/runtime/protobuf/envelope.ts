/** What objects are wrapped in: four bytes, and a message that says of which kind they are. */
import type { Operation } from '../rest/types.ts';
import { ProtobufError } from './decode-error.ts';
import { Reader } from './reader.ts';
import type { Message } from './types.ts';

/** What every object in protobuf begins with: `k8s` and a zero byte. */
export const magic: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);
const unknownFields = '1 typeMeta,2 raw,3 contentEncoding,4 contentType';
const typeMetaFields = '1 apiVersion,2 kind';

/** What is in an envelope: the message of a kind. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** Where its bytes begin and end. */
  readonly start: number;
  readonly end: number;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Who asks, for errors. */
export interface Asked {
  /** The kind that was asked for. Default: not known. */
  readonly kind?: string | undefined;
  readonly operation?: Operation | undefined;
}

/** Whether bytes begin as an object in protobuf does. */
export function isEnvelope(bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
  return end - start >= magic.length && magic.every((byte, index) => bytes[start + index] === byte);
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

/** The message around an object; `start` is -1 where there is no object in it. */
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

/** Unknown fields of the envelope are nobody's: the object is inside. */
const reader: Reader = new Reader({ unknown: 'keep' });

/**
 * What is in an envelope. The object's own bytes are not looked at.
 * @throws {ProtobufError} the bytes are no envelope, or there is no object in it
 */
export function parseEnvelope(
  bytes: Uint8Array,
  start = 0,
  end: number = bytes.length,
  asked: Asked = {},
): Envelope {
  const { kind = '', operation } = asked;
  const fault = { kind, path: '', offset: 0, operation };
  if (end === start) throw new ProtobufError('there are no bytes', fault);
  if (!isEnvelope(bytes, start, end))
    throw new ProtobufError(
      'the bytes do not begin with k8s and a zero byte, as objects in protobuf do',
      fault,
    );
  // seam: that is what readUnknown gives.
  const envelope = reader.read(readUnknown, bytes, start + magic.length, end, {
    kind,
    operation,
  }) as unknown as Envelope;
  reader.forget();
  if (envelope.start === -1)
    throw new ProtobufError('there is no object in the envelope', { ...fault, kind: envelope.kind || kind });
  return envelope;
}
