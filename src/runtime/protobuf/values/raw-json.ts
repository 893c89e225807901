/** JSON within bytes: fields of managers, defaults in schemas, and objects of any kind. */
import { asBuffer } from '../../codec/as-buffer.ts';
import { parseText } from '../../codec/integers/keep-digits.ts';
import { jsonOf } from '../../codec/integers/write-json.ts';
import { type ByteSlice, bytesOf } from '../../codec/lazy/byte-slice.ts';
import { ProtobufError } from '../errors/decode-error.ts';
import { isLong } from '../long-integers.ts';
import type { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';

const raw = '1 Raw';

const longRun = /\d{16}/;
const highCharacter = /[\u0080-\u00ff]/;

/**
 * Original bytes of JSON values whose formatting differs from `JSON.stringify`, keyed by the parsed object,
 * with its serialisation at that time.
 */
const written = new WeakMap<object, { readonly bytes: string; readonly json: string }>();

/** Reads any JSON; `null` if it is absent. */
export function readJSON(r: Reader, end: number): unknown {
  const { pos: start, at } = r;
  const bytes = readRaw(r, end, (from, to) => r.latin1(from, to));
  if (bytes === '') return null;
  try {
    const value = parseRaw(bytes);
    if (typeof value === 'object' && value !== null) rememberText(value, bytes);
    else if (isLong(value)) r.long(at, /^-?\d+$/.test(bytes) ? bytes : String(value));
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's message quotes the input, which may be a secret.
    return r.fail(otherForm(bytes) ?? 'no JSON', start);
  }
}

/** Parses JSON whose bytes are characters. */
function parseRaw(bytes: string): unknown {
  const text = highCharacter.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
  return longRun.test(text) ? parseText(text) : JSON.parse(text);
}

/**
 * Returns the result of `read` for the bytes in a message without other fields, or for an empty range if they
 * are absent.
 */
function readRaw<V>(r: Reader, end: number, read: (start: number, end: number) => V): V {
  r.enter(raw);
  let from = 0;
  let to = 0;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) {
      to = r.end();
      from = r.pos;
      r.pos = to;
    } else r.unknown(tag);
  }
  r.leave(end);
  return read(from, to);
}

/** Returns the format of bytes that are not JSON. */
function otherForm(bytes: string): string | undefined {
  if (bytes.startsWith('k8s\0')) return 'an object in protobuf within another one cannot be read here';
  return bytes.startsWith('\u00d9\u00d9\u00f7') ? 'CBOR within an object cannot be read here' : undefined;
}

/** Returns the bytes of the fields of an entry of `managedFields`. */
export function readFieldsV1(r: Reader, end: number): ByteSlice {
  return readRaw(r, end, (from, to) => r.slice(from, to));
}

/** Parses the fields on first access. */
export function parseFieldsV1({ bytes, start, end }: ByteSlice): unknown {
  try {
    return parseRaw(asBuffer(bytes).toString('latin1', start, end));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProtobufError('no JSON', {
      kind: 'ManagedFieldsEntry',
      path: 'fieldsV1',
      offset: 0,
    });
  }
}

function rememberText(value: object, bytes: string): void {
  const json = attempted(value);
  if (typeof json === 'string' && latin1(json) !== bytes) written.set(value, { bytes, json });
}

/**
 * Returns the JSON of a value, or the reason why it has none: it is cyclic, contains a bigint of more than 64
 * bits, or is nested too deeply.
 */
function attempted(value: unknown): string | undefined | Error {
  try {
    return jsonOf(value);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return error;
    throw error;
  }
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Reads an object of any kind, or other JSON; `null` if it is absent. */
export const readRawExtension: (r: Reader, end: number) => unknown = readJSON;

/** Writes JSON: the original bytes if the value is unchanged. */
export function writeJSON(w: Writer, value: unknown): void {
  if (value === undefined || value === null) return;
  const json = attempted(value);
  if (json instanceof Error) w.failInside(`cannot be JSON: ${json.message.split('\n')[0]}`);
  if (json === undefined || (json === 'null' && value !== null)) w.failInside('is nothing that JSON has');
  const before = typeof value === 'object' ? written.get(value) : undefined;
  if (before?.json === json) writeLatin1(w, 10, before.bytes);
  else w.string(10, (isLong(value) ? w.digits() : undefined) ?? json);
}

function writeLatin1(w: Writer, tag: number, bytes: string): void {
  w.latin1(bytes);
  w.varint(bytes.length);
  w.varint(tag);
}

/** Writes an object of any kind, or other JSON: the original bytes if the value is unchanged. */
export const writeRawExtension: (w: Writer, value: unknown) => void = writeJSON;

/** Writes the original bytes. */
export function writeRaw(w: Writer, slice: ByteSlice): void {
  const end = w.length;
  w.bytesOf(bytesOf(slice));
  w.close(10, end);
}
