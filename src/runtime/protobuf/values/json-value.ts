/** Checks of JSON values before they are written. */
import { isFields } from '../../common/fields.ts';
import type { TypeNames } from '../errors/decode-context.ts';
import type { Message } from '../types.ts';

/** Returns the number of members of the object that was counted last, `undefined` ones included. */
export function membersOf(object: object): number {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}

/** Returns whether the JSON of an object consists of its own members. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

/** Returns whether the JSON of a value is an object with the value's own members. */
export function isMap(value: unknown): value is Message {
  return isFields(value) && (isPlain(value) || !('toJSON' in value));
}

const surrogate = /[\ud800-\udfff]/;

/** Sorts by bytes, which differs from JavaScript's order for surrogates. */
export function sortedKeys(map: object): string[] {
  const keys = Object.keys(map);
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] ?? '') > (keys[index] ?? '')) {
      keys.sort();
      break;
    }
  }
  if (!keys.some((key) => surrogate.test(key))) return keys;
  return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/**
 * Returns the number of apiVersion and kind members of an object.
 * @throws {TypeError} their values differ
 */
export function countTypeNames(object: Message, { apiVersion, kind }: TypeNames): number {
  return countTypeName(object, 'apiVersion', apiVersion) + countTypeName(object, 'kind', kind);
}

function countTypeName(object: Message, name: keyof TypeNames, want: string): number {
  const value = object[name];
  if (value === undefined) return 0;
  if (value !== want)
    throw new TypeError(`protobuf: ${name}: ${JSON.stringify(value)} where ${want} is written`);
  return 1;
}

/** Returns whether a value is null or undefined. */
export function isNullish(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Returns the number of members that a value counts for: 0 or 1. */
export function countOf(value: unknown): number {
  return value === undefined ? 0 : 1;
}

const emptyMessage: Message = Object.freeze({});

/** Returns the first name that is neither read by `write` nor in `others`. */
export function findUnusedName(
  names: readonly string[],
  others: readonly string[],
  write: (object: Message) => unknown,
): string | undefined {
  const taken = new Set<string | symbol>(others);
  write(new Proxy(emptyMessage, { get: (_, name) => void taken.add(name) }));
  return names.find((name) => !taken.has(name));
}
