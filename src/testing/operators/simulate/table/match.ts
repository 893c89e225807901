/** Partial comparison of values, with the path of each difference. */
import { isArray, isObject, type Json } from '@kgen/schema/values/json';

/**
 * Expected parts of a `T`: members that are absent may have any value, `undefined` expects that there is
 * none. A list has the expected number of items; a regular expression matches a string.
 */
export type Expected<T> = unknown extends T
  ? unknown
  : T extends string
    ? T | RegExp
    : T extends readonly (infer Item)[]
      ? readonly Expected<Item>[]
      : T extends object
        ? { readonly [K in keyof T]?: Expected<T[K]> | undefined }
        : T;

/** A field that differs. */
export interface Mismatch {
  /** `spec.containers[0].image`; empty for the value itself. */
  readonly path: string;
  readonly expected: unknown;
  /** `undefined` if there is none. */
  readonly actual: Json | undefined;
}

/** Returns the fields in which a value differs from an expected part of it. */
export function mismatches(expected: unknown, actual: Json | undefined, path = ''): readonly Mismatch[] {
  if (expected instanceof RegExp) {
    const isMatch = typeof actual === 'string' && new RegExp(expected).test(actual);
    return isMatch ? [] : [{ path, expected, actual }];
  }
  if (Array.isArray(expected) && isArray(actual)) {
    const count = Math.max(expected.length, actual.length);
    return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
      index < expected.length
        ? mismatches(expected[index], actual[index], `${path}[${index}]`)
        : [{ path: `${path}[${index}]`, expected: undefined, actual: actual[index] }],
    );
  }
  if (isObject(expected) && isObject(actual)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      mismatches(value, Object.hasOwn(actual, key) ? actual[key] : undefined, joined(path, key)),
    );
  }
  return Object.is(expected, actual) ? [] : [{ path, expected, actual }];
}

/** Returns the part of a value that was expected, so that a comparison of both shows the mismatches only. */
export function comparable(expected: unknown, actual: Json | undefined): unknown {
  if (expected instanceof RegExp) return mismatches(expected, actual).length === 0 ? expected : actual;
  if (Array.isArray(expected) && isArray(actual)) {
    return actual.map((item, index) => (index < expected.length ? comparable(expected[index], item) : item));
  }
  if (!isObject(expected) || !isObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(expected)
      .filter(([key, value]) => Object.hasOwn(actual, key) || value === undefined)
      .map(([key, value]) => [key, Object.hasOwn(actual, key) ? comparable(value, actual[key]) : undefined]),
  );
}

/** Returns a mismatch as a line: `spec.replicas: expected 3, actual 1`. */
export function mismatchText({ path, expected, actual }: Mismatch): string {
  return `${path === '' ? '' : `${path}: `}expected ${valueText(expected)}, actual ${valueText(actual)}`;
}

/** Maximum length of a value in a line. */
const mostLetters = 200;

function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  const whole = value instanceof RegExp ? String(value) : JSON.stringify(value);
  return whole.length > mostLetters ? `${whole.slice(0, mostLetters)}…` : whole;
}

function joined(path: string, key: string): string {
  const member = /^[A-Za-z_$][\w$]*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
  return path === '' || member.startsWith('[') ? `${path}${member}` : `${path}.${member}`;
}
