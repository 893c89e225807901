/**
 * Integers that a `number` cannot represent. The object or list that holds one also has the digits of it, as they were
 * read, under a symbol. The symbol is enumerable, so that a spread copies it; `JSON.stringify` and `Object.keys` ignore it.
 */

/** The digits of integers, by the key under which the object holds the rounded number. */
export type Digits = Readonly<Record<string, string>>;

/** The same in every copy of this package. */
export const DIGITS: unique symbol = Symbol.for('@kgen/runtime/int64');

/** The digits that an object has, also those of numbers that have been replaced since. */
export function recordOf(holder: object): Digits | undefined {
  return Reflect.get(holder, DIGITS);
}

/** The digits of the integer under this key; `undefined` where the number itself is exact, or was replaced. */
export function digitsOf(holder: object, key: string): string | undefined {
  const digits = recordOf(holder)?.[key];
  return digits !== undefined && Number(digits) === Reflect.get(holder, key) ? digits : undefined;
}
