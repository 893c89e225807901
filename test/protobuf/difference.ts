/** Strict comparison of JSON values, except for the order of members. */
import { digitsKey, digitsOf } from '../../src/runtime/codec/integers/digits.ts';
import { lazyKey } from '../../src/runtime/codec/lazy/lazy-member.ts';

/** A place where two values differ. */
export interface Difference {
  /** Path such as `spec.containers[0]["a b"]`; empty for the values themselves. */
  readonly path: string;
  readonly got: unknown;
  readonly want: unknown;
}

/**
 * Returns the first difference between a value and the result of JSON.parse, `undefined` if there is none.
 * Members must be own and enumerable, none may be undefined or a symbol, objects are plain, arrays have no
 * holes, and -0 differs from 0.
 */
export function difference(got: unknown, want: unknown, path = ''): Difference | undefined {
  if (Array.isArray(want)) return differentItem(got, want, path);
  if (typeof want === 'object' && want !== null) return differentMember(got, want, path);
  return Object.is(got, want) ? undefined : { path, got, want };
}

/**
 * Returns the keys of an object, without that of the digits of its integers, which are compared separately,
 * and that of the bytes of a member, which is compared by its value.
 */
function ownKeys(object: object): readonly PropertyKey[] {
  return Reflect.ownKeys(object).filter((key) => key !== digitsKey && key !== lazyKey);
}

/** Returns the first integer whose digits differ. */
function differentDigits(got: object, want: object, path: string): Difference | undefined {
  for (const key of Object.keys(want)) {
    const [ours, theirs] = [digitsOf(got, key), digitsOf(want, key)];
    if (ours !== theirs) return { path: `${path}[${JSON.stringify(key)}]`, got: ours, want: theirs };
  }
  return undefined;
}

function differentItem(got: unknown, want: readonly unknown[], path: string): Difference | undefined {
  const ordinary = Array.isArray(got) && Object.getPrototypeOf(got) === Array.prototype;
  if (!ordinary || got.length !== want.length || ownKeys(got).length !== got.length + 1)
    return { path, got, want };
  for (const [index, item] of want.entries()) {
    const found = difference(got[index], item, `${path}[${index}]`);
    if (found !== undefined) return found;
  }
  return differentDigits(got, want, path);
}

function differentMember(got: unknown, want: object, path: string): Difference | undefined {
  if (typeof got !== 'object' || got === null || Object.getPrototypeOf(got) !== Object.prototype)
    return { path, got, want };
  const keys = Object.keys(want);
  const there = ownKeys(got);
  if (there.length !== keys.length || Object.keys(got).length !== keys.length) return { path, got, want };
  for (const key of keys) {
    const place = /^[A-Za-z$][\w$]*$/.test(key)
      ? `${path === '' ? '' : '.'}${key}`
      : `[${JSON.stringify(key)}]`;
    if (!Object.hasOwn(got, key)) return { path: path + place, got: 'nothing', want: member(want, key) };
    const found = difference(member(got, key), member(want, key), path + place);
    if (found !== undefined) return found;
  }
  return differentDigits(got, want, path);
}

/** Returns an own member; `__proto__` is an ordinary key. */
function member(object: object, key: string): unknown {
  const { get, value } = Object.getOwnPropertyDescriptor(object, key) ?? {};
  return get === undefined ? value : get.call(object);
}
