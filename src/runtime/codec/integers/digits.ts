/**
 * Integers that a `number` cannot represent. The object or list that holds such an integer also has its
 * digits under a symbol. The symbol is enumerable, so that a spread copies it; `JSON.stringify` and
 * `Object.keys` ignore it.
 */

/** Digits of integers, by the key of the rounded number. */
export type Digits = Readonly<Record<string, string>>;

/** Equal in every copy of this package. */
export const digitsKey: unique symbol = Symbol.for('@kgen/runtime/int64');

/** Returns the digits of an object, including those of numbers that have been replaced since. */
export function recordOf(holder: object): Digits | undefined {
  return Reflect.get(holder, digitsKey);
}

/**
 * Returns the digits of the integer under a key; `undefined` if the number itself is exact, or was replaced.
 */
export function digitsOf(holder: object, key: string): string | undefined {
  const digits = recordOf(holder)?.[key];
  return digits !== undefined && Number(digits) === Reflect.get(holder, key) ? digits : undefined;
}

/**
 * Returns whether a number needs no record of the digits that it was read from. JSON is written with the
 * shortest digits of a number, and protobuf with its exact value: beyond 2^53 these are two integers.
 */
export function isExact(value: number, digits: string): boolean {
  return String(value) === digits && BigInt(value) === BigInt(digits);
}
