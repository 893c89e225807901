/** Invalid bytes: each error contains the cause, the path in the object, and the offset in the bytes. */
import { isDecodeError } from '@kgen/runtime';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decode } from './codec.ts';
import { goldens, pod } from './seeds.ts';
import { block, count, envelope, joined, magic, opened, tag, varint } from './wire.ts';

interface Refusal {
  readonly message: string;
  readonly kind: string;
  readonly path: string;
  readonly offset: number;
}

/** Returns the DecodeError for the bytes; `undefined` if they can be decoded. */
async function refusal(bytes: Uint8Array): Promise<Refusal | undefined> {
  try {
    await decode(bytes);
    return undefined;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    expect(error).toMatchObject({
      kind: expect.any(String),
      path: expect.any(String),
      offset: expect.any(Number),
    });
    // seam: the error was just checked
    return error as unknown as Refusal;
  }
}

const small = envelope('v1', 'ConfigMap', block(1, block(1, 'a')), block(2, block(1, 'k'), block(2, 'v')));

/** Returns a pod whose container includes these bytes. */
function container(...parts: readonly (string | Uint8Array)[]): Buffer {
  return envelope('v1', 'Pod', block(1, block(1, 'a')), block(2, block(2, ...parts)));
}

/** Returns a message of nested schemas, in a CustomResourceDefinition's first version. */
function nestedSchema(depth: number): Buffer {
  let schema: Buffer = Buffer.alloc(0);
  for (let left = depth; left > 0; left -= 1) schema = block(28, schema);
  const version = block(7, block(1, 'v1'), block(4, block(1, schema)));
  return envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', block(2, version));
}

function groups(depth: number, closed: boolean): Buffer {
  const ends = closed ? Array.from({ length: depth }, () => tag(99, 4)) : [];
  return joined([...Array.from({ length: depth }, () => tag(99, 3)), ...ends]);
}

interface Case {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind: string;
  readonly path: string;
  /** Offset of the invalid byte, or the range of bytes that may be considered invalid. */
  readonly offset: number | readonly [number, number];
  readonly message: RegExp;
}

const cases: readonly Case[] = [
  { name: 'nothing', bytes: Buffer.alloc(0), kind: '', path: '', offset: 0, message: /./ },
  { name: 'three bytes', bytes: magic.subarray(0, 3), kind: '', path: '', offset: [0, 3], message: /./ },
  { name: 'JSON', bytes: Buffer.from('{"kind":"Pod"}'), kind: '', path: '', offset: 0, message: /are JSON/ },
  {
    name: 'a message without its envelope',
    bytes: opened(small).message,
    kind: '',
    path: '',
    offset: 0,
    message: /k8s/,
  },
  { name: 'an envelope of nothing', bytes: magic, kind: '', path: '', offset: [0, 4], message: /envelope/ },
  {
    name: 'no kind',
    bytes: joined([magic, block(1, block(1, 'v1')), block(2)]),
    kind: '',
    path: '',
    offset: [0, 10],
    message: /kind/,
  },
  {
    name: 'no apiVersion',
    bytes: joined([magic, block(1, block(2, 'Pod')), block(2)]),
    kind: 'Pod',
    path: '',
    offset: [0, 10],
    message: /apiVersion/,
  },
  {
    name: 'an unknown kind',
    bytes: envelope('v1', 'Pot'),
    kind: 'Pot',
    path: '',
    offset: [0, 99],
    message: /Pot/,
  },
  {
    name: 'an unknown group',
    bytes: envelope('a.example.com/v1', 'Pod'),
    kind: 'Pod',
    path: '',
    offset: [0, 99],
    message: /a\.example\.com\/v1/,
  },
  {
    name: 'a kind of an object’s own machinery',
    bytes: envelope('v1', '__proto__'),
    kind: '__proto__',
    path: '',
    offset: [0, 99],
    message: /__proto__/,
  },
  {
    name: 'an apiVersion of an object’s own machinery',
    bytes: envelope('constructor', 'Pod'),
    kind: 'Pod',
    path: '',
    offset: [0, 99],
    message: /constructor/,
  },
  inContainer('a length past the end', joined([tag(2, 2), varint(50), 'abc']), 'image'),
  inContainer('a length of 2 GB', joined([tag(2, 2), varint(2 ** 31 - 1), 'abc']), 'image'),
  inContainer('a length of 4 GB', joined([tag(2, 2), varint(2 ** 32 - 1), 'abc']), 'image'),
  inContainer('a length of 2^63', joined([tag(2, 2), varint(2n ** 63n), 'abc']), 'image'),
  inContainer('a length of -1', joined([tag(2, 2), varint(-1), 'abc']), 'image'),
  inContainer('a message of 2 GB', joined([tag(8, 2), varint(2 ** 31 - 1), 'abc']), 'resources'),
  inContainer('a list of 2 GB', joined([tag(3, 2), varint(2 ** 31 - 1), 'abc']), 'command[0]'),
  inContainer(
    'a varint of eleven bytes',
    joined([tag(16, 0), Buffer.alloc(10, 0xff), Buffer.of(1)]),
    'stdin',
  ),
  inContainer(
    'a length of eleven bytes',
    joined([tag(2, 2), Buffer.alloc(10, 0x80), Buffer.of(1), 'a']),
    'image',
  ),
  inContainer('a tag of eleven bytes', joined([Buffer.alloc(10, 0x80), Buffer.of(1)]), ''),
  inContainer('a number where text should be', count(2, 7), 'image'),
  inContainer('text where a number should be', block(16, 'x'), 'stdin'),
  inContainer('four bytes where text should be', joined([tag(2, 5), 'abcd']), 'image'),
  inContainer('eight bytes where a message should be', joined([tag(8, 1), 'abcdefgh']), 'resources'),
  inContainer('a group where text should be', joined([tag(2, 3), tag(2, 4)]), 'image'),
  inContainer('a group where a message should be', joined([tag(8, 3), tag(8, 4)]), 'resources'),
  inContainer('the end of a group', tag(2, 4), 'image'),
  inContainer('the end of an unknown group', tag(99, 4), ''),
  inContainer('an unknown group that nothing ends', joined([tag(99, 3), count(1, 1)]), ''),
  inContainer('wire type 6', Buffer.of(0x16), 'image'),
  inContainer('wire type 7 of an unknown field', Buffer.of(0x9f, 0x06), ''),
  inContainer('field number 0', joined([Buffer.of(0x02), varint(0)]), ''),
  inContainer('invalid UTF-8', block(2, Buffer.of(0xc3, 0x28)), 'image'),
  inContainer('half of a letter', block(2, 'caf', Buffer.of(0xc3)), 'image'),
  inContainer('a surrogate in UTF-8', block(2, Buffer.of(0xed, 0xa0, 0x80)), 'image'),
  inContainer('an overlong letter', block(2, Buffer.of(0xc0, 0x80)), 'image'),
  inContainer('a letter past the last one', block(2, Buffer.of(0xf4, 0x90, 0x80, 0x80)), 'image'),
  inContainer('long invalid UTF-8', block(2, 'x'.repeat(500), Buffer.of(0xff)), 'image'),
  inContainer('invalid UTF-8 in a list', joined([block(3, 'a'), block(3, Buffer.of(0xff))]), 'command[1]'),
  inContainer('10,000 unknown groups', groups(10_000, true), ''),
  inContainer('10,000 unknown groups that nothing ends', groups(10_000, false), ''),
];

/** Returns a case within `spec.containers[0]` of a pod. */
function inContainer(name: string, bytes: Buffer, field: string): Case {
  const whole = container(bytes);
  const start = whole.indexOf(bytes);
  return {
    name,
    bytes: whole,
    kind: 'Pod',
    path: field === '' ? 'spec.containers[0]' : `spec.containers[0].${field}`,
    offset: [start, start + bytes.length],
    message: /./,
  };
}

describe('bytes that are not an object', () => {
  it.each(cases)('$name', async ({ bytes, kind, path, offset, message }) => {
    const error = await refusal(bytes);
    const [first, last] = typeof offset === 'number' ? [offset, offset] : offset;
    expect(error).toMatchObject({ kind, path });
    expect(error?.offset).toBeGreaterThanOrEqual(first);
    expect(error?.offset).toBeLessThanOrEqual(last);
    expect(error?.message).toMatch(message);
    if (kind !== '') expect(error?.message).toContain(kind);
    if (path !== '') expect(error?.message).toContain(path);
  });

  it('decodes 10,000 nested schemas', async () => {
    expect(await refusal(nestedSchema(50))).toBeUndefined();
    const error = await refusal(nestedSchema(10_000));
    expect(error).toMatchObject({ kind: 'CustomResourceDefinition' });
    expect(error?.path).toMatch(/^spec\.versions\[0\]\.schema\.openAPIV3Schema\.not\.not\./);
  });
});

describe('truncated bytes', () => {
  const whole: readonly { readonly name: string; readonly bytes: Buffer }[] = [
    { name: 'a pod', bytes: pod },
    ...shortGoldens(),
  ];

  it.each(whole)('$name', async ({ bytes }) => {
    const objects: number[] = [];
    for (let length = 0; length < bytes.length; length += 1) {
      const error = await refusal(bytes.subarray(0, length));
      if (error === undefined) objects.push(bytes.length - length);
      else expect(error.offset).toBeLessThanOrEqual(length);
    }
    // The two empty strings of two bytes each after the object are optional.
    expect(objects).toEqual([4, 2]);
  });
});

/** Returns a few small files, so that they can be truncated after each of their bytes. */
function shortGoldens(): readonly { readonly name: string; readonly bytes: Buffer }[] {
  return goldens()
    .filter(({ name, bytes }) => !name.includes('WatchEvent') && bytes.length < 1200)
    .slice(0, 30);
}

describe('lengths beyond the input', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('allocate no memory', async () => {
    const requested: number[] = [];
    const spy = (name: 'alloc' | 'allocUnsafe' | 'allocUnsafeSlow'): void => {
      const made = Buffer[name].bind(Buffer);
      vi.spyOn(Buffer, name).mockImplementation((size: number) => {
        requested.push(size);
        return made(size);
      });
    };
    for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow'] as const) spy(name);
    const before = process.memoryUsage();
    for (const length of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2n ** 62n]) {
      const bytes = container(joined([tag(2, 2), varint(length), 'abc']));
      expect(await refusal(bytes)).toBeDefined();
      expect(await refusal(joined([magic, tag(2, 2), varint(length), 'abc']))).toBeDefined();
    }
    const after = process.memoryUsage();
    expect(Math.max(0, ...requested)).toBeLessThan(100_000);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(50e6);
  });
});
