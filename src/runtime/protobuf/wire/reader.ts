import { asBuffer } from '../../codec/as-buffer.ts';
import { type ByteSlice, copy, copyRanges } from '../../codec/lazy/byte-slice.ts';
import type { DecodeContext, ReaderOptions } from '../errors/decode-context.ts';
import { maxDepth, partContext, partCost, partsAtLeast } from '../errors/decode-context.ts';
import { type Fault, ProtobufError, UnknownFieldError } from '../errors/decode-error.ts';
import { fieldName, joinPath, levelsOf, pathOf, unknownFields } from '../errors/field-path.ts';
import { keepEmpty, keepUnknown, movePreserved } from '../errors/unknown-fields.ts';
import { int64Of, LongIntegers } from '../long-integers.ts';
import type { Message, ReadMessage } from '../types.ts';
import { type Read, readEntry, readScalars, readStringEntry } from './collections.ts';
import { fieldAt, missing, partsOf, wire } from './field.ts';
import type { FieldFilter } from './field-filter.ts';
import { isText, type Source, textOf, uniqueText } from './text.ts';

const emptyBytes: Buffer = Buffer.alloc(0);
const noContext: DecodeContext = { kind: '' };
const noSource: Source = { bytes: emptyBytes, view: new DataView(emptyBytes.buffer, 0, 0) };

/**
 * Reads the fields of protobuf messages; `read` decodes a whole message. A field that extends beyond the end
 * of the input throws `ProtobufError`.
 */
export class Reader {
  /** Offset of the next byte in the input. */
  pos = 0;
  /** Offset of the last tag in the input. */
  at = 0;
  readonly omitManagedFields: boolean;
  readonly #refuse: boolean;
  #source: Source = noSource;
  #bytes: Buffer = emptyBytes;
  #limit = 0;
  #context: DecodeContext = noContext;
  #filter: FieldFilter | undefined;
  /** End of the last length-delimited value. */
  #end = 0;
  #depth = 0;
  /** Less than `maxDepth` inside of messages in several parts. */
  #deepest = maxDepth;
  /** Field names and starts of the messages, by depth. */
  readonly #fields: string[] = [''];
  readonly #starts: Int32Array = new Int32Array(maxDepth + 2);
  /** Whether unknown fields or long integers were found in a message that is not complete yet. */
  #noted = false;
  readonly #longs: LongIntegers = new LongIntegers();
  /** Halves of the last varint: 32 bits each, as bit operations have them. */
  #low = 0;
  #high = 0;
  /** Number of bytes that may still be read again because messages consist of several parts. */
  #parts = 0;

  constructor({ unknown, omitManagedFields = false }: ReaderOptions) {
    this.#refuse = unknown === 'refuse';
    this.omitManagedFields = omitManagedFields;
  }

  /**
   * Reads a message.
   * @throws {ProtobufError} malformed bytes; `UnknownFieldError` for an unknown field, if these are refused
   */
  read(read: ReadMessage, bytes: Uint8Array, start: number, end: number, context: DecodeContext): Message {
    this.#open(bytes, start, end, context);
    const { apiVersion, kind } = context;
    const message = read(this, end);
    if (apiVersion === undefined) return message;
    const object = { kind, apiVersion, ...message };
    movePreserved(message, object);
    return object;
  }

  #open(bytes: Uint8Array, start: number, end: number, context: DecodeContext): void {
    const { buffer: old, byteOffset, byteLength } = this.#bytes;
    if (old !== bytes.buffer || byteOffset !== bytes.byteOffset || byteLength !== bytes.byteLength) {
      const buffer = asBuffer(bytes);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      this.#bytes = buffer;
      this.#source = { bytes: buffer, view };
    }
    this.pos = start;
    this.#limit = end;
    this.#context = context;
    this.#filter = context.filter;
    this.#end = end;
    this.#depth = 0;
    if (this.#noted) this.#longs.clear();
    this.#noted = false;
    this.#parts = 4 * (end - start) + partsAtLeast;
  }

  /** Releases the bytes and the context of the last read. */
  forget(): void {
    this.#bytes = emptyBytes;
    this.#source = noSource;
    this.#context = noContext;
  }

  /** Starts a message, whose fields have the names in `fields`: `1 name,2 image`. */
  enter(fields: string): void {
    const depth = this.#depth + 1;
    this.#depth = depth;
    this.#fields[depth] = fields;
    this.#starts[depth] = this.pos;
    this.#filter?.enter(depth, fields, this.#end);
    if (depth > this.#deepest) this.fail('messages are nested too deep', this.pos);
  }

  /** Ends the last message, which must not contain an incomplete field. */
  leave(end: number, message?: object): void {
    if (this.pos !== end) this.fail('a field does not end with its message', end);
    if (this.#noted) this.#keep(message);
    this.#depth -= 1;
  }

  /** Reads the tag of the next selected field: its number times 8, plus its wire type; 0 if none is left. */
  tag(): number {
    return this.#filter === undefined ? this.anyTag() : this.#selectedTag(this.#filter);
  }

  #selectedTag(filter: FieldFilter): number {
    const depth = this.#depth;
    const end = filter.end(depth);
    if (end === -1) return this.anyTag();
    while (this.pos < end) {
      const tag = this.anyTag();
      if (filter.selects(depth, tag >>> 3)) return tag;
      this.#skip(tag);
    }
    this.at = this.pos;
    return 0;
  }

  /** Skips the value of a field. */
  #skip(tag: number): void {
    const type = tag & 7;
    if (type === wire.bytes) this.pos = this.end();
    else if (type === wire.varint && tag > type) this.varint();
    else {
      const found = fieldAt(this.#bytes, this.at, this.#limit);
      this.pos = 'problem' in found ? this.fail(found.problem, this.at) : found.end;
    }
  }

  /** Reads the next tag, whether the field is selected or not. */
  anyTag(): number {
    const bytes = this.#bytes;
    const at = this.pos;
    this.at = at;
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      this.pos = at + 1;
      return first;
    }
    const second = bytes[at + 1] ?? 0;
    if (second < 0x80) {
      this.pos = at + 2;
      return (second << 7) | (first & 0x7f);
    }
    return this.varint();
  }

  /** Reads a length and returns the end of the bytes, which are available. */
  end(): number {
    const at = this.pos;
    const first = this.#bytes[at] ?? 0;
    if (first < 0x80) this.pos = at + 1;
    const length = first < 0x80 ? first : this.varint();
    const end = this.pos + length;
    if (end > this.#limit) this.fail(missing(length, this.#limit - this.pos), at);
    this.#end = end;
    return end;
  }

  string(): string {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return textOf(this.#source, start, end) ?? this.fail('the text is not UTF-8', start);
  }

  /** Reads a string that occurs once, such as a uid. */
  unique(): string {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return uniqueText(this.#source, start, end) ?? this.fail('the text is not UTF-8', start);
  }

  base64(start: number, end: number): string {
    return this.#bytes.toString('base64', start, end);
  }

  latin1(start: number, end: number): string {
    return this.#bytes.toString('latin1', start, end);
  }

  /** Returns a range of bytes that the object holds, preceded by the ranges in `before`. */
  slice(start: number, end: number, before?: readonly number[]): ByteSlice {
    if (before !== undefined) return copyRanges(this.#bytes, [...before, start, end]);
    return (this.#context.takeSlice ?? copy)(this.#bytes, start, end);
  }

  /** Skips a string field. Throws `ProtobufError` if it is not UTF-8. */
  skipText(): void {
    const end = this.end();
    if (!isText(this.#source, this.pos, end)) this.fail('the text is not UTF-8', this.pos);
    this.pos = end;
  }

  /** Reads bytes in base64. */
  bytes(): string {
    const end = this.end();
    const start = this.pos;
    this.pos = end;
    return this.base64(start, end);
  }

  bool(): boolean {
    const first = this.#bytes[this.pos] ?? 0;
    if (first < 0x80) {
      this.pos += 1;
      return first !== 0;
    }
    return this.varint() !== 0;
  }

  /** Reads a varint field as a signed 32-bit integer. Higher bits are ignored, as in Go. */
  int32(): number {
    const first = this.#bytes[this.pos] ?? 0;
    if (first < 0x80) {
      this.pos += 1;
      return first;
    }
    this.varint();
    return this.#low;
  }

  /**
   * Returns the nearest number, as `JSON.parse` does. Beyond 2^53 the digits are stored in the object too.
   */
  int64(): number {
    const first = this.#bytes[this.pos] ?? 0;
    if (first < 0x80) {
      this.pos += 1;
      return first;
    }
    this.varint();
    const low = this.#low >>> 0;
    // A product is not a small integer for the engine, even if it is 0, and takes memory of its own.
    if (this.#high === 0) return low;
    const value = this.#high * 2 ** 32 + low;
    if (!Number.isSafeInteger(value)) this.long(this.at, `${int64Of(this.#high, low)}`);
    return value;
  }

  /** Records an integer beyond 2^53 of the message, by the start of the tag of its field. */
  long(at: number, digits: string): void {
    this.#noted = true;
    this.#longs.add(this.#depth, this.#bytes, at, digits);
  }

  /** Reads a varint field as a signed 64-bit integer. */
  bigint(): bigint {
    this.varint();
    return int64Of(this.#high, this.#low);
  }

  /** Reads a fixed64 field as a floating-point number. */
  double(): number {
    const start = this.pos;
    if (start + 8 > this.#limit) this.fail('the bytes end within a number', start);
    this.pos = start + 8;
    return this.#source.view.getFloat64(start, true);
  }

  /** Reads an unsigned number of at most ten bytes. */
  varint(): number {
    const start = this.pos;
    const bytes = this.#bytes;
    let low = 0;
    let high = 0;
    for (let index = 0; index < 10; index += 1) {
      const byte = bytes[start + index] ?? 0;
      const part = byte & 0x7f;
      if (index < 4) low |= part << (7 * index);
      else if (index === 4) {
        low |= part << 28;
        high = part >>> 4;
      } else high |= part << (7 * index - 32);
      if (byte < 0x80) {
        this.pos = start + index + 1;
        this.#low = low;
        this.#high = high;
        if (this.pos > this.#limit) this.fail('the bytes end within a number', start);
        return (high >>> 0) * 2 ** 32 + (low >>> 0);
      }
    }
    return this.fail(
      start + 10 > this.#limit ? 'the bytes end within a number' : 'a number of more than ten bytes',
      start,
    );
  }

  int32s(list: unknown[] | undefined, tag: number): unknown[] | undefined {
    return readScalars(this, list, tag, (reader) => reader.int32());
  }

  int64s(list: unknown[] | undefined, tag: number): unknown[] | undefined {
    return readScalars(this, list, tag, (reader) => reader.int64());
  }

  bools(list: unknown[] | undefined, tag: number): unknown[] | undefined {
    return readScalars(this, list, tag, (reader) => reader.bool());
  }

  /** Reads all parts of a message up to here again, as one. Go never writes parts, so the cost is limited. */
  merged<V>(read: (reader: Reader, end: number) => V, tag: number): V {
    const end = this.end();
    const start = this.#starts[this.#depth] ?? 0;
    const parts = this.#parts - (end - start) - partCost;
    if (parts < 0) this.fail('a message comes in too many parts', this.at);
    const whole = partsOf(this.#bytes, start, end, tag);
    const { omitManagedFields } = this;
    const reader = new Reader({ unknown: this.#refuse ? 'refuse' : 'keep', omitManagedFields });
    const context = partContext(this.#context, () => this.#path(end - 1), end - whole.length);
    reader.#open(whole, 0, whole.length, context);
    reader.#parts = parts;
    reader.#deepest = this.#deepest - this.#depth;
    const value = read(reader, whole.length);
    if (this.#longs.adopt(reader.#longs, this.#depth, tag >>> 3)) this.#noted = true;
    this.#parts = reader.#parts;
    this.pos = end;
    return value;
  }

  /** Reads an entry of a map of strings, and adds it to the map. */
  stringMap(map: Message | undefined): Message {
    return readStringEntry(this, map);
  }

  /** Reads an entry of a map whose values are not strings, and adds it to the map. */
  map(map: Message | undefined, read: Read): Message {
    return readEntry(this, map, read);
  }

  /** Reads the value of an entry of a map field. */
  entry(read: Read, end: number): unknown {
    this.#filter?.setEntry(true);
    const value = read(this, end);
    this.#filter?.setEntry(false);
    return value;
  }

  /** Skips an unknown field and records its bytes, or throws `UnknownFieldError` if these are refused. */
  unknown(tag: number): void {
    const at = this.at;
    if (tag === 0 && at === this.pos) return;
    const names = this.#fields[this.#depth] ?? '';
    if (fieldName(names, tag >>> 3) !== undefined)
      this.fail(`wire type ${tag & 7} is not that of the field`, at);
    const found = fieldAt(this.#bytes, at, this.#limit);
    if ('problem' in found) this.fail(found.problem, at);
    if (this.#refuse) throw new UnknownFieldError(tag >>> 3, this.#fault(at));
    this.#noted = true;
    this.pos = found.end;
  }

  /** Stores the unknown fields of a message, and the digits of its long integers. */
  #keep(message: object | undefined): void {
    const names = this.#fields[this.#depth] ?? '';
    this.#longs.keep(this.#depth, names, message);
    if (message === undefined) return;
    const unknown = unknownFields(this.#bytes, this.#starts[this.#depth] ?? 0, this.pos, names);
    if (unknown.length > 0) keepUnknown(message, names, unknown);
  }

  /**
   * Stores that a field was present and empty, which JSON represents as `null`. A `null` of a user has
   * another meaning.
   */
  empty(message: object, number: number): null {
    keepEmpty(message, number);
    return null;
  }

  /** Returns whether bytes are not empty. Empty ones are omitted in JSON, but written again. */
  filled(value: unknown, message: object, number: number): boolean {
    if (value === '') keepEmpty(message, number);
    return value !== undefined && value !== '';
  }

  fail(problem: string, place: number): never {
    throw new ProtobufError(problem, this.#fault(place));
  }

  #fault(place: number): Fault {
    const { kind, offset = 0, operation } = this.#context;
    return { kind, path: this.#path(place), offset: offset + place, operation };
  }

  #path(place: number): string {
    const levels = levelsOf(this.#fields, this.#starts, this.#depth);
    return joinPath(this.#context.path ?? '', pathOf(this.#bytes, levels, place, this.#limit));
  }
}
