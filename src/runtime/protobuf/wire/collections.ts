/** Members of maps and of lists of numbers. */
import { append, StringMap, setMember, ValueMap } from '../../codec/object-class.ts';
import type { Message } from '../types.ts';
import type { Reader } from './reader.ts';

/** Reads a length-delimited value up to its end. */
export type Read = (reader: Reader, end: number) => unknown;

/** Reads an entry of a map of strings, and adds it to the map. */
export function readStringEntry(reader: Reader, map: Message | undefined): Message {
  const members = map ?? new StringMap();
  const end = reader.end();
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.anyTag();
    if (tag === 10) key = reader.string();
    else if (tag === 18) value = reader.string();
    else notInEntry(reader, tag);
  }
  if (reader.pos !== end) reader.fail('a field does not end with its entry', end);
  setMember(members, key, value);
  return members;
}

/** Reads an entry of a map whose values are not strings, and adds it to the map. */
export function readEntry(reader: Reader, map: Message | undefined, read: Read): Message {
  const members = map ?? new ValueMap();
  const end = reader.end();
  let key = '';
  let value: unknown;
  while (reader.pos < end) {
    const tag = reader.anyTag();
    if (tag === 10) key = reader.string();
    else if (tag === 18) value = reader.entry(read, reader.end());
    else notInEntry(reader, tag);
  }
  if (reader.pos !== end) reader.fail('a field does not end with its entry', end);
  setMember(members, key, value ?? reader.entry(read, end));
  return members;
}

/** Reports a field that is neither the key nor the value. */
function notInEntry(reader: Reader, tag: number): never {
  return reader.fail(`entries of maps have no field ${tag >>> 3} of wire type ${tag & 7}`, reader.at);
}

/** Reads a single value of a list, or several if they are packed. */
export function readScalars(
  reader: Reader,
  list: unknown[] | undefined,
  tag: number,
  read: (reader: Reader) => unknown,
): unknown[] | undefined {
  if ((tag & 7) !== 2) return append(list, read(reader));
  const end = reader.end();
  let values = list;
  while (reader.pos < end) values = append(values, read(reader));
  if (reader.pos !== end) reader.fail('a number does not end with its list', end);
  return values;
}
