import { describe, expect, it } from 'vitest';
import { setInt64 } from '../../codec/integers/int64.ts';
import type { Message } from '../types.ts';
import { Writer } from './writer.ts';

const fields = '1 text,2 number,3 children*,4 map,5 child,6 numbers*,7 big,8 flag,9 real';

function writeThing(w: Writer, m: Message): number {
  w.enter(fields, m);
  let n = w.doubleIf(73, m['real']);
  n += w.boolIf(64, m['flag']);
  n += w.int64If(56, m['big']);
  n += w.int64s(48, m['numbers']);
  n += w.messageIf(42, m['child'], writeThing);
  n += w.stringMap(34, m['map']);
  n += w.messages(26, m['children'], writeThing);
  n += w.int32If(16, m['number']);
  n += w.stringIf(10, m['text']);
  return n;
}

function write(object: unknown): number[] {
  const writer = new Writer();
  writer.root(object, writeThing);
  return [...writer.finish()];
}

const ff = (count: number): number[] => new Array<number>(count).fill(0xff);

describe('a number', () => {
  it.each<[number, number[]]>([
    [0, [0]],
    [-0, [0]],
    [127, [0x7f]],
    [128, [0x80, 1]],
    [16_383, [0xff, 0x7f]],
    [16_384, [0x80, 0x80, 1]],
    [2 ** 31 - 1, [...ff(4), 7]],
    [-1, [...ff(9), 1]],
    [-(2 ** 31), [0x80, 0x80, 0x80, 0x80, 0xf8, ...ff(4), 1]],
  ])('of 32 bits is written: %d', (number, bytes) => {
    expect(write({ number })).toEqual([16, ...bytes]);
    expect(write({ big: number, numbers: [number] })).toEqual([48, ...bytes, 56, ...bytes]);
  });

  it.each<[number | bigint, number[]]>([
    [2 ** 32, [0x80, 0x80, 0x80, 0x80, 0x10]],
    [Number.MAX_SAFE_INTEGER, [...ff(7), 0x0f]],
    [2 ** 62, [...new Array<number>(8).fill(0x80), 0x40]],
    [2 ** 63, [...ff(8), 0x7f]],
    [2n ** 63n - 1n, [...ff(8), 0x7f]],
    [1n, [1]],
    [-1n, [...ff(9), 1]],
    [-(2 ** 63), [...new Array<number>(9).fill(0x80), 1]],
  ])('of 64 bits is written: %d', (big, bytes) => {
    expect(write({ big })).toEqual([56, ...bytes]);
    expect(() => write({ number: big })).toThrow(/protobuf: number is not a (32-bit integer|number)/);
  });

  it.each<[number | null, number]>([
    [-1.5e300, -1.5e300],
    [0, 0],
    [null, 0],
  ])('with a fraction is written: %d', (real, want) => {
    const bytes = Buffer.alloc(9, 73);
    bytes.writeDoubleLE(want, 1);
    const writer = new Writer();
    expect(writer.double(73, real)).toBe(1);
    expect([...writer.finish()]).toEqual([...bytes]);
  });

  it('with digits is written as these', () => {
    const bytes = [0x81, ...new Array<number>(6).fill(0x80), 0x10];
    const object = { big: 0, numbers: [1, 0] };
    setInt64(object, ['big'], 9007199254740993n);
    setInt64(object, ['numbers', 1], 9007199254740993n);
    expect(write({ ...object })).toEqual([48, 1, 48, ...bytes, 56, ...bytes]);
    object.big = 9007199254740994;
    expect(write({ big: object.big })).toEqual([56, 0x82, ...new Array<number>(6).fill(0x80), 0x10]);
  });
});

describe('a text', () => {
  const texts = ['a', 'ä', '😀', 'nul\0', ...[39, 40, 41].map((count) => 'x'.repeat(count)), 'ä'.repeat(41)];

  it.each([...texts, 'x'.repeat(100_000)])('is written as UTF-8: number %#', (text) => {
    const bytes = Buffer.from(write({ text }));
    const utf8 = Buffer.from(text);
    expect(bytes.subarray(-utf8.length).equals(utf8)).toBe(true);
    expect(bytes[0]).toBe(10);
  });

  it('may be empty', () => {
    expect(write({ text: '' })).toEqual([10, 0]);
  });

  it('has U+FFFD where half a pair of surrogates is, as Go reads it in JSON', () => {
    expect(write({ text: '\ud800' })).toEqual([10, 3, 0xef, 0xbf, 0xbd]);
  });
});

describe('a map', () => {
  it('is written in the order of its bytes', () => {
    const keys = ['b', 'a', '', '\u{1f600}', '\uffee', 'ab', '10', '9', '__proto__'];
    const map = Object.fromEntries(keys.map((key) => [key, '']));
    const bytes = Buffer.from(write({ map }));
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += 2 + (bytes[at + 1] ?? 0)) {
      found.push(bytes.toString('utf8', at + 4, at + 4 + (bytes[at + 3] ?? 0)));
    }
    expect(found).toEqual(['', '10', '9', '__proto__', 'a', 'ab', 'b', '\uffee', '\u{1f600}']);
  });

  it('is written in the order of its keys', () => {
    const entry = (key: number): number[] => [34, 5, 10, 1, key, 18, 0];
    const want = [0x61, 0x62, 0x63].flatMap(entry);
    for (const keys of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      const map = Object.fromEntries([...keys].map((key) => [key, '']));
      expect(write({ map }), keys).toEqual(want);
    }
  });

  it('leaves out what JSON leaves out, and has empty text for null', () => {
    expect(write({ map: { a: undefined, b: null } })).toEqual([34, 5, 10, 1, 0x62, 18, 0]);
  });
});

describe('what cannot be written', () => {
  class Moment {
    toJSON(): string {
      return 'a';
    }
  }
  const cyclic: Message = {};
  cyclic['child'] = cyclic;

  it.each<[string, unknown, string]>([
    ['an unknown member', { x: 1 }, 'protobuf: x: unknown member'],
    [
      'a misspelt one further in',
      { children: [{}, { child: { texts: '' } }] },
      'protobuf: children[1].child.texts: unknown member',
    ],
    ['apiVersion where there is none', { child: { kind: 'x' } }, 'protobuf: child.kind: unknown member'],
    ['a number for a text', { child: { text: 7 } }, 'protobuf: child.text is not a string'],
    ['a text for a number', { number: '7' }, 'protobuf: number is not a number'],
    ['a fraction', { children: [{ number: 1.5 }] }, 'protobuf: children[0].number is not a 32-bit integer'],
    ['no number', { big: Number.NaN }, 'protobuf: big is not a 64-bit integer'],
    ['a number beyond 64 bits', { numbers: [1, 2 ** 64] }, 'protobuf: numbers[1] is not a 64-bit integer'],
    ['a bigint beyond 64 bits', { numbers: [2n ** 63n] }, 'protobuf: numbers[0] is not a 64-bit integer'],
    ['a bigint of 32 bits', { number: 1n }, 'protobuf: number is not a number'],
    ['infinity', { real: Number.POSITIVE_INFINITY }, 'protobuf: real is not a number'],
    ['a text for true', { flag: 'true' }, 'protobuf: flag is neither true nor false'],
    ['an object for a list', { children: {} }, 'protobuf: children is not a list'],
    ['a list for an object', { child: { child: [] } }, 'protobuf: child.child is not an object'],
    ['a text for an object', { children: ['a'] }, 'protobuf: children[0] is not an object'],
    ['a date for a map', { map: new Date(0) }, 'protobuf: map is not an object'],
    ['a list for a map', { map: [] }, 'protobuf: map is not an object'],
    ['a number in a map', { map: { a: 7 } }, 'protobuf: map[a] is not a string'],
    [
      'an object that is something else in JSON',
      { child: new Moment() },
      'protobuf: child is not a plain object',
    ],
    ['a date', { child: new Date(0) }, 'protobuf: child is not a plain object'],
    ['an object in itself', cyclic, 'is nested too deep'],
    ['a text', 'a', 'protobuf: expected an object to encode'],
  ])('is refused, with the member: %s', (_, object, message) => {
    expect(() => write(object)).toThrow(TypeError);
    expect(() => write(object)).toThrow(message);
  });

  it('leaves the writer as good as new', () => {
    const writer = new Writer();
    expect(() => writer.root({ child: { child: { x: 1 } } }, writeThing)).toThrow(TypeError);
    writer.reset();
    writer.root({ number: 1 }, writeThing);
    expect([...writer.finish()]).toEqual([16, 1]);
  });
});

describe('an object', () => {
  it('may have members that are undefined, in objects of classes too', () => {
    class Thing {
      text = 'a';
      x = undefined;
    }
    expect(write(new Thing())).toEqual([10, 1, 0x61]);
    expect(write({ x: undefined, child: undefined })).toEqual([]);
    expect(write(Object.assign(Object.create(null), { number: 1 }))).toEqual([16, 1]);
  });

  it('may be frozen, and have elements that are null', () => {
    expect(write(Object.freeze({ children: Object.freeze([null, {}]), numbers: [null] }))).toEqual([
      26, 0, 26, 0, 48, 0,
    ]);
  });
});
