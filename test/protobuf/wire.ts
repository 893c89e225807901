/** Protobuf without a schema, independent of the codec under test: fields of messages and their content. */

/** Wire types: varints, values with a length, groups, and two of a fixed size. */
export type WireType = 0 | 1 | 2 | 3 | 4 | 5;

/** An encoded field. */
export interface WireField {
  readonly number: number;
  readonly type: WireType;
  /** Content after the tag, without the length. */
  readonly value: Buffer;
  /** Fields of a value of wire type 2 that can be parsed as a message. */
  readonly fields?: readonly WireField[] | undefined;
  /** Whether `fields` differ from those in `value`. */
  readonly isChanged?: boolean;
}

/** Prefix of every object that is stored or sent in protobuf. */
export const magic: Buffer = Buffer.from('k8s\0');

/** Encodes a number, in seven bits per byte; negative ones take ten bytes. */
export function varint(number: number | bigint): Buffer {
  if (typeof number === 'number' && number >= 0 && number < 0x80) return Buffer.of(number);
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(number));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/** Encodes the tag of a field. */
export function tag(number: number, type: WireType): Buffer {
  return varint(number * 8 + type);
}

/** Encodes a field with a length: a string, bytes, or a message of the parts. */
export function block(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const value = joined(parts);
  return Buffer.concat([tag(number, 2), varint(value.length), value]);
}

/** Encodes a field with a number. */
export function count(number: number, value: number | bigint): Buffer {
  return Buffer.concat([tag(number, 0), varint(value)]);
}

/** Encodes a message with its type in an envelope, as it is sent. */
export function envelope(
  apiVersion: string,
  kind: string,
  ...parts: readonly (string | Uint8Array)[]
): Buffer {
  const type = [block(1, apiVersion), block(2, kind)];
  return Buffer.concat([magic, block(1, ...type), block(2, ...parts), block(3), block(4)]);
}

/** Concatenates all parts; strings in UTF-8. */
export function joined(parts: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * Parses the fields of a message; `undefined` if the bytes are not a message. The value of a group includes
 * its end.
 */
export function fieldsOf(bytes: Buffer, depth = 0): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const key = numberAt(bytes, at);
    const number = (key?.value ?? 0) >>> 3;
    if (key === undefined || number === 0) return undefined;
    // seam: three bits; two of their values are not wire types and have no end
    const found = valueAt(bytes, key.end, (key.value & 7) as WireType);
    if (found === undefined) return undefined;
    const { value, type, end } = found;
    fields.push({ number, type, value, fields: type === 2 && depth < 20 ? inside(value, depth) : undefined });
    at = end;
  }
  return fields;
}

function inside(value: Buffer, depth: number): readonly WireField[] | undefined {
  return value.length === 0 ? undefined : fieldsOf(value, depth + 1);
}

function valueAt(
  bytes: Buffer,
  at: number,
  type: WireType,
): { value: Buffer; type: WireType; end: number } | undefined {
  const upTo = (start: number, end: number): { value: Buffer; type: WireType; end: number } | undefined =>
    end <= bytes.length ? { value: bytes.subarray(start, end), type, end } : undefined;
  if (type === 1) return upTo(at, at + 8);
  if (type === 5) return upTo(at, at + 4);
  if (type === 3) return upTo(at, groupEnd(bytes, at) ?? Number.POSITIVE_INFINITY);
  const number = type === 0 || type === 2 ? numberAt(bytes, at) : undefined;
  if (number === undefined) return undefined;
  return type === 0 ? upTo(at, number.end) : upTo(number.end, number.end + number.value);
}

/** Returns the offset after the tag that ends a group; its number is not verified. */
function groupEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at < bytes.length; ) {
    const key = numberAt(bytes, at);
    if (key === undefined) return undefined;
    if ((key.value & 7) === 4) return key.end;
    // seam: three bits; two of their values are not wire types and have no end
    const found = valueAt(bytes, key.end, (key.value & 7) as WireType);
    if (found === undefined) return undefined;
    at = found.end;
  }
  return undefined;
}

/** Parses a number, of which at most 32 bits are significant. */
function numberAt(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    if (index < 5) value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return undefined;
}

/** Encodes fields, with new lengths. */
export function bytesOf(fields: readonly WireField[]): Buffer {
  const parts: Buffer[] = [];
  for (const field of fields) {
    const value = contentOf(field);
    parts.push(tag(field.number, field.type));
    if (field.type === 2) parts.push(varint(value.length));
    parts.push(value);
  }
  return Buffer.concat(parts);
}

/** Returns the content after the tag and the length. */
export function contentOf({ value, fields, isChanged = false }: WireField): Buffer {
  return isChanged && fields !== undefined ? bytesOf(fields) : value;
}

/** Splits an envelope into the bytes before the message, the message, and the bytes after it. */
export function opened(bytes: Buffer): { readonly type: Buffer; readonly message: Buffer } {
  const fields = fieldsOf(bytes.subarray(magic.length)) ?? [];
  const of = (expected: number): Buffer =>
    fields.find(({ number }) => number === expected)?.value ?? Buffer.alloc(0);
  return { type: of(1), message: of(2) };
}

/** Returns a message in its envelope. */
export function closed({ type, message }: { readonly type: Buffer; readonly message: Buffer }): Buffer {
  return Buffer.concat([magic, block(1, type), block(2, message), block(3), block(4)]);
}
