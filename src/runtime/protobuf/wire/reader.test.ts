import { describe, expect, it } from 'vitest';
import { jsonOf } from '../../codec/integers/write-json.ts';
import { append, trimCapacity } from '../../codec/object-class.ts';
import { ProtobufError, UnknownFieldError } from '../errors/decode-error.ts';
import { wasEmpty } from '../errors/unknown-fields.ts';
import type { Message } from '../types.ts';
import { Reader } from './reader.ts';

const fields = '1 text,2 number,3 children*,4 map,5 child,6 numbers*,7 big,8 flag,9 real,20 far';

/** Reads a message with a field of each type. */
function readThing(r: Reader, end: number): Message {
  r.enter(fields);
  const m: Message = {};
  let children: unknown[] | undefined;
  let child: Message | undefined;
  let map: Message | undefined;
  let numbers: unknown[] | undefined;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) m['text'] = r.string();
    else if (tag === 16) m['number'] = r.int32();
    else if (tag === 26) children = append(children, readThing(r, r.end()));
    else if (tag === 34) map = r.stringMap(map);
    else if (tag === 42) child = child === undefined ? readThing(r, r.end()) : r.merged(readThing, 42);
    else if (tag === 48 || tag === 50) numbers = r.int64s(numbers, tag);
    else if (tag === 56) m['big'] = r.int64();
    else if (tag === 64) m['flag'] = r.bool();
    else if (tag === 73) m['real'] = r.double();
    else if (tag === 162) m['far'] = r.unique();
    else r.unknown(tag);
  }
  if (children !== undefined) m['children'] = trimCapacity(children);
  if (map !== undefined) m['map'] = map;
  if (child !== undefined) m['child'] = child;
  if (numbers !== undefined) m['numbers'] = numbers;
  r.leave(end, m);
  return m;
}

const text = (value: string): number[] => {
  const bytes = [...Buffer.from(value)];
  return [...length(bytes.length), ...bytes];
};

function length(count: number): number[] {
  return count < 0x80 ? [count] : [(count & 0x7f) | 0x80, ...length(count >>> 7)];
}

const inside = (tag: number, bytes: readonly number[]): number[] => [tag, ...length(bytes.length), ...bytes];

/** Returns nested messages. */
function nested(levels: number): number[] {
  const reversed: number[] = [];
  for (let level = 0; level < levels; level += 1) {
    reversed.push(...length(reversed.length).reverse(), 42);
  }
  return reversed.reverse();
}

function read(bytes: Iterable<number>, unknown: 'keep' | 'refuse' = 'refuse', path?: string): Message {
  const all = Uint8Array.from(bytes);
  return new Reader({ unknown }).read(readThing, all, 0, all.length, { kind: 'Thing', path });
}

function refused(bytes: Iterable<number>, path?: string): ProtobufError {
  try {
    read(bytes, 'refuse', path);
  } catch (error) {
    if (error instanceof ProtobufError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const ff = (count: number): number[] => new Array<number>(count).fill(0xff);

describe('a number', () => {
  it.each<[string, number[], number, number, boolean]>([
    ['zero', [0], 0, 0, false],
    ['one', [1], 1, 1, true],
    ['the last of one byte', [0x7f], 127, 127, true],
    ['the first of two', [0x80, 1], 128, 128, true],
    ['zero in three bytes', [0x80, 0x80, 0], 0, 0, false],
    ['2^31-1', [...ff(4), 7], 2 ** 31 - 1, 2 ** 31 - 1, true],
    ['2^32-1 is -1 in 32 bits', [...ff(4), 0x0f], -1, 2 ** 32 - 1, true],
    ['2^32 is 0 in 32 bits', [0x80, 0x80, 0x80, 0x80, 0x10], 0, 2 ** 32, true],
    ['2^53-1', [...ff(7), 0x0f], -1, Number.MAX_SAFE_INTEGER, true],
    [
      '2^53+1 is rounded',
      [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10],
      1,
      JSON.parse('9007199254740993'),
      true,
    ],
    [
      '2^53+3 is rounded',
      [0x83, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10],
      3,
      JSON.parse('9007199254740995'),
      true,
    ],
    ['2^63-1', [...ff(8), 0x7f], -1, JSON.parse('9223372036854775807'), true],
    ['-1', [...ff(9), 1], -1, -1, true],
    ['-2^31', [0x80, 0x80, 0x80, 0x80, 0xf8, ...ff(4), 1], -(2 ** 31), -(2 ** 31), true],
    ['-2^63', [...new Array<number>(9).fill(0x80), 1], 0, -(2 ** 63), true],
    ['what is beyond 64 bits goes', [...ff(9), 0x7f], -1, -1, true],
  ])('is read: %s', (_, bytes, int32, int64, flag) => {
    const { number, big, flag: bool } = read([16, ...bytes, 56, ...bytes, 64, ...bytes]);
    expect([number, big, bool]).toEqual([int32, int64, flag]);
  });

  it.each([
    ['9007199254740993', [0x81, ...new Array<number>(6).fill(0x80), 0x10]],
    ['9223372036854775807', [...ff(8), 0x7f]],
    ['-9223372036854775808', [...new Array<number>(9).fill(0x80), 1]],
  ])('of 64 bits keeps its digits: %s', (digits, bytes) => {
    expect(jsonOf(read([56, ...bytes]))).toContain(`"big":${digits}`);
    // The last value is used.
    expect(jsonOf(read([56, ...bytes, 56, 1]))).toContain('"big":1');
    const exact = [0x80, ...new Array<number>(6).fill(0x80), 0x10];
    expect(jsonOf(read([56, ...bytes, 56, ...exact]))).toContain('"big":9007199254740992');
    expect(jsonOf(read([50, 1 + bytes.length + exact.length, 1, ...exact, ...bytes]))).toContain(
      `"numbers":[1,9007199254740992,${digits}]`,
    );
  });

  it('of eleven bytes is refused', () => {
    expect(refused([16, ...ff(10), 1])).toMatchObject({ path: 'number', offset: 1 });
  });

  it('is read packed and one by one', () => {
    expect(read([48, 1, 50, 3, 2, 0x80, 1, 48, 3])).toEqual({ numbers: [1, 2, 128, 3] });
    expect(read([50, 0])).toEqual({});
    expect(refused([50, 2, 1, 0x80])).toMatchObject({ path: 'numbers[0]' });
  });

  it('may have a fraction', () => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(-1.5e300);
    expect(read([73, ...bytes])).toEqual({ real: -1.5e300 });
    expect(refused([73, ...bytes.subarray(1)])).toMatchObject({ path: 'real' });
  });
});

const texts = [
  '',
  'a',
  'ab',
  'abc',
  'abcd',
  'abcdefg',
  'abcdefgh',
  'nul\0',
  '\ufeffbom',
  'line\u2028',
  'ä',
  'ß€',
  '😀',
  'a much longer text, with ümlauts',
  '\u007f'.repeat(127),
  'x'.repeat(128),
  'y'.repeat(129),
  'z'.repeat(5000),
  `${'z'.repeat(5000)}é`,
];

describe('a text', () => {
  it.each(texts.map((value) => [value.slice(0, 20), value.length, value] as const))(
    'is read as it is: %j… of %i',
    (_, __, value) => {
      // From the second turn on, the string may be found in the cache.
      for (let turn = 0; turn < 3; turn += 1) {
        expect(read([10, ...text(value), 0xa2, 1, ...text(value)])).toEqual({ text: value, far: value });
      }
    },
  );

  it('is never another one, however many there are', () => {
    const reader = new Reader({ unknown: 'refuse' });
    for (let turn = 0; turn < 2; turn += 1) {
      for (let index = 0; index < 20_000; index += 1) {
        const value = `${'name'.repeat(index % 7)}${index}${'x'.repeat(index % 11)}`;
        const bytes = Uint8Array.from([10, ...text(value)]);
        const found = reader.read(readThing, bytes, 0, bytes.length, { kind: 'Thing' });
        if (found['text'] !== value) expect(found).toEqual({ text: value });
      }
    }
  });

  it('of up to 14 bytes is distinguished from every other one by each of its bytes', () => {
    for (let count = 1; count <= 14; count += 1) {
      const base = 'abcdefghijklmn'.slice(0, count);
      expect(read([10, ...text(base)])).toEqual({ text: base });
      for (let place = 0; place < count; place += 1) {
        const other = `${base.slice(0, place)}X${base.slice(place + 1)}`;
        expect(read([10, ...text(other), 0xa2, 1, ...text(base)])).toEqual({ text: other, far: base });
      }
    }
  });

  it.each([
    ['pod-005033', 'pod-006571-app'],
    ['pod-071136-web', 'pod-085130-web'],
  ])('is distinguished from another one with the same hash: %s and %s', (one, other) => {
    for (const value of [one, other, one, one, other, other]) {
      expect(read([10, ...text(value)])).toEqual({ text: value });
    }
  });

  it.each([
    [[0xff]],
    [[0xc3]],
    [[0xed, 0xa0, 0x80]],
    [[...Buffer.from('long enough text'), 0xfe]],
    [[...Buffer.from('x'.repeat(200)), 0x80]],
  ])('that is no UTF-8 is refused: number %#', (bytes) => {
    for (const tag of [[10], [0xa2, 1]]) {
      expect(refused([...tag, ...length(bytes.length), ...bytes])).toMatchObject({
        name: 'DecodeError',
        kind: 'Thing',
      });
    }
  });

  it('that is no UTF-8 is refused, however much it is like one that was read before', () => {
    const zeros = new Array<number>(24).fill(0);
    expect(read([10, 24, ...zeros])).toEqual({ text: '\0'.repeat(24) });
    for (let place = 0; place < 24; place += 1) {
      const one = zeros.with(place, 0x80);
      expect(refused([10, 24, ...one])).toMatchObject({ path: 'text' });
      expect(refused([10, 24, ...one.with((place + 8) % 24, 0x80)])).toMatchObject({ path: 'text' });
    }
  });

  it('is read where the bytes are a part of others', () => {
    const bytes = Uint8Array.from([...ff(13), 10, ...text('abcdefghijk'), ...ff(5)]);
    const found = new Reader({ unknown: 'refuse' }).read(readThing, bytes, 13, 26, { kind: 'Thing' });
    expect(found).toEqual({ text: 'abcdefghijk' });
    const view = bytes.subarray(13, 26);
    expect(new Reader({ unknown: 'refuse' }).read(readThing, view, 0, 13, { kind: 'Thing' })).toEqual(found);
  });
});

describe('a map', () => {
  const entry = (key: string, value: string) => inside(34, [10, ...text(key), 18, ...text(value)]);

  it('has members of its own, whatever they are called', () => {
    const { map } = read([
      ...entry('__proto__', 'a'),
      ...entry('', 'b'),
      ...entry('constructor', 'c'),
      ...entry('7', 'd'),
    ]);
    expect(JSON.stringify(map)).toBe('{"7":"d","__proto__":"a","":"b","constructor":"c"}');
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
  });

  it('has the last of two values, and an empty one where there is none', () => {
    expect(read([...entry('a', '1'), ...entry('a', '2')])).toEqual({ map: { a: '2' } });
    expect(read(inside(34, [10, 1, 0x61]))).toEqual({ map: { a: '' } });
    expect(read(inside(34, [18, 1, 0x61, 18, 1, 0x62]))).toEqual({ map: { '': 'b' } });
    expect(read([34, 0])).toEqual({ map: { '': '' } });
  });

  it('has nothing but keys and values', () => {
    expect(refused(inside(34, [26, 0]))).toMatchObject({ path: 'map', offset: 2 });
    expect(refused(inside(34, [8, 0]))).toMatchObject({ path: 'map' });
  });
});

describe('what comes twice', () => {
  it('is the last one, of values', () => {
    expect(read([10, 1, 0x61, 10, 1, 0x62])).toEqual({ text: 'b' });
  });

  it('is both together, of messages', () => {
    const one = inside(42, [10, 1, 0x61, ...inside(26, [16, 1])]);
    const two = inside(42, [16, 5, ...inside(26, [16, 2])]);
    const want = { text: 'a', number: 5, children: [{ number: 1 }, { number: 2 }] };
    expect(read([...one, ...two])).toEqual({ child: want });
    expect(read([...one, 10, 0, ...two, ...one])).toEqual({
      text: '',
      child: { ...want, children: [{ number: 1 }, { number: 2 }, { number: 1 }] },
    });
  });

  it('names the field that is wrong in a later part', () => {
    expect(refused([...inside(42, [16, 1]), ...inside(42, [18, 1, 0])])).toMatchObject({
      path: 'child.number',
      offset: 6,
    });
  });

  it('costs only the bytes of its own message', () => {
    const parts = new Array<number>(20).fill(0).flatMap(() => inside(42, [16, 1]));
    const bytes = [...inside(10, new Array<number>(100 * 1024).fill(0x61)), ...inside(26, parts)];
    expect(read(bytes)).toMatchObject({ children: [{ child: { number: 1 } }] });
  });

  it('cannot take time without end', () => {
    let bytes: number[] = [];
    for (let level = 0; level < 60; level += 1) bytes = [...inside(42, bytes), 42, 0];
    expect(refused(bytes).message).toContain('in too many parts');
    expect(refused(new Array<number>(40_000).fill(0).flatMap(() => [42, 0])).message).toContain(
      'in too many parts',
    );
    // Only a small part is split, but all preceding bytes are read again for each part.
    const before = new Array<number>(200_000).fill(0).flatMap(() => [10, 0]);
    const bytes400k = [...before, ...new Array<number>(200).fill(0).flatMap(() => [42, 0])];
    expect(refused(bytes400k).message).toContain('in too many parts');
  });
});

describe('a field that nobody knows', () => {
  const unknown: readonly (readonly [string, number[]])[] = [
    ['a number', [0x78, 0x80, 1]],
    ['eight bytes', [0x79, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['text', [0x7a, 2, 1, 2]],
    ['a group', [0x7b, 0x08, 1, 0x13, 0x12, 1, 0, 0x14, 0x7c]],
    ['four bytes', [0x7d, 1, 2, 3, 4]],
    ['a large number', [0xfa, 0xff, 0xff, 0xff, 0x0f, 1, 7]],
  ];

  it.each(unknown)('is passed over where it is kept: %s', (_, bytes) => {
    expect(read([16, 7, ...bytes, 10, 1, 0x61], 'keep')).toEqual({ number: 7, text: 'a' });
  });

  it.each(unknown)('is refused by name where it is not: %s', (_, bytes) => {
    const error = refused([...inside(26, []), ...inside(26, [16, 7, ...bytes])]);
    expect(error).toBeInstanceOf(UnknownFieldError);
    expect(error).toMatchObject({ name: 'DecodeError', kind: 'Thing', path: 'children[1]', offset: 6 });
  });

  it.each(unknown)('is refused where it is cut off, in both modes: %s', (_, bytes) => {
    for (const mode of ['keep', 'refuse'] as const) {
      for (let end = 1; end < bytes.length; end += 1) {
        expect(() => read(bytes.slice(0, end), mode)).toThrow(ProtobufError);
        expect(() => read(bytes.slice(0, end), mode)).not.toThrow(UnknownFieldError);
      }
    }
  });

  it('does not take longer the more there are', () => {
    const many = new Array<number>(500_000).fill(0x78).flatMap((tag) => [tag, 1]);
    expect(read(many, 'keep')).toEqual({});
  });
});

describe('a field that is empty', () => {
  const reader = new Reader({ unknown: 'keep' });

  it.each<[value: unknown, isFilled: boolean, isEmpty: boolean]>([
    [undefined, false, false],
    ['', false, true],
    ['YQ==', true, false],
  ])('is omitted in JSON and recorded for writing: %j', (value, isFilled, isEmpty) => {
    const message = {};
    expect(reader.filled(value, message, 1)).toBe(isFilled);
    expect([wasEmpty(message, 1), wasEmpty(message, 2)]).toEqual([isEmpty, false]);
  });

  it('is null in JSON if it is a message', () => {
    const message = {};
    expect(reader.empty(message, 1)).toBeNull();
    expect(wasEmpty(message, 1)).toBe(true);
  });
});

describe('bad input', () => {
  const good = [
    10,
    1,
    0x61,
    ...inside(26, [16, 7]),
    ...inside(34, [10, 1, 0x61, 18, 1, 0x62]),
    73,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
  ];

  it('is refused wherever it is cut off within a field', () => {
    const between = [0, 3, 7, 15, 24];
    for (let end = 0; end <= good.length; end += 1) {
      if (between.includes(end)) expect(read(good.slice(0, end))).toBeTypeOf('object');
      else expect(refused(good.slice(0, end))).toMatchObject({ name: 'DecodeError', kind: 'Thing' });
    }
  });

  it.each<[string, number[], string, number]>([
    ['a length past the end', [...inside(26, []), ...inside(26, [10, 5, 0x61])], 'children[1].text', 5],
    ['a list element past the end', [...inside(26, []), 26, 9], 'children[1]', 3],
    ['a field past the end of its message', [26, 2, 10, 2, 0x61, 0x62], 'children[0].text', 4],
    ['a length of 2 GB', [10, ...ff(4), 7, 0x61], 'text', 1],
    ['a length of 2^63', [10, ...ff(9), 1, 0x61], 'text', 1],
    ['a length of eleven bytes', [10, ...ff(10), 1], 'text', 1],
    ['the wrong wire type', [...inside(42, [18, 1, 0])], 'child.number', 2],
    ['the wrong wire type of a list', [24, 1], 'children[0]', 0],
    ['a group in the place of a field', [11, 12], 'text', 0],
    ['the end of a group', [0x7c], '', 0],
    ['a group that does not end', [0x7b, 0x08, 1], '', 0],
    ['a wire type that there is not', [0x7e, 1], '', 0],
    ['a field without a number', [0, 0], '', 0],
    ['a tag of too many bytes', [0xf8, ...ff(10)], '', 0],
  ])('is refused, with the field: %s', (_, bytes, path, offset) => {
    const error = refused(bytes);
    expect(error).toMatchObject({ name: 'DecodeError', kind: 'Thing', path, offset });
    expect(error).not.toBeInstanceOf(UnknownFieldError);
    expect(error.message).toContain(`at byte ${offset}`);
  });

  it('is not followed for ever into the depth', () => {
    expect(read(nested(999))).toBeTypeOf('object');
    expect(refused(nested(1000)).message).toContain('nested too deep');
    expect(refused(nested(10_000)).message).toContain('nested too deep');
    const groups = [...new Array<number>(10_000).fill(0x7b), ...new Array<number>(10_000).fill(0x7c)];
    expect(refused(groups).message).toContain('nested too deep');
  });

  it('throws an error with the context of the caller', () => {
    const bytes = Uint8Array.from([10, 9]);
    const context = {
      kind: 'Pod',
      path: 'items[7]',
      offset: 100,
      operation: { verb: 'list', resource: 'pods' },
    };
    const run = () => new Reader({ unknown: 'refuse' }).read(readThing, bytes, 0, 2, context);
    expect(run).toThrow(
      'list pods: protobuf: Pod items[7].text: 9 bytes are announced, and only 0 there (at byte 101)',
    );
  });

  it('leaves the reader as good as new', () => {
    const reader = new Reader({ unknown: 'refuse' });
    const [bad, fine] = [Uint8Array.from(inside(26, [10, 9])), Uint8Array.from([16, 7])];
    expect(() => reader.read(readThing, bad, 0, bad.length, { kind: 'Thing' })).toThrow(ProtobufError);
    expect(reader.read(readThing, fine, 0, 2, { kind: 'Thing', apiVersion: 'v1' })).toEqual({
      apiVersion: 'v1',
      kind: 'Thing',
      number: 7,
    });
  });
});
