/**
 * JSON pointers, and changes at their targets. The functions modify their argument, which is a copy, and
 * throw a RangeError that names the missing part.
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */

import { digitsOf } from '../codec/integers/digits.ts';
import { copyDigits, setDigits, spliceList } from '../codec/integers/records.ts';
import { isFields } from '../common/fields.ts';
import { type JsonObject, setField } from './json.ts';

/** Returns the keys of a pointer: `/a~1b/0` is `['a/b', '0']`. */
export function parsePointer(pointer: unknown): readonly string[] {
  if (typeof pointer !== 'string') throw new RangeError('the pointer is missing');
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw new RangeError(`not a JSON pointer: ${JSON.stringify(pointer)}`);
  }
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Escapes a key for a pointer. */
export function escapeToken(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A value, with its digits if it is an integer beyond 2^53. */
export interface Child {
  readonly value: unknown;
}

/** Returns the value at a path. */
export function childOf(value: unknown, path: readonly string[]): Child {
  let child: Child = { value };
  for (const key of path) {
    const parent = child.value;
    const known = Array.isArray(parent) || (isFields(parent) && Object.hasOwn(parent, key));
    if (!known) throw new RangeError(`${JSON.stringify(key)} not found`);
    if (Array.isArray(parent)) existingIndex(parent, key);
    child = { value: Reflect.get(parent, key) };
    copyDigits(parent, key, child, 'value');
  }
  return child;
}

function existingIndex(list: readonly unknown[], key: string): number {
  return index(key, list.length - 1);
}

function index(key: string, last: number): number {
  if (!/^(0|[1-9][0-9]*)$/.test(key)) throw new RangeError(`not a list index: ${JSON.stringify(key)}`);
  const place = Number(key);
  if (place > last) throw new RangeError(`list index ${key} is out of range`);
  return place;
}

/** Adds or replaces a member, or inserts an item into a list, at the end for `-`. */
export function added(value: unknown, path: readonly string[], item: Child): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) return item.value;
  const parent = childOf(value, parents).value;
  if (Array.isArray(parent)) {
    const place = key === '-' ? parent.length : index(key, parent.length);
    spliceList(parent, place, 0, { value: item.value, digits: digitsOf(item, 'value') });
  } else if (isFields(parent)) setMember(parent, key, item);
  else refuse(key);
  return value;
}

function refuse(key: string): never {
  throw new RangeError(`the parent of ${JSON.stringify(key)} is neither an object nor a list`);
}

function split(
  path: readonly string[],
): { readonly parents: readonly string[]; readonly key: string } | undefined {
  const key = path.at(-1);
  return key === undefined ? undefined : { parents: path.slice(0, -1), key };
}

function setMember(parent: JsonObject, key: string, item: Child): void {
  setField(parent, key, item.value);
  copyDigits(item, 'value', parent, key);
}

/** Removes the value at a path. */
export function removed(value: unknown, path: readonly string[]): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) throw new RangeError('the whole value cannot be removed');
  childOf(value, path);
  const parent = childOf(value, parents).value;
  if (Array.isArray(parent)) spliceList(parent, existingIndex(parent, key), 1);
  else if (isFields(parent)) {
    delete parent[key];
    setDigits(parent, key, undefined);
  }
  return value;
}

/** Replaces the value at a path. */
export function replaced(value: unknown, path: readonly string[], item: Child): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) return item.value;
  childOf(value, path);
  const parent = childOf(value, parents).value;
  if (Array.isArray(parent))
    spliceList(parent, existingIndex(parent, key), 1, { value: item.value, digits: digitsOf(item, 'value') });
  else if (isFields(parent)) setMember(parent, key, item);
  return value;
}
