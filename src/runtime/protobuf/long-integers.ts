/** Integers of 64 bits in messages. A `number` is exact only up to 2^53. */
import { digitsOf, isExact } from '../codec/integers/digits.ts';
import { emptyRecord, setRecord } from '../codec/integers/records.ts';
import { fieldName } from './errors/field-path.ts';

/** Returns 64 bits as a signed integer. */
export function int64Of(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0);
}

/** Returns an integer as a varint; a negative integer takes ten bytes. */
export function varintOf(integer: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, integer);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}

interface Found {
  readonly depth: number;
  /** The number of the field. */
  readonly field: number;
  readonly digits: string;
}

/** Integers beyond 2^53 of the messages that are being read. */
export class LongIntegers {
  readonly #found: Found[] = [];

  /** Adds an integer of the message at this depth. The tag of its field starts at `at`. */
  add(depth: number, bytes: Uint8Array, at: number, digits: string): void {
    this.#found.push({ depth, field: fieldNumberAt(bytes, at), digits });
  }

  /**
   * Adds the last integer that `other` read outside of messages, as one of a field at this depth. Returns
   * whether there is one.
   */
  adopt(other: LongIntegers, depth: number, field: number): boolean {
    const last = other.#found.filter((found) => found.depth === 0).at(-1);
    if (last !== undefined) this.#found.push({ depth, field, digits: last.digits });
    return last !== undefined;
  }

  /** Drops the integers of a message that was not read completely. */
  clear(): void {
    this.#found.length = 0;
  }

  /**
   * Stores the digits of the integers in the object of the message at this depth. Nested messages have been
   * handled before.
   */
  keep(depth: number, fields: string, message: object | undefined): void {
    const own = this.#takeFrom(depth);
    if (message === undefined) return;
    for (const field of new Set(own.map((found) => found.field))) {
      const name = memberName(fields, field);
      if (name === undefined) continue;
      const digits = own.filter((found) => found.field === field).map((found) => found.digits);
      const value: unknown = Reflect.get(message, name);
      if (Array.isArray(value)) keepItems(value, digits);
      else keepMembers(message, [...membersOf(message), [name, digits.at(-1) ?? '']]);
    }
  }

  /** Removes and returns the integers at this depth, and deeper ones without an object of their own. */
  #takeFrom(depth: number): readonly Found[] {
    let start = this.#found.length;
    while ((this.#found[start - 1]?.depth ?? -1) >= depth) start -= 1;
    return this.#found.splice(start).filter((found) => found.depth === depth);
  }
}

/** Returns the name of a member, or `undefined` for a field that the message does not have. */
function memberName(fields: string, field: number): string | undefined {
  return fieldName(fields, field)?.replace(/\*$/, '');
}

/** Returns the number of the field whose tag starts at `at`, which has been read before. */
function fieldNumberAt(bytes: Uint8Array, at: number): number {
  let tag = 0;
  for (let index = 0; ; index += 1) {
    const byte = bytes[at + index] ?? 0;
    tag += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return tag >>> 3;
  }
}

type Members = readonly (readonly [key: string, digits: string])[];

function membersOf(message: object): Members {
  return Object.keys(message).flatMap((key) => {
    const digits = digitsOf(message, key);
    return digits === undefined ? [] : [[key, digits] as const];
  });
}

/** Returns whether a value is an integer beyond 2^53. All of these are added while a message is read. */
export function isLong(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The digits belong to the items beyond 2^53, in order. */
function keepItems(list: readonly unknown[], digits: readonly string[]): void {
  const keys = [...list.keys()].filter((index) => isLong(list[index]));
  keepMembers(
    list,
    keys.map((key, index) => [String(key), digits[index] ?? '']),
  );
}

function keepMembers(holder: object, members: Members): void {
  const record = emptyRecord();
  for (const [key, digits] of members) {
    const value = Number(digits);
    if (Reflect.get(holder, key) === value && !isExact(value, digits)) record[key] = digits;
  }
  setRecord(holder, record);
}

const limit = 2 ** 63;

/** The message whose field is being written. */
export interface Place {
  readonly field: number;
  /** Names of its fields. */
  readonly fields: string;
  readonly message: object;
  /** The index of the item if the field is a list. */
  readonly index: number;
}

/** Converts a value that is not an integer up to 2^53. Returns the error for an invalid value. */
export function longInteger(value: unknown, place: Place): bigint | string {
  if (typeof value === 'bigint') return in64Bits(value);
  if (typeof value !== 'number') return 'is not a number';
  const digits = digitsAt(place);
  if (digits !== undefined) return in64Bits(BigInt(digits));
  if (!Number.isInteger(value)) return 'is not a 64-bit integer';
  // The largest integer of 64 bits is read as 2^63, and many programs use it as "unlimited".
  return value === limit ? BigInt(limit) - 1n : in64Bits(BigInt(value));
}

/** Returns the digits of a number that is being written. */
export function digitsAt({ fields, field, message, index }: Place): string | undefined {
  const name = memberName(fields, field) ?? '';
  const member: unknown = Reflect.get(message, name);
  return Array.isArray(member) ? digitsOf(member, String(index)) : digitsOf(message, name);
}

function in64Bits(integer: bigint): bigint | string {
  return BigInt.asIntN(64, integer) === integer ? integer : 'is not a 64-bit integer';
}
