/** Lists in protobuf, item by item while their bytes arrive. */
import { asBuffer } from '../codec/as-buffer.ts';
import type { DecodeError } from '../errors.ts';
import type { Operation } from '../rest/types.ts';
import { DELIMITED } from './answer-field.ts';
import { readListMeta } from './around.ts';
import { codecFailure } from './codec-failure.ts';
import { ProtobufError, UnknownFieldError } from './decode-error.ts';
import { FieldCutter } from './list-reader-cutter.ts';
import { nameIn, type ObjectName } from './list-reader-name.ts';
import { type Hold, holdTogether } from './piece.ts';
import type { Reader } from './reader.ts';
import type { Message, ReadMessage } from './types.ts';

const METADATA = 1;
const ITEMS = 2;

/** What of a list is known before its message. */
export interface ListStart {
  readonly apiVersion: string;
  /** Of the list. */
  readonly kind: string;
  readonly readItem: ReadMessage;
  /** Bytes of its message. */
  readonly length: number;
  /** Where its message begins in the body. */
  readonly offset: number;
  readonly operation?: Operation | undefined;
  /** Whether fields that are not known are no error. Those of the list itself are passed over. */
  readonly keepUnknown?: boolean | undefined;
  /** Whether an item that cannot be read stands as an `UnreadItem` in the items, where it says its name. Else the list fails. */
  readonly itemErrors?: boolean | undefined;
}

/** An item of a list whose bytes make no sense. */
export interface UnreadItem {
  readonly unread: DecodeError;
  readonly metadata: ObjectName;
}

/** How a step ended: with an item, at the end of the list, or where more bytes are needed. */
export type ListStep = 'item' | 'ended' | 'hungry';

/** Where an item is, for the errors of its bytes: looked at only when there is one. What items hold, they hold together. */
class ItemPlace {
  readonly kind: string;
  readonly operation: Operation | undefined;
  readonly hold: Hold = holdTogether;
  readonly #items: readonly unknown[];
  /** The place of the first of the bytes that are read, from the beginning of the body. */
  offset = 0;

  constructor({ kind, operation }: ListStart, items: readonly unknown[]) {
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
  /** The bytes of the metadata: of what comes in parts, the parts are one message. */
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

  /** The next chunk of the body: the one before is used up. */
  push(chunk: Uint8Array): void {
    this.#fields.push(asBuffer(chunk));
  }

  /** What follows the list, of the last chunk. */
  get rest(): Buffer {
    return this.#fields.rest;
  }

  /**
   * Reads up to the end of the next item.
   * @throws {DecodeError} no list of that kind; `UnknownFieldError` where it has more than is known here
   */
  step(): ListStep {
    const fields = this.#fields;
    for (let step = fields.step(); ; step = fields.step()) {
      if (step !== 'field') return step;
      this.#check();
      if (fields.number === ITEMS) {
        this.#items.push(this.#item());
        return 'item';
      }
      if (fields.number !== METADATA) continue;
      if (this.#metadata.length === 0) this.#metadataOffset = fields.base + fields.start;
      this.#metadata.push(Buffer.from(fields.bytes.subarray(fields.start, fields.end)));
    }
  }

  /** The error of a body that ends here. */
  cutOff(): DecodeError {
    return this.#fault('cut off: the bytes end before the list does', this.#fields.offset);
  }

  /** The whole list, once it has ended. */
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
    } catch (error) {
      return this.#unread(error);
    }
    item['apiVersion'] = this.#start.apiVersion;
    item['kind'] = this.#itemKind;
    return item;
  }

  /** Where the item ends is known, whatever is in it: what follows can be read. */
  #unread(cause: unknown): UnreadItem {
    const { bytes, start, end } = this.#fields;
    const { kind, operation, itemErrors } = this.#start;
    const unread = codecFailure(cause, `${kind} ${this.#place.path}`, operation);
    if (itemErrors !== true || unread instanceof UnknownFieldError) throw unread;
    const metadata = nameIn(bytes, start, end);
    // Of one that does not say its name, nobody knows which object it would be.
    if (metadata === undefined) throw unread;
    return { unread, metadata };
  }

  #check(): void {
    const { number, wireType, base, start } = this.#fields;
    if (number !== METADATA && number !== ITEMS) {
      const { kind, operation, keepUnknown } = this.#start;
      if (keepUnknown === true) return;
      throw new UnknownFieldError(number, { kind, operation, path: '', offset: base + start });
    }
    if (wireType === DELIMITED) return;
    throw this.#fault(`field ${number} is of wire type ${wireType}`, base + start);
  }

  #fault(reason: string, offset: number): DecodeError {
    const { kind, operation } = this.#start;
    return new ProtobufError(reason, { kind, operation, path: '', offset });
  }
}
