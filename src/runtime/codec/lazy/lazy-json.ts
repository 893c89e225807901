/** Reads objects from JSON as `JSON.parse` does, but parses their `managedFields` on first access. */
import { type Fields, isFields } from '../../common/fields.ts';
import { asBuffer } from '../as-buffer.ts';
import { keepDigits, parseBytes } from '../integers/keep-digits.ts';
import { mayHoldLong } from '../integers/long-digits.ts';
import { skipSpace } from '../json-scan.ts';
import { isPlaceholder, PartialParser, type PartlyParsed, type Range } from '../managed-fields.ts';
import { type ByteSlice, copyPooled } from './byte-slice.ts';
import { setLazy } from './lazy-member.ts';

const closeObject = 0x7d;

const parser = new PartialParser({ hasPlaceholder: true });

/**
 * Reads one object, or an item of another type. Integers beyond 2^53 keep their digits.
 * @throws {SyntaxError} malformed JSON. That of `managedFields` is found on access, which then throws it
 */
export function readItemLazily(json: Uint8Array, start: number, end: number): unknown {
  const bytes = asBuffer(json);
  const read = parser.object(bytes, start, end);
  return finish(bytes, { start, end }, read, read.value);
}

/**
 * Reads one line of a watch: an event with its object. Integers beyond 2^53 keep their digits.
 * @throws {SyntaxError} malformed JSON. That of `managedFields` is found on access, which then throws it
 */
export function parseLineLazily(line: Uint8Array): unknown {
  const bytes = asBuffer(line);
  const read = parser.event(bytes);
  const object = isFields(read.value) ? read.value['object'] : undefined;
  return finish(bytes, { start: 0, end: bytes.length }, read, object);
}

/** `object` is the object of the value whose metadata contain the list. */
function finish(
  bytes: Buffer,
  { start, end }: Range,
  { text, value, list }: PartlyParsed,
  object: unknown,
): unknown {
  const isLong = list
    ? mayHoldLong(bytes, start, list.value) || mayHoldLong(bytes, list.end, end)
    : mayHoldLong(bytes, start, end);
  if (isLong) keepDigits(text, value);
  const metadata = list && isFields(object) ? object['metadata'] : undefined;
  if (list === undefined || !isFields(metadata) || !isPlaceholder(metadata['managedFields'])) return value;
  const isLast = bytes[skipSpace(bytes, list.end, end)] === closeObject;
  setList(metadata, copyPooled(bytes, list.value, list.end), isLast);
  return value;
}

/** A list that is not the last member keeps its place among the members, as `JSON.parse` returns them. */
function setList(metadata: Fields, slice: ByteSlice, isLast: boolean): void {
  if (!isLast) {
    Object.assign(metadata, { managedFields: parseList(slice) });
    return;
  }
  // The engine removes the member that was added last without a change of the kind of object.
  Reflect.deleteProperty(metadata, 'managedFields');
  setLazy(metadata, 'managedFields', slice, parseList);
}

function parseList({ bytes, start, end }: ByteSlice): unknown {
  return parseBytes(asBuffer(bytes), start, end);
}
