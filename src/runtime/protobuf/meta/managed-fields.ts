/**
 * `managedFields`, which are a third to a half of an object and rarely accessed. Their bytes are validated
 * when the object is read, and parsed on first access: first the list, then the fields of an entry.
 */

import { type ByteSlice, borrow, bytesOf } from '../../codec/lazy/byte-slice.ts';
import { setLazy, untouchedSlice } from '../../codec/lazy/lazy-member.ts';
import { append, objectClass, trimCapacity } from '../../codec/object-class.ts';
import type { Message } from '../types.ts';
import { parseFieldsV1, readFieldsV1, writeJSON, writeRaw } from '../values/raw-json.ts';
import { readTime, writeTime } from '../values/well-known.ts';
import { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';

const EntryShape: new () => Message = objectClass();
const entryFields = '1 manager,2 operation,3 apiVersion,4 time,6 fieldsType,7 fieldsV1,8 subresource';

/** Validates the bytes of an entry. */
export function skimManagedFieldsEntry(r: Reader, end: number): void {
  r.enter(entryFields);
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
      case 18:
      case 26:
      case 50:
      case 66:
        r.skipText();
        break;
      case 34:
        readTime(r, r.end());
        break;
      case 58:
        skimRaw(r, r.end());
        break;
      default:
        r.unknown(tag);
    }
  }
  r.leave(end);
}

function skimRaw(r: Reader, end: number): void {
  r.enter('1 Raw');
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) r.pos = r.end();
    else r.unknown(tag);
  }
  r.leave(end);
}

/** Reads an entry of `managedFields`. Its `fieldsV1` is parsed on first access. */
export function readManagedFieldsEntry(r: Reader, end: number): Message {
  r.enter(entryFields);
  let f1 = '';
  let f2 = '';
  let f3 = '';
  let f4: unknown;
  let f6 = '';
  let f7: ByteSlice | undefined;
  let f8 = '';
  while (r.pos < end) {
    const tag = r.tag();
    switch (tag) {
      case 10:
        f1 = r.string();
        break;
      case 18:
        f2 = r.string();
        break;
      case 26:
        f3 = r.string();
        break;
      case 34:
        f4 = readTime(r, r.end());
        break;
      case 50:
        f6 = r.string();
        break;
      case 58:
        f7 = f7 === undefined ? readFieldsV1(r, r.end()) : r.merged(readFieldsV1, 58);
        break;
      case 66:
        f8 = r.string();
        break;
      default:
        r.unknown(tag);
    }
  }
  const m: Message = new EntryShape();
  if (f1 !== '') m['manager'] = f1;
  if (f2 !== '') m['operation'] = f2;
  if (f3 !== '') m['apiVersion'] = f3;
  if (f4 !== undefined) m['time'] = f4 ?? r.empty(m, 4);
  if (f6 !== '') m['fieldsType'] = f6;
  if (f7 !== undefined) setFieldsV1(r, m, f7);
  if (f8 !== '') m['subresource'] = f8;
  r.leave(end, m);
  return m;
}

function setFieldsV1(r: Reader, entry: Message, slice: ByteSlice): void {
  if (slice.start === slice.end) entry['fieldsV1'] = r.empty(entry, 7);
  else setLazy(entry, 'fieldsV1', slice, parseFieldsV1);
}

/** Writes an entry of `managedFields`. */
export function writeManagedFieldsEntry(w: Writer, m: Message): number {
  w.enter(entryFields, m);
  let n = w.string(66, m['subresource']);
  n += writeFieldsV1(w, m);
  n += w.string(50, m['fieldsType']);
  n += w.valueIf(34, m['time'], writeTime);
  n += w.string(26, m['apiVersion']);
  n += w.string(18, m['operation']);
  n += w.string(10, m['manager']);
  return n;
}

/** Unknown fields were found or rejected during validation. */
const reader: Reader = new Reader({ unknown: 'keep' });

/** Parses the list from these bytes: the fields of the metadata with their tags. */
export function readManagedFields({ bytes, start, end }: ByteSlice): unknown {
  const context = { kind: 'ObjectMeta', offset: -start, takeSlice: borrow };
  const { entries } = reader.read(readEntries, bytes, start, end, context);
  reader.forget();
  return entries;
}

function readEntries(r: Reader, end: number): Message {
  r.enter('17 managedFields*');
  let entries: unknown[] | undefined;
  while (r.pos < end) {
    r.tag();
    entries = append(entries, readManagedFieldsEntry(r, r.end()));
  }
  r.leave(end);
  return { entries: trimCapacity(entries ?? []) };
}

/** Writes the list, or the original bytes if it was not accessed. */
export function writeManagedFields(w: Writer, metadata: Message): number {
  const slice = untouchedSlice(metadata, 'managedFields');
  if (slice === undefined) return w.messages(138, metadata['managedFields'], writeManagedFieldsEntry);
  w.bytesOf(bytesOf(slice));
  return 1;
}

function writeFieldsV1(w: Writer, entry: Message): number {
  const slice = untouchedSlice(entry, 'fieldsV1');
  if (slice === undefined) return w.valueIf(58, entry['fieldsV1'], writeJSON);
  const end = w.length;
  writeRaw(w, slice);
  w.close(58, end);
  return 1;
}
