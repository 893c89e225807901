import { digitsOf } from './digits.ts';

/** Matches all JSON with an integer beyond 2^53, and few other documents. */
const long = /[:,[]-?\d{16}/;
/**
 * Placeholder for digits in the JSON. Equal strings and keys are distinguished by their order and position.
 */
const mark = '\u0001int64';
const marks = /(?<=^|[:,[])"\\u0001int64"(?!:)/g;

/**
 * Like `JSON.stringify`, but integers that were read are written with their original digits as long as the
 * number is unchanged, and a `bigint` is written as its digits.
 * @throws {RangeError} a `bigint` of more than 64 bits; the message has its path
 * @throws {TypeError} as `JSON.stringify`
 */
export function jsonOf(value: object): string;
/** Returns `undefined` for values that JSON cannot represent. */
export function jsonOf(value: unknown): string | undefined;
export function jsonOf(value: unknown): string | undefined {
  try {
    const json: string | undefined = JSON.stringify(value);
    // Programs may have defined a serialisation of bigints for other purposes, such as logs.
    if (json === undefined || (!long.test(json) && !('toJSON' in BigInt.prototype))) return json;
  } catch {
    // The value may contain a bigint. Any other error occurs again.
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
      // A program may have defined `toJSON` for bigints, and a `toJSON` may return a bigint.
      const integer = typeof own === 'bigint' ? own : member;
      const digits = typeof integer === 'bigint' ? checked(integer, path) : digitsOf(this, key);
      if (digits === undefined && member !== mark) return member;
      found.push(digits ?? JSON.stringify(mark));
      return mark;
    },
  );
  found.reverse();
  return json?.replace(marks, () => found.pop() ?? '');
}

function checked(integer: bigint, path: string): string {
  if (BigInt.asIntN(64, integer) !== integer && BigInt.asUintN(64, integer) !== integer)
    throw new RangeError(`${path}: ${integer} does not fit into 64 bits`);
  return `${integer}`;
}
