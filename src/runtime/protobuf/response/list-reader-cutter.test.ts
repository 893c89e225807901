import { describe, expect, it } from 'vitest';
import { field, inPieces, message, varint } from '../../../../test/support/runtime/protobuf-bytes.ts';
import { Seeded } from '../../../../test/support/runtime/random.ts';
import { rounds } from '../../../../test/support/seeds.ts';
import { FieldCutter } from './list-reader-cutter.ts';

const fault = (reason: string, offset: number): Error => new Error(`${reason} at ${offset}`);

/** Returns the fields of a message that starts at byte 100 of a body, as they are found, and the rest. */
function cut(pieces: Iterable<Buffer>, length: number): { fields: string[]; last: string; rest: string } {
  const cutter = new FieldCutter(length, 100, fault);
  const fields: string[] = [];
  const chunks = [...pieces];
  for (let step = cutter.step(); ; step = cutter.step()) {
    if (step === 'ended') return { fields, last: step, rest: message(cutter.rest, ...chunks).toString() };
    if (step === 'field') {
      const { number, wireType, bytes, start, end, base } = cutter;
      fields.push(`${number}:${wireType} ${bytes.toString('hex', start, end)} @${base + start}`);
      continue;
    }
    const next = chunks.shift();
    if (next === undefined) return { fields, last: step, rest: '' };
    cutter.push(next);
  }
}

const long = 'x'.repeat(20_000);
const fields = [
  field(1, 'a'),
  field(2, ''),
  field(2, long),
  Buffer.of(24, 172, 2),
  field(300, 'b'),
  field(2, 'c'),
];
const all = message(...fields);
const whole = cut([all], all.length);

describe('the fields of a message', () => {
  it('are found where they are', () => {
    expect(whole).toEqual({
      fields: [
        '1:2 61 @102',
        '2:2  @105',
        `2:2 ${Buffer.from(long).toString('hex')} @109`,
        '3:0 ac02 @20110',
        '300:2 62 @20115',
        '2:2 63 @20118',
      ],
      last: 'ended',
      rest: '',
    });
  });

  it('of fixed size end after four or eight bytes', () => {
    const bytes = message(Buffer.of(9), Buffer.alloc(8, 1), Buffer.of(13), Buffer.alloc(4, 2), field(1, 'a'));
    const want = ['1:1 0101010101010101 @101', '1:5 02020202 @110', '1:2 61 @116'];
    expect(cut([bytes], bytes.length).fields).toEqual(want);
  });

  it('do not depend on where chunks end', () => {
    for (let seed = 1; seed <= rounds(300, 50); seed += 1) {
      const random = new Seeded(seed);
      const most = random.pick([1, 3, 10, 1000, 30_000]) ?? 1;
      const pieces = inPieces(message(all, Buffer.from('after')), () => 1 + random.below(most));
      expect(cut(pieces, all.length), `seed ${seed}`).toEqual({ ...whole, rest: 'after' });
    }
  });

  it('are missed where the bytes end before them, wherever that is', () => {
    const short = message(fields[0] ?? all, field(2, 'x'.repeat(200)), varint(24), varint(300));
    const known = cut([short], short.length).fields;
    for (let end = 0; end < short.length; end += 1) {
      const { last, fields: seen } = cut([short.subarray(0, end)], short.length);
      expect(last).toBe('incomplete');
      expect(seen).toEqual(known.slice(0, seen.length));
    }
  });

  it.each<{ name: string; given: Buffer; want: string }>([
    { name: 'number 0', given: Buffer.of(2, 0), want: 'not the tag of a field at 103' },
    { name: 'a number that is too large', given: varint(2 ** 32), want: 'not the tag of a field at 103' },
    { name: 'a group', given: Buffer.of(11), want: 'a field of wire type 3 at 103' },
    { name: 'the end of a group', given: Buffer.of(12), want: 'a field of wire type 4 at 103' },
    { name: 'no wire type', given: Buffer.of(15), want: 'a field of wire type 7 at 103' },
    { name: 'eleven bytes', given: Buffer.alloc(11, 0xff), want: 'a varint of more than ten bytes at 103' },
    {
      name: 'a length of eleven bytes',
      given: message(Buffer.of(10), Buffer.alloc(11, 0xff)),
      want: 'a varint of more than ten bytes at 103',
    },
    {
      name: 'a length behind the end',
      given: message(Buffer.of(10), varint(2 ** 31)),
      want: 'a field that ends behind the end of its message at 103',
    },
    {
      name: 'a length of all bits',
      given: message(Buffer.of(10), Buffer.alloc(9, 0xff), Buffer.of(1)),
      want: 'a field that ends behind the end of its message at 103',
    },
    {
      name: 'half a fixed number',
      given: Buffer.of(9, 1),
      want: 'a field that ends behind the end of its message at 103',
    },
    {
      name: 'half a tag',
      given: Buffer.of(0x88),
      want: 'a field that ends behind the end of its message at 103',
    },
  ])('are none with $name', ({ given, want }) => {
    const bytes = message(field(1, 'a'), given);
    expect(() => cut([bytes], bytes.length)).toThrow(want);
    expect(() =>
      cut(
        inPieces(bytes, () => 1),
        bytes.length,
      ),
    ).toThrow(want);
  });

  it('take no room by what they only claim to be', () => {
    const cutter = new FieldCutter(2 ** 40, 0, fault);
    cutter.push(message(Buffer.of(10), varint(2 ** 39), Buffer.from('x')));
    expect(cutter.step()).toBe('incomplete');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 100; count += 1) {
      cutter.push(Buffer.alloc(1024));
      expect(cutter.step()).toBe('incomplete');
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  });
});
