/** Frames of a watch in protobuf. */

import type { RequestOperation } from '../../api/operation.ts';
import type { ReadFrame } from '../../api/transport.ts';
import { asBuffer } from '../../codec/as-buffer.ts';
import { ProtobufError, UnknownFieldError } from '../errors/decode-error.ts';
import { type Field, fieldAt } from '../wire/field.ts';
import { FastFrame } from './frames-fast-path.ts';
import { type ResponseOptions, ResponseReader } from './response-envelope.ts';

/** Tags of the fields of an event: strings and messages. */
const typeTag = 0x0a;
const objectTag = 0x12;
/** Tag of the field with the object's envelope. */
const rawTag = 0x0a;

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the reader for the frames of one stream: each frame is an event with its object. The result does
 * not reference the bytes of the frame.
 * @throws {DecodeError} by the reader: not an event, or not an object of a kind of `codecs`;
 * `UnknownFieldError` for unknown fields
 */
export function frameReader(operation: RequestOperation, options: ResponseOptions): ReadFrame {
  const reader = new ResponseReader(operation, options);
  const fields = new EventFields(operation);
  const event = new FastFrame();
  return (frame) => {
    const bytes = asBuffer(frame);
    const object = event.isEvent(bytes) ? reader.readFast(bytes, event, isState(event.type)) : undefined;
    if (object !== undefined) return { type: event.type, object };
    const { type, object: range } = fields.read(bytes);
    if (range === undefined) return { type };
    return { type, object: reader.read(bytes, range.start, range.end, isState(type)) };
  };
}

/** Other events contain a version, or an error. */
function isState(type: string): boolean {
  return type !== 'BOOKMARK' && type !== 'ERROR';
}

/** Finds the parts of an event. */
class EventFields {
  readonly #operation: RequestOperation;

  constructor(operation: RequestOperation) {
    this.#operation = operation;
  }

  read(bytes: Buffer): { readonly type: string; readonly object: Range | undefined } {
    if (bytes.length === 0) throw this.#fault('the frame is empty', 0);
    let type = '';
    let object: Range | undefined;
    for (let at = 0; at < bytes.length; ) {
      const { tag, value, end } = this.#field(bytes, at, bytes.length);
      if (tag === typeTag) type = bytes.toString('latin1', value, end);
      else if (tag === objectTag) object = this.#raw(bytes, { start: value, end }) ?? object;
      else throw this.#unknown(tag, at, '', [typeTag, objectTag]);
      at = end;
    }
    return { type, object };
  }

  #raw(bytes: Buffer, { start, end }: Range): Range | undefined {
    let raw: Range | undefined;
    for (let at = start; at < end; at = raw.end) {
      const field = this.#field(bytes, at, end);
      if (field.tag !== rawTag) throw this.#unknown(field.tag, at, 'object', [rawTag]);
      raw = { start: field.value, end: field.end };
    }
    return raw;
  }

  #field(bytes: Buffer, at: number, limit: number): Field {
    const field = fieldAt(bytes, at, limit);
    if ('problem' in field) throw this.#fault(field.problem, at);
    return field;
  }

  /** A field with a known number has an unexpected wire type. */
  #unknown(tag: number, offset: number, path: string, known: readonly number[]): ProtobufError {
    const number = tag >>> 3;
    const place = { kind: 'WatchEvent', path, offset, operation: this.#operation };
    return known.some((other) => other >>> 3 === number)
      ? new ProtobufError(`field ${number} is of wire type ${tag & 7}`, place)
      : new UnknownFieldError(number, place);
  }

  #fault(problem: string, offset: number): ProtobufError {
    return new ProtobufError(problem, { kind: 'WatchEvent', path: '', offset, operation: this.#operation });
  }
}
