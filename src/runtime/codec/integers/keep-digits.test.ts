import { describe, expect, it } from 'vitest';
import { digitsKey, digitsOf } from './digits.ts';
import { parseBytes, parseText } from './keep-digits.ts';
import { jsonOf } from './write-json.ts';

/** Random JSON with integers of 1 to 19 digits at random depths, without white space. */
class Maker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  integer(): string {
    const edges = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '1732272000123456789'];
    if (this.below(4) === 0) return edges[this.below(edges.length)] ?? '0';
    const digits = Array.from({ length: this.below(19) }, () => this.below(10)).join('');
    return `${this.below(2) === 0 ? '' : '-'}${1 + this.below(8)}${digits}`;
  }

  key(index: number): string {
    const keys = ['a', '__proto__', '0', 'quote\\"', 'constructor', 'back\\\\', '\\u0061b', 'ä'];
    return `"${keys[this.below(keys.length)]}${index}"`;
  }

  value(depth: number): string {
    const kind = this.below(depth === 0 ? 4 : 7);
    const length = this.below(5);
    if (kind < 2) return this.integer();
    if (kind === 2)
      return ['"x:1234567890123456789,"', '"\\u0001int64"', '"\\\\"', '""'][this.below(4)] ?? '""';
    if (kind === 3) return ['true', 'null', '0.5', '1e21'][this.below(3)] ?? 'null';
    if (kind === 4) return `[${Array.from({ length }, () => this.value(depth - 1)).join()}]`;
    const members = Array.from({ length }, (_, index) => `${this.key(index)}:${this.value(depth - 1)}`);
    return `{${members.join()}}`;
  }
}

/** The keys as serialised by `JSON.stringify`. */
const normal = (json: string): string => json.replaceAll('\\u0061', 'a');

function copyOuter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (key !== '__proto__') copy[key] = copyOuter(member);
  }
  return copy;
}

describe('integers beyond 2^53 are written as they were read', () => {
  it.each(Array.from({ length: 300 }, (_, index) => index + 1))('seed %i', (seed) => {
    const json = normal(`{"root":${new Maker(seed).value(6)}}`);
    const bytes = Buffer.from(json);
    const value = parseBytes(bytes);
    expect(jsonOf(value)).toBe(json);
    expect(jsonOf(parseText(json))).toBe(json);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
    // Also in copies of the objects that hold them.
    expect(jsonOf(copyOuter(value))).toBe(json);
  });

  it('with any white space', () => {
    const json = '\r\n{ "a" :\t9007199254740993 , "b" : [ 1 ,\n-9007199254740993 ] }';
    expect(jsonOf(parseBytes(Buffer.from(json)))).toBe('{"a":9007199254740993,"b":[1,-9007199254740993]}');
  });

  it('at any depth', () => {
    const depth = 100_000;
    const value = parseText(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`);
    let at = value;
    for (let level = 1; level < depth; level += 1) at = Reflect.get(Object(at), 0);
    expect(digitsOf(Object(at), '0')).toBe('9007199254740993');
  });

  it('in long strings and lists', () => {
    const json = `{"a":"${'\\"'.repeat(500_000)}","b":[${Array.from({ length: 20_000 }, (_, index) => `90071992547${40_993 + 2 * index}`).join()}]}`;
    expect(jsonOf(parseText(json)) === json).toBe(true);
  });
});

it.each([
  ['another value follows', '{"a":9007199254740993,"a":1}', '{"a":1}'],
  ['another integer follows', '{"a":9007199254740993,"a":9007199254740995}', '{"a":9007199254740995}'],
  ['the same number follows', '{"a":9007199254740993,"a":9007199254740992}', '{"a":9007199254740992}'],
  [
    'the same number follows as a float',
    '{"a":9007199254740993,"a":9.007199254740992e15}',
    '{"a":9007199254740992}',
  ],
  ['an object follows', '{"a":9007199254740993,"a":{}}', '{"a":{}}'],
  ['a string follows', '{"a":9007199254740993,"a":"9007199254740993"}', '{"a":"9007199254740993"}'],
  [
    'the object is replaced',
    '{"o":{"a":9007199254740993},"o":{"a":9007199254740992}}',
    '{"o":{"a":9007199254740992}}',
  ],
  [
    'a list is replaced',
    '{"o":[9007199254740993],"o":{"0":9007199254740992}}',
    '{"o":{"0":9007199254740992}}',
  ],
  ['an object is replaced by nothing', '{"o":{"a":9007199254740993},"o":{}}', '{"o":{}}'],
])('of a key that occurs twice, the last value counts: %s', (_, json, want) => {
  expect(jsonOf(parseText(json))).toBe(want);
});

it('objects without such integers are as JSON.parse makes them', () => {
  const value = parseText('{"a":{"b":[1234567890123456,9007199254740992,1e300,"9007199254740993"]}}');
  expect(Reflect.ownKeys(Object(Reflect.get(Object(value), 'a')).b)).toEqual(['0', '1', '2', '3', 'length']);
  expect(digitsKey in Object(value)).toBe(false);
});
