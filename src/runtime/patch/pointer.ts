/**
 * JSON pointers, and changes at their targets. The functions modify their argument, which is a copy, and
 * throw a RangeError that names the missing part.
 * @see https://www.rfc-editor.org/rfc/rfc6901
 */
import { isObject, setField } from './json.ts';

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

/** Returns the target of a path. */
export function childOf(value: unknown, path: readonly string[]): unknown {
  let child = value;
  for (const key of path) {
    if (Array.isArray(child)) child = child[existingIndex(child, key)];
    else if (isObject(child) && Object.hasOwn(child, key)) child = child[key];
    else throw new RangeError(`${JSON.stringify(key)} not found`);
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

function split(
  path: readonly string[],
): { readonly parents: readonly string[]; readonly key: string } | undefined {
  const key = path.at(-1);
  return key === undefined ? undefined : { parents: path.slice(0, -1), key };
}

function refuse(key: string): never {
  throw new RangeError(`the parent of ${JSON.stringify(key)} is neither an object nor a list`);
}

/** Adds or replaces a member, or inserts an item into a list, at the end for `-`. */
export function added(value: unknown, path: readonly string[], item: unknown): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) return item;
  const parent = childOf(value, parents);
  if (Array.isArray(parent)) parent.splice(key === '-' ? parent.length : index(key, parent.length), 0, item);
  else if (isObject(parent)) setField(parent, key, item);
  else refuse(key);
  return value;
}

/** Removes the target of a path. */
export function removed(value: unknown, path: readonly string[]): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) throw new RangeError('the whole value cannot be removed');
  childOf(value, path);
  const parent = childOf(value, parents);
  if (Array.isArray(parent)) parent.splice(existingIndex(parent, key), 1);
  else if (isObject(parent)) delete parent[key];
  return value;
}

/** Replaces the target of a path. */
export function replaced(value: unknown, path: readonly string[], item: unknown): unknown {
  const { parents, key } = split(path) ?? {};
  if (parents === undefined || key === undefined) return item;
  childOf(value, path);
  const parent = childOf(value, parents);
  if (Array.isArray(parent)) parent[existingIndex(parent, key)] = item;
  else if (isObject(parent)) setField(parent, key, item);
  return value;
}
