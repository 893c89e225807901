/** Values of JSON, looked at before they are written. */
import type { TypeNames } from './subject.ts';
import type { Message } from './types.ts';

/** What was found when an object was counted: how many members it has, `undefined` ones among them. */
export function membersOf(object: object): number {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether JSON of an object is that of its own members. */
export function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

/** Whether JSON of a value is an object with the value's own members. */
export function isMap(value: unknown): value is Message {
  return isObject(value) && (isPlain(value) || !('toJSON' in value));
}

const surrogate = /[\ud800-\udfff]/;

/** In the order of their bytes, which is not that of JavaScript where there are surrogates. */
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

function takeName(object: Message, name: keyof TypeNames, want: string): number {
  const value = object[name];
  if (value === undefined) return 0;
  if (value !== want)
    throw new TypeError(`protobuf: ${name}: ${JSON.stringify(value)} where ${want} is written`);
  return 1;
}

/**
 * How many of the names an object has.
 * @throws {TypeError} it has others than these
 */
export function takeNames(object: Message, { apiVersion, kind }: TypeNames): number {
  return takeName(object, 'apiVersion', apiVersion) + takeName(object, 'kind', kind);
}

/** Nothing is zero, or not there. */
export function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** How many members of an object a value is. */
export function countOf(value: unknown): number {
  return value === undefined ? 0 : 1;
}

const nothing: Message = Object.freeze({});

/** The first of the names that is none of those which `write` asks an object for, and none of `others`. */
export function notTaken(
  names: readonly string[],
  others: readonly string[],
  write: (object: Message) => unknown,
): string | undefined {
  const taken = new Set<string | symbol>(others);
  write(new Proxy(nothing, { get: (_, name) => void taken.add(name) }));
  return names.find((name) => !taken.has(name));
}
