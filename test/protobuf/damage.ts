/** Random damage to protobuf. */
import type { Random } from '../support/random.ts';
import { block, contentOf, count, tag, varint, type WireField, type WireType } from './wire.ts';

/** Bytes with a meaning at the start or the end of others. */
const pieces: readonly [Buffer, ...Buffer[]] = [
  Buffer.alloc(1),
  Buffer.from([0x7f]),
  Buffer.from([0x80]),
  Buffer.from([0xff]),
  Buffer.alloc(11, 0x80),
  Buffer.alloc(10, 0xff),
  Buffer.concat([Buffer.alloc(9, 0xff), Buffer.from([1])]),
  varint(2 ** 31),
  varint(2 ** 31 - 1),
  varint(2n ** 63n),
  Buffer.from([0x80, 0x80, 0x00]),
  tag(1, 3),
  tag(1, 4),
  tag(2, 3),
  Buffer.alloc(40, 0x0b),
  Buffer.alloc(3000, 0x0b),
  tag(0, 2),
  tag(2 ** 29 - 1, 0),
  Buffer.from([0x0e]),
  Buffer.from([0x0f]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('\u{1f600}\u2028\ufeff'),
  block(1, '__proto__'),
  block(1),
  block(2),
  count(1, -1),
];

/** Returns the bytes with one to four changes at any position. */
export function injured(bytes: Buffer, other: Buffer, random: Random): Buffer {
  let out = bytes;
  for (let left = 1 + random.int(4); left > 0; left -= 1) out = injure(out, other, random);
  return out;
}

function injure(bytes: Buffer, other: Buffer, random: Random): Buffer {
  const at = random.int(bytes.length + 1);
  const end = Math.min(bytes.length, at + random.int(12));
  const before = bytes.subarray(0, at);
  switch (random.int(10)) {
    case 0:
    case 1:
    case 2:
      return changed(bytes, at, (byte) => byte ^ (1 << random.int(8)));
    case 3:
      return changed(bytes, at, (byte) => byte + (random.chance(0.5) ? 1 : -1));
    case 4:
      return before;
    case 5:
      return Buffer.concat([before, bytes.subarray(end)]);
    case 6:
      return Buffer.concat([before, random.pick(pieces), bytes.subarray(random.chance(0.5) ? at : end)]);
    case 7:
      return Buffer.concat([before, other.subarray(random.int(other.length))]);
    case 8:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    default:
      return changed(bytes, at, () => random.int(256));
  }
}

function changed(bytes: Buffer, at: number, change: (byte: number) => number): Buffer {
  const out = Buffer.from(bytes);
  if (out.length > 0) out[at % out.length] = change(out[at % out.length] ?? 0);
  return out;
}

/** Returns the fields with one to three changes at any depth; the enclosing lengths stay valid. */
export function rearranged(
  fields: readonly WireField[],
  other: readonly WireField[],
  random: Random,
): readonly WireField[] {
  let out = fields;
  for (let left = 1 + random.int(3); left > 0; left -= 1) out = rearrange(out, other, random);
  return out;
}

/** Descends to a random depth and changes a field. */
function rearrange(
  fields: readonly WireField[],
  other: readonly WireField[],
  random: Random,
): readonly WireField[] {
  const at = random.int(fields.length);
  const field = fields[at];
  if (field === undefined) return [unknownField(random)];
  const within = other[random.int(other.length)];
  if (field.fields !== undefined && random.chance(0.75)) {
    const inner = rearrange(field.fields, within?.fields ?? other, random);
    return fields.with(at, { ...field, fields: inner, isChanged: true });
  }
  return fields.toSpliced(at, 1, ...replaced(field, within ?? field, random));
}

function replaced(field: WireField, other: WireField, random: Random): readonly WireField[] {
  switch (random.int(11)) {
    case 0:
      return [];
    case 1:
      return [field, field];
    case 2:
      return [other, field];
    case 3:
      return [{ ...other, number: field.number }];
    case 4:
      return [field, random.chance(0.8) ? unknownField(random) : oddField(random)];
    case 5:
      return [{ ...field, number: numberNear(field.number, random) }];
    case 6:
      return [plain(field, random.pick(random.chance(0.5) ? numbers : oddNumbers), 0)];
    case 7:
      return [plain(field, random.pick(texts), 2)];
    case 8:
      return [nested(field, 1 + random.int(random.chance(0.05) ? 1200 : 4))];
    case 9:
      return [plain(field, injured(field.value, other.value, random), field.type)];
    default:
      return [{ ...field, value: Buffer.alloc(0), fields: undefined }];
  }
}

function plain({ number }: WireField, value: Buffer, type: WireType): WireField {
  return { number, type, value };
}

/** Returns a message nested in itself several times. */
function nested(field: WireField, times: number): WireField {
  let inner = contentOf(field);
  for (let left = times; left > 0; left -= 1) inner = block(field.number, inner);
  return plain(field, inner, 2);
}

/** Returns a field with a number that hardly any message has, in any wire type; some contain others. */
export function unknownField(random: Random): WireField {
  const number = random.pick([100 + random.int(1000), 18_999, 2 ** 29 - 1]);
  switch (random.int(5)) {
    case 0:
      return { number, type: 0, value: random.pick(numbers) };
    case 1:
      return { number, type: 1, value: Buffer.alloc(8, random.int(256)) };
    case 2:
      return { number, type: 5, value: Buffer.alloc(4, random.int(256)) };
    case 3:
      return { number, type: 2, value: random.pick(texts) };
    default:
      return { number, type: 3, value: Buffer.concat([groups(random.int(5)), tag(number, 4)]) };
  }
}

/** Returns an unusual field, which may be invalid. */
function oddField(random: Random): WireField {
  const number = random.int(3);
  switch (random.int(3)) {
    case 0:
      return { number, type: 0, value: random.pick(oddNumbers) };
    case 1:
      return { number, type: 3, value: groups(random.int(50)) };
    default:
      return { number, type: 4, value: Buffer.alloc(0) };
  }
}

/** Returns nested groups, each with a field. */
function groups(depth: number): Buffer {
  const starts = Array.from({ length: depth }, (_, index) =>
    Buffer.concat([tag(index + 1, 3), count(1, index)]),
  );
  const ends = Array.from({ length: depth }, (_, index) => tag(depth - index, 4));
  return Buffer.concat([...starts, ...ends]);
}

function numberNear(number: number, random: Random): number {
  return random.pick([number + 1, Math.max(0, number - 1), random.int(20), 2 ** 29 - 1]);
}

const numbers: readonly [Buffer, ...Buffer[]] = [
  varint(0),
  varint(1),
  varint(299),
  varint(-1),
  varint(2n ** 63n),
  varint(2n ** 53n + 1n),
  varint(2 ** 31),
];

/** Numbers in an unusual or invalid encoding. */
const oddNumbers: readonly [Buffer, ...Buffer[]] = [
  Buffer.from([0x81, 0x80, 0x00]),
  Buffer.alloc(10, 0xff),
  Buffer.concat([Buffer.alloc(9, 0x80), Buffer.from([2])]),
  Buffer.concat([Buffer.alloc(10, 0x80), Buffer.from([1])]),
  Buffer.alloc(0),
];

const texts: readonly [Buffer, ...Buffer[]] = [
  Buffer.alloc(0),
  Buffer.from('__proto__'),
  Buffer.from('\0\ufeff\u2028"\\'),
  Buffer.from('\u{1f600}\ue000\uffff'),
  Buffer.from('null'),
  Buffer.from('{"a":[1,{}]}'),
  Buffer.from('1.50'),
  Buffer.from([0xff, 0xfe, 0xc3]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.alloc(200, 0x61),
  varint(1_234_567_890),
];
