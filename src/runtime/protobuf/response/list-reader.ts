/** Reader of lists in protobuf, item by item as their bytes arrive. */

import type { DecodeError } from '../../api/errors.ts';
import type { RequestOperation } from '../../api/operation.ts';
import { asBuffer } from '../../codec/as-buffer.ts';
import { copyPooled, type TakeSlice } from '../../codec/lazy/byte-slice.ts';
import type { Projection } from '../../codec/projection/projection.ts';
import { codecFailure } from '../errors/codec-failure.ts';
import { ProtobufError, UnknownFieldError } from '../errors/decode-error.ts';
import { readListMeta } from '../meta/meta-codecs.ts';
import type { Message, ReadMessage } from '../types.ts';
import { fieldsOf } from '../wire/field.ts';
import { type FieldFilter, fieldFilter } from '../wire/field-filter.ts';
import type { Reader } from '../wire/reader.ts';
import { FieldCutter } from './list-reader-cutter.ts';
import { delimited } from './response-field.ts';

/** Tags of strings and messages, which are equal in an object and its metadata. */
const metadataTag = 0x0a;
const nameTag = 0x0a;
const namespaceTag = 0x1a;

/** Identity of an object in a cache. */
interface ObjectName {
  readonly name: string;
  readonly namespace: string | undefined;
}

const metadataField = 1;
const itemsField = 2;

/** Facts about a list that precede its message. */
export interface ListStart {
  readonly apiVersion: string;
  /** Kind of the list. */
  readonly kind: string;
  readonly readItem: ReadMessage;
  /** Length of its message in bytes. */
  readonly length: number;
  /** Offset of its message in the body. */
  readonly offset: number;
  readonly operation?: RequestOperation | undefined;
  /** Whether unknown fields are permitted. Those of the list itself are skipped. */
  readonly keepUnknown?: boolean | undefined;
  /** Whether a malformed item with a name is returned as `UnreadItem`. Otherwise it fails the list. */
  readonly itemErrors?: boolean | undefined;
  /** Fields to which items are reduced. Default: all fields. */
  readonly projection?: Projection | undefined;
}

/** An item of a list whose bytes are malformed. */
export interface UnreadItem {
  readonly unread: DecodeError;
  readonly metadata: ObjectName;
}

/** Result of a step: an item, the end of the list, or more bytes are needed. */
export type ListStep = 'item' | 'ended' | 'incomplete';

/**
 * Position of an item for errors, computed only if there is one. Items share one buffer for the bytes that
 * they hold.
 */
class ItemPlace {
  readonly kind: string;
  readonly operation: RequestOperation | undefined;
  readonly takeSlice: TakeSlice = copyPooled;
  readonly filter: FieldFilter | undefined;
  readonly #items: readonly unknown[];
  /** Offset of the first byte from the beginning of the body. */
  offset = 0;

  constructor({ kind, operation, projection }: ListStart, items: readonly unknown[]) {
    this.filter = projection && fieldFilter(projection);
    this.kind = kind;
    this.operation = operation;
    this.#items = items;
  }

  get path(): string {
    return `items[${this.#items.length}]`;
  }
}

/** Reads the message of a list. */
export class ListReader {
  readonly #start: ListStart;
  readonly #reader: Reader;
  readonly #fields: FieldCutter;
  readonly #items: unknown[] = [];
  readonly #place: ItemPlace;
  readonly #itemKind: string;
  /** The bytes of the metadata. Several parts are one message. */
  readonly #metadata: Buffer[] = [];
  #metadataOffset = 0;

  constructor(start: ListStart, reader: Reader) {
    this.#start = start;
    this.#reader = reader;
    this.#place = new ItemPlace(start, this.#items);
    this.#itemKind = start.kind.replace(/List$/, '');
    this.#fields = new FieldCutter(start.length, start.offset, (reason, offset) =>
      this.#fault(reason, offset),
    );
  }

  /** Adds the next chunk of the body. The previous one has been consumed. */
  push(chunk: Uint8Array): void {
    this.#fields.push(asBuffer(chunk));
  }

  /** The rest of the last chunk after the list. */
  get rest(): Buffer {
    return this.#fields.rest;
  }

  /**
   * Reads up to the end of the next item.
   * @throws {DecodeError} not a list of that kind; `UnknownFieldError` for unknown fields
   */
  step(): ListStep {
    const fields = this.#fields;
    for (let step = fields.step(); ; step = fields.step()) {
      if (step !== 'field') return step;
      this.#check();
      if (fields.number === itemsField) {
        this.#items.push(this.#item());
        return 'item';
      }
      if (fields.number !== metadataField) continue;
      if (this.#metadata.length === 0) this.#metadataOffset = fields.base + fields.start;
      this.#metadata.push(Buffer.from(fields.bytes.subarray(fields.start, fields.end)));
    }
  }

  /** Returns the error of a truncated body. */
  cutOff(): DecodeError {
    return this.#fault('cut off: the bytes end before the list does', this.#fields.offset);
  }

  /** Returns the whole list after its end. */
  finish(): Message {
    const { apiVersion, kind, operation } = this.#start;
    const bytes = Buffer.concat(this.#metadata);
    const place = { kind, operation, path: 'metadata', offset: this.#metadataOffset };
    const metadata = this.#reader.read(readListMeta, bytes, 0, bytes.length, place);
    return { kind, apiVersion, metadata, items: this.#items };
  }

  #item(): unknown {
    const { bytes, start, end, base } = this.#fields;
    this.#place.offset = base;
    let item: Message;
    try {
      item = this.#reader.read(this.#start.readItem, bytes, start, end, this.#place);
      item = this.#start.projection?.pick(item) ?? item;
    } catch (error) {
      return this.#unread(error);
    }
    item['apiVersion'] = this.#start.apiVersion;
    item['kind'] = this.#itemKind;
    return item;
  }

  /** The end of the item is known, so that the following items can be read. */
  #unread(cause: unknown): UnreadItem {
    const { bytes, start, end } = this.#fields;
    const { kind, operation, itemErrors } = this.#start;
    const unread = codecFailure(cause, `${kind} ${this.#place.path}`, operation);
    if (itemErrors !== true || unread instanceof UnknownFieldError) throw unread;
    const metadata = nameIn(bytes, start, end);
    // Without a name, the object cannot be identified.
    if (metadata === undefined) throw unread;
    return { unread, metadata };
  }

  #check(): void {
    const { number, wireType, base, start } = this.#fields;
    if (number !== metadataField && number !== itemsField) {
      const { kind, operation, keepUnknown } = this.#start;
      if (keepUnknown === true) return;
      throw new UnknownFieldError(number, { kind, operation, path: '', offset: base + start });
    }
    if (wireType === delimited) return;
    throw this.#fault(`field ${number} is of wire type ${wireType}`, base + start);
  }

  #fault(reason: string, offset: number): DecodeError {
    const { kind, operation } = this.#start;
    return new ProtobufError(reason, { kind, operation, path: '', offset });
  }
}

/** Returns the name of an object, or `undefined` if it cannot be read. */
function nameIn(bytes: Buffer, start: number, end: number): ObjectName | undefined {
  const texts = new Map<number, string>();
  for (const object of fieldsOf(bytes, start, end)) {
    if (object.tag !== metadataTag) continue;
    for (const field of fieldsOf(bytes, object.value, object.end))
      texts.set(field.tag, bytes.toString('utf8', field.value, field.end));
  }
  const name = texts.get(nameTag);
  return name ? { name, namespace: texts.get(namespaceTag) || undefined } : undefined;
}
