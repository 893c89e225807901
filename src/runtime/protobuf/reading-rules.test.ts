import { describe, expect, it } from 'vitest';
import type { Message, ReadMessage } from './types.ts';
import { timeText } from './values/time.ts';
import { fieldAt } from './wire/field.ts';
import { Reader } from './wire/reader.ts';

/** Reads fields 1 (a string), 2 (a map of strings by name) and 16 (a number). */
const readThing: ReadMessage = (r, end) => {
  r.enter('1 name,2 map*,16 number');
  const message: Message = {};
  let map: Message | undefined;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) message['name'] = r.string();
    else if (tag === 18) map = r.map(map, (reader, to) => readThing(reader, to));
    else if (tag === 128) message['number'] = r.int32();
    else r.unknown(tag);
  }
  if (map !== undefined) message['map'] = map;
  r.leave(end, message);
  return message;
};

const reader = (): Reader => new Reader({ unknown: 'refuse' });
const read = (bytes: Uint8Array, by = reader()): Message =>
  by.read(readThing, bytes, 0, bytes.length, { kind: 'Thing' });

const named = (name: string): number[] => [10, name.length, ...Buffer.from(name)];
const entry = (key: string, name: string): number[] => {
  const value = named(name);
  const bytes = [...named(key), 18, value.length, ...value];
  return [18, bytes.length, ...bytes];
};

describe('Reader', () => {
  it('reads the tag of a field from 16 on', () => {
    expect(read(Uint8Array.of(0x80, 0x01, 0x05))).toEqual({ number: 5 });
  });

  it('reads maps of messages', () => {
    const bytes = Uint8Array.from([...entry('a', 'one'), ...entry('b', 'two'), ...named('last')]);
    expect(read(bytes)).toEqual({ map: { a: { name: 'one' }, b: { name: 'two' } }, name: 'last' });
  });

  it('tells bytes apart that lie in one buffer', () => {
    const { buffer } = Uint8Array.from([...named('one'), ...named('two')]);
    const by = reader();
    expect(read(new Uint8Array(buffer, 0, 5), by)).toEqual({ name: 'one' });
    expect(read(new Uint8Array(buffer, 5, 5), by)).toEqual({ name: 'two' });
    expect(read(new Uint8Array(buffer, 0, 0), by)).toEqual({});
  });
});

describe('fieldAt', () => {
  const continued = (count: number): number[] => new Array<number>(count).fill(0x80);

  it.each([
    [9, false],
    [10, true],
  ])('reads a number of %d bytes and one more: refused %s', (count, refused) => {
    const bytes = Uint8Array.from([8, ...continued(count), 1]);
    expect('problem' in fieldAt(bytes, 0, bytes.length)).toBe(refused);
  });
});

describe('timeText', () => {
  it.each<[seconds: number, text: string | null | undefined]>([
    [-62167219201, undefined],
    [-62167219200, '0000-01-01T00:00:00Z'],
    [-62135596800, null],
    [0, '1970-01-01T00:00:00Z'],
    [1769903145, '2026-01-31T23:45:45Z'],
    [1769904069, '2026-02-01T00:01:09Z'],
    [1769903145, '2026-01-31T23:45:45Z'],
    [1733011199, '2024-11-30T23:59:59Z'],
    [253402300799, '9999-12-31T23:59:59Z'],
    [253402300800, '10000-01-01T00:00:00Z'],
    [8639999999999, '275760-09-12T23:59:59Z'],
    [8640000000000, undefined],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(timeText(seconds)).toBe(text);
  });
});
