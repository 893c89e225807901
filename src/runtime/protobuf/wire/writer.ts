import { isFields } from '../../common/fields.ts';
import { maxDepth, type TypeNames } from '../errors/decode-context.ts';
import { entryOf, joinPath, pathOfTags } from '../errors/field-path.ts';
import { unknownOf, wasEmpty } from '../errors/unknown-fields.ts';
import { digitsAt, longInteger, type Place, varintOf } from '../long-integers.ts';
import type { Message, WriteMessage } from '../types.ts';
import {
  countOf,
  countTypeNames,
  findUnusedName,
  isMap,
  isNullish,
  isPlain,
  membersOf,
  sortedKeys,
} from '../values/json-value.ts';

/** Writes a value that is not a JSON object, without its tag and length. */
export type WriteValue = (writer: Writer, value: unknown) => unknown;

const firstSize = 16 * 1024;
const keptSize = 1024 * 1024;
const emptyMessage: Message = Object.freeze({});
const shortText = 40;

/**
 * Writes messages from the end of the buffer to its beginning, so that lengths are known. Each function
 * returns the number of members that it consumed, and throws `TypeError` for a value of a wrong type.
 *
 * `string`, `int32`, … always write their field, with the zero value for one that is missing, as Go does for
 * fields without a pointer. `stringIf`, `int32If`, … write a field that is present.
 */
export class Writer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(firstSize);
  /** Position of the first written byte. */
  #pos = firstSize;
  #depth = 0;
  /** By depth: the field names of the message, and its object. */
  readonly #fields: string[] = [''];
  readonly #messages: object[] = [emptyMessage];
  /** By depth: tag of the current field, and its index in a list, or -1 for the list. */
  readonly #tags: Int32Array = new Int32Array(maxDepth + 2);
  readonly #indices: Int32Array = new Int32Array(maxDepth + 2);

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array {
    const bytes = this.#bytes.subarray(this.#pos);
    this.reset();
    return bytes.buffer === this.#bytes.buffer ? Buffer.from(bytes) : bytes;
  }

  /** Discards the written bytes, so that the next message can be written. */
  reset(): void {
    // A large buffer is not kept.
    if (this.#bytes.length > keptSize) this.#bytes = Buffer.allocUnsafeSlow(firstSize);
    this.#pos = this.#bytes.length;
    this.#depth = 0;
    this.#messages.fill(emptyMessage);
  }

  /** Number of written bytes. */
  get length(): number {
    return this.#bytes.length - this.#pos;
  }

  #grow(more: number): void {
    const used = this.#bytes.length - this.#pos;
    let size = 2 * this.#bytes.length;
    while (size < used + more) size *= 2;
    const bytes = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(bytes, size - used, this.#pos);
    this.#bytes = bytes;
    this.#pos = size - used;
  }

  /** Starts a message, whose fields have the names in `fields`, and writes its unknown fields. */
  enter(fields: string, message?: object): void {
    this.#fields[this.#depth] = fields;
    if (message === undefined) return;
    this.#messages[this.#depth] = message;
    const unknown = unknownOf(message, fields);
    if (unknown !== undefined) this.bytesOf(unknown);
  }

  bytesOf(bytes: Uint8Array): void {
    if (this.#pos < bytes.length) this.#grow(bytes.length);
    this.#pos -= bytes.length;
    this.#bytes.set(bytes, this.#pos);
  }

  latin1(bytes: string): void {
    if (this.#pos < bytes.length) this.#grow(bytes.length);
    this.#pos -= bytes.length;
    this.#bytes.write(bytes, this.#pos, 'latin1');
  }

  /** Writes an unsigned number of at most 2^53. */
  varint(value: number): void {
    if (this.#pos < 10) this.#grow(10);
    if (value < 0x80) {
      this.#pos -= 1;
      this.#bytes[this.#pos] = value;
    } else this.#manyBytes(value);
  }

  #manyBytes(value: number): void {
    let size = 2;
    for (let rest = Math.floor(value / 0x4000); rest > 0; rest = Math.floor(rest / 0x80)) size += 1;
    this.#pos -= size;
    let rest = value;
    for (let index = 0; index < size - 1; index += 1) {
      this.#bytes[this.#pos + index] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#pos + size - 1] = rest;
  }

  /** Writes the length of the bytes since `end`, and the tag before it. */
  close(tag: number, end: number): void {
    this.varint(this.#bytes.length - this.#pos - end);
    this.varint(tag);
  }

  /** Writes a whole message. `names`: the object may have these as its `apiVersion` and `kind`. */
  root(object: unknown, write: WriteMessage, names?: TypeNames): void {
    this.#depth = 0;
    this.#fields[0] = '';
    if (!isFields(object)) throw new TypeError('protobuf: expected an object to encode');
    const taken = names === undefined ? 0 : countTypeNames(object, names);
    this.#count(object, write(this, object) + taken, write);
  }

  string(tag: number, value: unknown): number {
    if (typeof value === 'string') this.#text(value);
    else if (value === undefined || value === null) this.varint(0);
    else this.fail(tag, 'is not a string');
    this.varint(tag);
    return countOf(value);
  }

  stringIf(tag: number, value: unknown): number {
    return isNullish(value) ? countOf(value) : this.string(tag, value);
  }

  /** Writes a string with its length. Longer ones are written by Node, a call of which has a fixed cost. */
  #text(text: string): void {
    const { length } = text;
    if (this.#pos < 3 * length + 10) this.#grow(3 * length + 10);
    if (length <= shortText && this.#ascii(text)) return;
    const bytes = Buffer.byteLength(text);
    this.#pos -= bytes;
    this.#bytes.write(text, this.#pos, bytes === length ? 'latin1' : 'utf8');
    this.varint(bytes);
  }

  #ascii(text: string): boolean {
    const { length } = text;
    const bytes = this.#bytes;
    const start = this.#pos - length;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 0x7f) return false;
      bytes[start + index] = code;
    }
    bytes[start - 1] = length;
    this.#pos = start - 1;
    return true;
  }

  int32(tag: number, value: unknown): number {
    if (typeof value === 'number') {
      if ((value | 0) !== value) this.fail(tag, 'is not a 32-bit integer');
      this.#integer(value);
    } else if (value === undefined || value === null) this.varint(0);
    else this.fail(tag, 'is not a number');
    this.varint(tag);
    return countOf(value);
  }

  int32If(tag: number, value: unknown): number {
    return isNullish(value) ? countOf(value) : this.int32(tag, value);
  }

  int64(tag: number, value: unknown): number {
    if (typeof value === 'number' && Number.isSafeInteger(value)) this.#integer(value);
    else if (value === undefined || value === null) this.varint(0);
    else this.bigint(this.#long(tag, value));
    this.varint(tag);
    return countOf(value);
  }

  #long(tag: number, value: unknown): bigint {
    const integer = longInteger(value, this.#place(this.#depth, tag));
    return typeof integer === 'bigint' ? integer : this.fail(tag, integer);
  }

  /** Returns the recorded digits of the number that is being written within a field of the message. */
  digits(): string | undefined {
    return digitsAt(this.#place(this.#depth - 1, this.#tags[this.#depth - 1] ?? 0));
  }

  #place(depth: number, tag: number): Place {
    const [fields = '', message = emptyMessage] = [this.#fields[depth], this.#messages[depth]];
    return { fields, field: tag >>> 3, message, index: this.#indices[depth] ?? 0 };
  }

  int64If(tag: number, value: unknown): number {
    return isNullish(value) ? countOf(value) : this.int64(tag, value);
  }

  #integer(value: number): void {
    if (value >= 0) this.varint(value);
    else this.bigint(BigInt(value));
  }

  bigint(value: bigint): void {
    this.bytesOf(varintOf(value));
  }

  bool(tag: number, value: unknown): number {
    if (typeof value !== 'boolean' && value !== undefined && value !== null)
      this.fail(tag, 'is neither true nor false');
    this.varint(value === true ? 1 : 0);
    this.varint(tag);
    return countOf(value);
  }

  boolIf(tag: number, value: unknown): number {
    return isNullish(value) ? countOf(value) : this.bool(tag, value);
  }

  double(tag: number, value: unknown): number {
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    if (!isNumber && value !== undefined && value !== null) this.fail(tag, 'is not a number');
    if (this.#pos < 20) this.#grow(20);
    this.#pos -= 8;
    this.#bytes.writeDoubleLE(isNumber ? value : 0, this.#pos);
    this.varint(tag);
    return countOf(value);
  }

  doubleIf(tag: number, value: unknown): number {
    return isNullish(value) ? countOf(value) : this.double(tag, value);
  }

  message(tag: number, value: unknown, write: WriteMessage): number {
    const end = this.length;
    this.#message(tag, value, write);
    this.close(tag, end);
    return countOf(value);
  }

  messageIf(tag: number, value: unknown, write: WriteMessage): number {
    return isNullish(value) ? countOf(value) : this.message(tag, value, write);
  }

  #message(tag: number, value: unknown, write: WriteMessage): void {
    const object = value === undefined || value === null ? emptyMessage : value;
    this.#deeper(tag);
    if (isFields(object)) this.#count(object, write(this, object), write);
    else this.failInside('is not an object');
    this.#depth -= 1;
  }

  #deeper(tag: number): void {
    this.#tags[this.#depth] = tag;
    this.#depth += 1;
    if (this.#depth > maxDepth) this.fail(tag, 'is nested too deep');
  }

  /** Writes a message that is inlined into the object. Returns its number of members. */
  embedded(tag: number, object: Message, write: WriteMessage): number {
    const end = this.length;
    this.#deeper(tag);
    const count = write(this, object);
    this.#depth -= 1;
    this.close(tag, end);
    return count;
  }

  /** Writes a length-delimited value, even if it is empty. Returns 1 if the value is set, otherwise 0. */
  value(tag: number, value: unknown, write: WriteValue): number {
    const end = this.length;
    this.#deeper(tag);
    write(this, value);
    this.#depth -= 1;
    this.close(tag, end);
    return countOf(value);
  }

  /** Writes a value unless it is `null`, except if it was read from a field that was present and empty. */
  valueIf(tag: number, value: unknown, write: WriteValue): number {
    if (value !== undefined && value !== null) return this.value(tag, value, write);
    if (wasEmpty(this.#messages[this.#depth] ?? emptyMessage, tag >>> 3)) {
      this.varint(0);
      this.varint(tag);
    }
    return countOf(value);
  }

  strings(tag: number, value: unknown): number {
    return this.#each(tag, value, (element) => this.string(tag, element));
  }

  int32s(tag: number, value: unknown): number {
    return this.#each(tag, value, (element) => this.int32(tag, element));
  }

  int64s(tag: number, value: unknown): number {
    return this.#each(tag, value, (element) => this.int64(tag, element));
  }

  bools(tag: number, value: unknown): number {
    return this.#each(tag, value, (element) => this.bool(tag, element));
  }

  #each(tag: number, value: unknown, write: (element: unknown) => void): number {
    const list = this.#list(tag, value);
    for (let index = list.length - 1; index >= 0; index -= 1) {
      this.#indices[this.#depth] = index;
      write(list[index]);
    }
    return countOf(value);
  }

  messages(tag: number, value: unknown, write: WriteMessage): number {
    const list = this.#list(tag, value);
    for (let index = list.length - 1; index >= 0; index -= 1) {
      this.#indices[this.#depth] = index;
      this.message(tag, list[index], write);
    }
    return countOf(value);
  }

  values(tag: number, value: unknown, write: WriteValue): number {
    return this.#each(tag, value, (element) => this.value(tag, element, write));
  }

  #list(tag: number, value: unknown): readonly unknown[] {
    if (value === undefined || value === null) return [];
    this.#indices[this.#depth] = -1;
    return Array.isArray(value) ? value : this.fail(tag, 'is not a list');
  }

  stringMap(tag: number, value: unknown): number {
    return this.#map(tag, value, (member) => this.string(18, member));
  }

  messageMap(tag: number, value: unknown, write: WriteMessage): number {
    return this.#map(tag, value, (member) => this.message(18, member, write));
  }

  valueMap(tag: number, value: unknown, write: WriteValue): number {
    return this.#map(tag, value, (member) => this.value(18, member, write));
  }

  #map(tag: number, value: unknown, write: (member: unknown) => void): number {
    if (isNullish(value)) return countOf(value);
    if (!isMap(value)) return this.fail(tag, 'is not an object');
    const keys = sortedKeys(value);
    this.#tags[this.#depth] = tag;
    this.#depth += 1;
    for (const key of keys.reverse()) {
      this.#fields[this.#depth] = entryOf(key);
      const member = value[key];
      if (member === undefined) continue;
      const end = this.length;
      write(member);
      this.string(10, key);
      this.close(tag, end);
    }
    this.#depth -= 1;
    return 1;
  }

  /** Checks that a message consumed all members of its object, because others would be lost. */
  #count(object: Message, taken: number, write: WriteMessage): void {
    if (taken === membersOf(object) && isPlain(object)) return;
    const names = Object.keys(object).filter((name) => object[name] !== undefined);
    if (names.length === taken && !('toJSON' in object)) return;
    this.#refuse(names, write);
  }

  /** Reports the member that is not written, or an object that is not a JSON object. */
  #refuse(names: readonly string[], write: WriteMessage): never {
    const envelope = this.#depth === 0 ? ['apiVersion', 'kind'] : [];
    const unknown = findUnusedName(names, envelope, (object) => write(new Writer(), object));
    if (unknown === undefined)
      throw new TypeError(`protobuf: ${this.#path(this.#depth)} is not a plain object`);
    throw new TypeError(`protobuf: ${joinPath(this.#path(this.#depth), unknown)}: unknown member`);
  }

  /** Reports an error of the value of a field. */
  fail(tag: number, problem: string): never {
    this.#tags[this.#depth] = tag;
    throw new TypeError(`protobuf: ${this.#path(this.#depth + 1)} ${problem}`);
  }

  /** Reports an error of a value within a field, as an error of the field. */
  failInside(problem: string): never {
    throw new TypeError(`protobuf: ${this.#path(this.#depth)} ${problem}`);
  }

  #path(depth: number): string {
    return pathOfTags(this.#fields, this.#tags, this.#indices, depth);
  }
}
