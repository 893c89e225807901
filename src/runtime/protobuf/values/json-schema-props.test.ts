import { describe, expect, it } from 'vitest';
import { field, message } from '../../../../test/support/runtime/protobuf-bytes.ts';
import type { Message } from '../types.ts';
import { Reader } from '../wire/reader.ts';
import {
  readJSONSchemaPropsOrArray,
  readJSONSchemaPropsOrBool,
  readJSONSchemaPropsOrStringArray,
} from './json-schema-props.ts';
import { readMicroTime } from './well-known.ts';

type Read = (r: Reader, end: number) => unknown;

/** A schema with a type and a title. */
function readSchema(r: Reader, end: number, target: Message = {}): Message {
  r.enter('1 type,2 title');
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) target['type'] = r.string();
    else if (tag === 18) target['title'] = r.string();
    else r.unknown(tag);
  }
  r.leave(end, target);
  return target;
}

function read(
  reads: Read,
  bytes: Uint8Array,
  unknown: 'keep' | 'refuse' = 'refuse',
  size: number = bytes.length,
): unknown {
  const outer = (r: Reader, end: number): Message => ({ value: reads(r, end) });
  return new Reader({ unknown }).read(outer, bytes, 0, size, { kind: 'Thing' })['value'];
}

const string = field(1, 'string');
const title = field(2, 'a');

describe('places of a schema or something else', () => {
  const orBool = readJSONSchemaPropsOrBool(readSchema);
  const orArray = readJSONSchemaPropsOrArray(readSchema);
  const orStrings = readJSONSchemaPropsOrStringArray(readSchema);

  it.each<[name: string, reads: Read, bytes: Buffer, want: unknown]>([
    ['nothing as false', orBool, message(), false],
    ['true', orBool, Buffer.of(8, 1), true],
    ['false', orBool, Buffer.of(8, 0), false],
    ['a schema beside true', orBool, message(Buffer.of(8, 1), field(2, string)), { type: 'string' }],
    [
      'a schema in two parts',
      orBool,
      message(field(2, string), field(2, title)),
      { type: 'string', title: 'a' },
    ],
    ['nothing as null', orArray, message(), null],
    ['one schema', orArray, field(1, string), { type: 'string' }],
    [
      'one schema in two parts',
      orArray,
      message(field(1, string), field(1, title)),
      { type: 'string', title: 'a' },
    ],
    [
      'several schemas',
      orArray,
      message(field(2, string), field(2, title)),
      [{ type: 'string' }, { title: 'a' }],
    ],
    ['strings', orStrings, message(field(2, 'a'), field(2, 'b')), ['a', 'b']],
  ])('hold %s', (_, reads, bytes, want) => {
    expect(read(reads, bytes)).toEqual(want);
  });

  it.each([
    ['a schema or a truth value', orBool],
    ['a schema or a list', orArray],
    ['a schema or strings', orStrings],
  ])('%s: refuse or pass over a field that is not known, and refuse one that is cut off', (_, reads) => {
    expect(() => read(reads, field(9, 'x'))).toThrow();
    expect(() => read(reads, field(9, 'x'), 'keep')).not.toThrow();
    expect(() => read(reads, Buffer.of(0x12, 5, 1))).toThrow();
    // The message ends within the tag of its field.
    expect(() => read(reads, Buffer.of(0x80, 1, 5), 'keep', 1)).toThrow();
    expect(() => read(readMicroTime, Buffer.of(8, 0x80, 1), 'keep', 2)).toThrow();
  });
});
