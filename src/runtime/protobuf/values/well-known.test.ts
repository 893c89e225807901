import { describe, expect, it } from 'vitest';
import { rounds } from '../../../../test/support/seeds.ts';
import { ProtobufError } from '../errors/decode-error.ts';
import type { Message } from '../types.ts';
import { Reader } from '../wire/reader.ts';
import { Writer, type WriteValue } from '../wire/writer.ts';
import { readJSON, writeJSON } from './raw-json.ts';
import {
  readDuration,
  readIntOrString,
  readMicroTime,
  readQuantity,
  readTime,
  writeBytes,
  writeDuration,
  writeIntOrString,
  writeMicroTime,
  writeQuantity,
  writeTime,
} from './well-known.ts';

type Read = (r: Reader, end: number) => unknown;

function read(reads: Read, bytes: Iterable<number>): unknown {
  const all = Uint8Array.from(bytes);
  const outer = (r: Reader, end: number) => ({ value: reads(r, end) });
  return new Reader({ unknown: 'keep' }).read(outer, all, 0, all.length, { kind: 'Thing' })['value'];
}

function write(writes: WriteValue, value: unknown): number[] {
  const writer = new Writer();
  writer.enter('1 field');
  writer.value(10, value, writes);
  const [, , ...bytes] = writer.finish();
  return bytes;
}

const seconds = (value: number | bigint): number[] => {
  const writer = new Writer();
  writer.bigint(BigInt(value));
  return [8, ...writer.finish()];
};

describe('a time', () => {
  it.each<[string | null, number[]]>([
    [null, []],
    ['1970-01-01T00:00:00Z', [8, 0, 16, 0]],
    ['1969-12-31T23:59:59Z', [...seconds(-1), 16, 0]],
    ['2026-01-31T12:00:00Z', [...seconds(1769860800), 16, 0]],
    ['2024-02-29T23:59:59Z', [...seconds(1709251199), 16, 0]],
    ['0001-01-01T00:00:01Z', [...seconds(-62135596799), 16, 0]],
    ['0000-01-01T00:00:00Z', [...seconds(-62167219200), 16, 0]],
    ['9999-12-31T23:59:59Z', [...seconds(253402300799), 16, 0]],
    ['10000-01-01T00:00:00Z', [...seconds(253402300800), 16, 0]],
  ])('has one text: %s', (text, bytes) => {
    expect(read(readTime, bytes)).toBe(text);
    expect(write(writeTime, text)).toEqual(bytes);
  });

  it('of the year 1 is none, and nanoseconds are dropped', () => {
    expect(read(readTime, [...seconds(-62135596800), 16, 0])).toBeNull();
    expect(read(readTime, [8, 1, 16, 0xff, 0xff, 3])).toBe('1970-01-01T00:00:01Z');
    expect(write(writeTime, '0001-01-01T00:00:00Z')).toEqual([]);
  });

  it.each([
    ['1970-01-01T01:00:01+01:00', 1],
    ['1969-12-31T19:00:01.999999999-05:00', 1],
    ['1970-01-01T00:00:01.5Z', 1],
  ])('may come from another zone, with fractions: %s', (text, want) => {
    expect(write(writeTime, text)).toEqual([8, want, 16, 0]);
  });

  it.each([
    '',
    'x',
    '2026-01-31',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+25:00',
    7,
    {},
  ])('is refused: %j', (text) => {
    expect(() => write(writeTime, text)).toThrow('protobuf: field is not a time');
    expect(() => write(writeMicroTime, text)).toThrow(TypeError);
  });

  it.each([2n ** 62n, -(2n ** 62n), 8640000000000n])('beyond all calendars is refused: %s', (value) => {
    expect(() => read(readTime, seconds(value))).toThrow(ProtobufError);
    expect(() => read(readMicroTime, seconds(value))).toThrow(ProtobufError);
  });

  it('is the same for every second of some days, before and after 1970', () => {
    for (const start of [-86400, 951696000, 1709164800]) {
      for (let second = start; second < start + 2 * 86400; second += 601) {
        const text = new Date(second * 1000).toISOString().replace('.000', '');
        expect(read(readTime, [...seconds(second), 16, 0])).toBe(text);
        expect(write(writeTime, text)).toEqual([...seconds(second), 16, 0]);
      }
    }
  });

  it('is the same for days of all years', () => {
    for (
      let second = -62167219200;
      second < 300_000_000_000;
      second += rounds(86400 * 97, 86400 * 577) + 3661
    ) {
      const text = new Date(second * 1000).toISOString().replace('.000', '').replace(/^\+0/, '');
      if (read(readTime, [...seconds(second), 16, 0]) !== text) expect(second).toBe(text);
      expect(write(writeTime, text)).toEqual([...seconds(second), 16, 0]);
    }
  });
});

describe('a time with microseconds', () => {
  it.each<[string | null, number[]]>([
    [null, []],
    ['1970-01-01T00:00:00.000000Z', [8, 0, 16, 0]],
    ['1970-01-01T00:00:01.000005Z', [8, 1, 16, 0x88, 0x27]],
    ['0001-01-01T00:00:00.000005Z', [...seconds(-62135596800), 16, 0x88, 0x27]],
  ])('has six digits: %s', (text, bytes) => {
    expect(read(readMicroTime, bytes)).toBe(text);
    expect(write(writeMicroTime, text)).toEqual(bytes);
  });

  it.each([
    '1970-01-01T00:00:01Z',
    '1970-01-01T00:00:01.000Z',
    '1970-01-01T00:00:01.0000059Z',
    '1970-01-01T00:00:01,000005Z',
  ])('is refused with another number of digits: %s', (text) => {
    expect(() => write(writeMicroTime, text)).toThrow('six digits');
  });

  it('of the year 1 is null', () => {
    expect(read(readMicroTime, [...seconds(-62135596800), 16, 0])).toBeNull();
    expect(write(writeMicroTime, '0001-01-01T00:00:00.000000Z')).toEqual([]);
  });

  it('has no smaller parts, and carries what is more than a second', () => {
    expect(read(readMicroTime, [8, 1, 16, 0x87, 0x2f])).toBe('1970-01-01T00:00:01.000006Z');
    expect(read(readMicroTime, [8, 1, 16, 0x80, 0xa8, 0xd6, 0xb9, 7])).toBe('1970-01-01T00:00:03.000000Z');
  });
});

describe('a duration', () => {
  it.each<[string, bigint]>([
    ['0s', 0n],
    ['1ns', 1n],
    ['1.5µs', 1_500n],
    ['999.999ms', 999_999_000n],
    ['1s', 1_000_000_000n],
    ['1m0s', 60_000_000_000n],
    ['1h2m0.5s', 3_720_500_000_000n],
    ['-1h0m0.000000001s', -3_600_000_000_001n],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
    ['-2562047h47m16.854775808s', -(2n ** 63n)],
  ])('has the text of Go: %s', (text, nanos) => {
    expect(read(readDuration, seconds(nanos))).toBe(text);
    expect(write(writeDuration, text)).toEqual(seconds(nanos));
  });

  it.each<[string, bigint]>([
    ['0', 0n],
    ['+1.5h', 5_400_000_000_000n],
    ['.5us', 500n],
    ['1s1s', 2_000_000_000n],
    ['90m', 5_400_000_000_000n],
  ])('may be written otherwise: %s', (text, nanos) => {
    expect(write(writeDuration, text)).toEqual(seconds(nanos));
  });

  it('of null or no bytes is 0', () => {
    expect(read(readDuration, [])).toBe('0s');
    expect(write(writeDuration, null)).toEqual(seconds(0));
  });

  it.each(['', 's', '1', '1 s', '1d', '1h-1m', '2562048h', '2562047h47m16.854775808s', 7])(
    'is refused: %j',
    (text) => {
      expect(() => write(writeDuration, text)).toThrow('protobuf: field is not a duration');
    },
  );
});

describe('a quantity', () => {
  const bytes = (text: string) => [10, text.length, ...Buffer.from(text)];

  it.each(['0', '1', '500m', '1Gi', '1.50', '1e3', '-1E-3', '1E', '100000000000000000000'])(
    'keeps its text: %s',
    (text) => {
      expect(read(readQuantity, bytes(text))).toBe(text);
      expect(write(writeQuantity, text)).toEqual(bytes(text));
    },
  );

  it('may be a number, and is 0 where there is none', () => {
    expect(write(writeQuantity, 1.5)).toEqual(bytes('1.5'));
    expect(write(writeQuantity, null)).toEqual(bytes('0'));
    expect(read(readQuantity, [])).toBe('0');
  });

  it.each(['', 'a', '1 Gi', '1gi', '.', 'NaN', Number.NaN, true, {}])('is refused: %j', (text) => {
    expect(() => write(writeQuantity, text)).toThrow('protobuf: field is not a quantity');
  });
});

describe('a number or a text', () => {
  it.each<[number | string, number[]]>([
    [0, [8, 0, 16, 0, 26, 0]],
    [80, [8, 0, 16, 80, 26, 0]],
    [-1, [8, 0, 16, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 26, 0]],
    ['', [8, 1, 16, 0, 26, 0]],
    ['5%', [8, 1, 16, 0, 26, 2, 0x35, 0x25]],
  ])('has the value of its type: %j', (value, bytes) => {
    expect(read(readIntOrString, bytes)).toBe(value);
    expect(write(writeIntOrString, value)).toEqual(bytes);
  });

  it('is nothing else', () => {
    expect(read(readIntOrString, [])).toBe(0);
    expect(() => write(writeIntOrString, true)).toThrow('protobuf: field.intVal is not a number');
    expect(() => write(writeIntOrString, 2 ** 31)).toThrow(TypeError);
  });
});

describe('bytes', () => {
  it.each(['YQ==', 'YWI=', 'YWJj', ''])('are base64 text: %s', (text) => {
    expect(Buffer.from(write(writeBytes, text)).toString('base64')).toBe(text);
  });

  it.each(['YQ', 'YQ=', 'Y Q=', 'YQ-_', '=', '====', 'Y===', 'YQ==YQ==', 7])('are refused: %j', (text) => {
    expect(() => write(writeBytes, text)).toThrow('protobuf: field is not a base64 string');
  });
});

describe('bytes of many megabytes', () => {
  it('are written', () => {
    const text = 'YWJj'.repeat(4 * 1024 * 1024);
    const writer = new Writer();
    writer.value(10, text, writeBytes);
    expect(writer.length).toBe(12 * 1024 * 1024 + 5);
  });
});

describe('JSON', () => {
  const bytes = (json: string) => {
    const utf8 = [...Buffer.from(json)];
    return [10, utf8.length, ...utf8];
  };

  it.each([
    '{}',
    '[]',
    '0',
    'false',
    '""',
    '{"a":"ä😀","__proto__":{"x":1}}',
    ' {"b": 1.0, "a": 1e2}\n',
    '{"a":"\\u00e4"}',
    '[12345678901234567890]',
  ])('is written as it was read, as long as its value is equal: %s', (json) => {
    const value = read(readJSON, bytes(json));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
    expect(write(writeJSON, value)).toEqual(bytes(json));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    Object.assign(value, { b: 2 });
    expect(write(writeJSON, value)).toEqual(bytes(JSON.stringify(value)));
  });

  it('may be nested deeper than it can be written', () => {
    const depth = 200_000;
    const deep = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    const reader = new Reader({ unknown: 'keep' });
    const value = (r: Reader, end: number): Message => ({ value: readJSON(r, end) });
    const whole = Buffer.concat([Buffer.from([10, 0x80, 0xb5, 0x18]), deep]);
    const object = reader.read(value, whole, 0, whole.length, { kind: 'Thing' });
    expect(object['value']).toHaveLength(1);
    expect(() => write(writeJSON, object['value'])).toThrow(
      'protobuf: field cannot be JSON: Maximum call stack',
    );
  });

  it('throws an error without its content, which may be a secret', () => {
    const refused = () => read(readJSON, bytes('{"a":"hunter2"x}'));
    expect(refused).toThrow('no JSON');
    expect(refused).not.toThrow(/hunter2/);
  });

  it.each([{ a: 2n ** 64n }, Object.assign({}, { toJSON: () => JSON.parse('x') })])(
    'names the field of what cannot be JSON: %#',
    (value) => {
      expect(() => write(writeJSON, value)).toThrow(
        'a' in value ? 'protobuf: field cannot be JSON' : SyntaxError,
      );
    },
  );

  it('is null where there is none', () => {
    expect(read(readJSON, [])).toBeNull();
    expect(read(readJSON, [10, 0])).toBeNull();
    expect(write(writeJSON, null)).toEqual([]);
  });

  it.each([
    ['{', 'no JSON'],
    ['{"a":1}x', 'no JSON'],
    ['k8s\0\n', 'protobuf within another one'],
  ])('is refused: %j', (json, reason) => {
    expect(() => read(readJSON, bytes(json))).toThrow(ProtobufError);
    expect(() => read(readJSON, bytes(json))).toThrow(reason);
    expect(() => read(readJSON, [10, 4, 0xd9, 0xd9, 0xf7, 0xa0])).toThrow('CBOR');
  });

  it.each([Number.POSITIVE_INFINITY, () => 0, Symbol('a')])(
    'cannot be made of everything: number %#',
    (value) => {
      expect(() => write(writeJSON, value)).toThrow('protobuf: field is nothing that JSON has');
    },
  );
});
