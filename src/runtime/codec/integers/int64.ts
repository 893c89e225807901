/** 64-bit integers, of which a `number` can represent only those up to 2^53. */
import { digitsOf } from './digits.ts';
import { setDigits } from './records.ts';

/** Path of a member: `['spec', 'limits', 0, 'nanos']`. */
export type FieldPath = readonly (string | number)[];

const format = (path: FieldPath): string => path.join('.');

/**
 * Returns an integer of an object exactly as the server sent it: `int64(object, ['spec', 'nanos'])`. Returns
 * `undefined` if the member, or a part of its path, is missing or `null`.
 *
 * Members are `number`s: the nearest one for integers beyond `Number.MAX_SAFE_INTEGER` (2^53 - 1). The object
 * or list that directly contains such an integer also keeps its digits, until the number is changed;
 * requests, patches and `dumpYaml` write these digits. An object that was read is therefore written back
 * unchanged.
 *
 * The digits are stored in the object itself and copied by spreads (`{ ...object.spec }`), rest properties
 * and `Object.assign`. They are lost, and the nearest number is written:
 *
 * - in copies by `structuredClone`, by `JSON.stringify` and `JSON.parse`, by `Object.entries`, or member by
 *   member;
 * - in copies of the very list that contains the integer (`[...list]`, `map`, `filter`);
 * - in the first of two objects that are spread into one, if both have such integers;
 * - if a number is assigned to another key or object;
 * - if an item that is not an object changes its index in a list.
 *
 * In these cases, read the integer with `int64` and set it with `setInt64` in the copy.
 * @throws {TypeError} the member is not an integer; an empty path
 */
export function int64(object: object, path: FieldPath): bigint | undefined {
  const key = lastOf(path);
  const holder = holderOf(object, path);
  const value: unknown = holder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
  if (holder === undefined || value === undefined || value === null) return undefined;
  if (typeof value === 'bigint') return value;
  const digits = digitsOf(holder, key);
  if (digits !== undefined) return BigInt(digits);
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new TypeError(`${format(path)} is not an integer`);
}

function lastOf(path: FieldPath): string {
  const key = path.at(-1);
  if (key === undefined) throw new TypeError('the path to an integer is empty');
  return String(key);
}

/** Returns the object or list that contains the last member of the path. */
function holderOf(object: object, path: FieldPath): object | undefined {
  let holder: unknown = object;
  for (const step of path.slice(0, -1)) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, step)) return undefined;
    holder = Reflect.get(holder, step);
  }
  return typeof holder === 'object' && holder !== null ? holder : undefined;
}

/**
 * Sets an integer of an object exactly: `setInt64(object, ['spec', 'nanos'], 1732272000123456789n)`. The
 * member becomes the nearest `number`; requests write the digits of `value`, see `int64`. A `bigint` that is
 * assigned to a member is also written as its digits, if the type of the member allows it.
 * @throws {RangeError} `value` does not fit into a signed 64-bit integer
 * @throws {TypeError} a part of the path does not exist, or its object is frozen; an empty path
 */
export function setInt64(object: object, path: FieldPath, value: bigint): void {
  const key = lastOf(path);
  const holder = holderOf(object, path);
  if (holder === undefined)
    throw new TypeError(`${format(path.slice(0, -1))} is neither an object nor a list`);
  if (Object.isFrozen(holder)) throw new TypeError(`${format(path)} cannot be set: the object is frozen`);
  if (BigInt.asIntN(64, value) !== value) {
    throw new RangeError(`${format(path)}: ${value} does not fit into 64 bits`);
  }
  const nearest = Number(value);
  Object.defineProperty(holder, key, {
    value: nearest,
    configurable: true,
    enumerable: true,
    writable: true,
  });
  setDigits(holder, key, Number.isSafeInteger(nearest) ? undefined : `${value}`);
}
