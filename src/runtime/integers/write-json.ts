import { digitsOf } from './digits.ts';

/** Found in all JSON that has an integer beyond 2^53, and in little else. */
const LONG = /[:,[]-?\d{16}/;
/** Stands in the JSON where digits belong. Strings and keys that are equal to it are told apart by their order and place. */
const MARK = '\u0001int64';
const MARKS = /(?<=^|[:,[])"\\u0001int64"(?!:)/g;

/**
 * Like `JSON.stringify`, but integers that were read are written with the digits that they were read with, while the
 * number is still the same; a `bigint` is written as its digits.
 * @throws {RangeError} a `bigint` of more than 64 bits; the message has its path
 * @throws {TypeError} as `JSON.stringify`
 */
export function jsonOf(value: object): string;
export function jsonOf(value: unknown): string | undefined;
export function jsonOf(value: unknown): string | undefined {
  try {
    const json: string | undefined = JSON.stringify(value);
    // Programs may have defined how a bigint is written elsewhere, such as in logs.
    if (json === undefined || (!LONG.test(json) && !('toJSON' in BigInt.prototype))) return json;
  } catch {
    // There may be a bigint. Any other error occurs again.
  }
  return exactJson(value);
}

function exactJson(value: unknown): string | undefined {
  const found: string[] = [];
  const paths = new Map<unknown, string>();
  const json: string | undefined = JSON.stringify(
    value,
    function (this: object, key: string, member: unknown) {
      const parent = paths.get(this);
      const path = parent ? `${parent}.${key}` : key;
      paths.set(member, path);
      const own: unknown = Reflect.get(this, key);
      // A program may have defined `toJSON` for bigints; one may also be the result of a `toJSON`.
      const integer = typeof own === 'bigint' ? own : member;
      const digits = typeof integer === 'bigint' ? checked(integer, path) : digitsOf(this, key);
      if (digits === undefined && member !== MARK) return member;
      found.push(digits ?? JSON.stringify(MARK));
      return MARK;
    },
  );
  found.reverse();
  return json?.replace(MARKS, () => found.pop() ?? '');
}

function checked(integer: bigint, path: string): string {
  if (BigInt.asIntN(64, integer) !== integer && BigInt.asUintN(64, integer) !== integer)
    throw new RangeError(`${path}: ${integer} does not fit into 64 bits`);
  return `${integer}`;
}
