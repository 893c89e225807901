/** Members of objects of unknown type, by their paths. Paths follow own members only. */

import { spliceList } from '../codec/integers/records.ts';
import { isFields } from '../common/fields.ts';

/** Names of members and indices of list items, from the outermost to the innermost. */
type Path = readonly (string | number)[];

/**
 * Returns a member by its path: `nestedField(object, 'spec', 'template', 'metadata')`,
 * `nestedField(object, 'items', 0)`. Returns `undefined` if a part of the path is missing, or is not an
 * object or a list.
 * @example
 * ```ts
 * import { nestedField } from '@kgen/runtime/dynamic';
 *
 * const object: object = { spec: { containers: [{ image: 'nginx' }] } };
 * console.log(nestedField(object, 'spec', 'containers', 0, 'image')); // nginx
 * ```
 */
export function nestedField(object: object, ...path: readonly (string | number)[]): unknown {
  return memberAt(object, path);
}

function memberAt(object: object, path: Path): unknown {
  let value: unknown = object;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/**
 * Sets a member by its path, in the object itself: `setNestedField(object, 3, 'spec', 'replicas')`. Missing
 * parts of the path, `null` included, are created: an object before a name, a list before an index. An index
 * that equals the length of the list adds an item.
 *
 * For integers beyond 2^53, use `setInt64`.
 * @throws {TypeError} an empty path, a step `__proto__`, an index outside of its list, or a part of the path
 * that is neither an object nor a list; the object is unchanged then
 * @example
 * ```ts
 * import { setNestedField } from '@kgen/runtime/dynamic';
 *
 * const object = { apiVersion: 'my.domain/v1', kind: 'MyApp' };
 * setNestedField(object, 3, 'spec', 'replicas'); // object.spec.replicas is 3
 * ```
 */
export function setNestedField(object: object, value: unknown, ...path: readonly (string | number)[]): void {
  checkPath(path);
  let holder = object;
  let depth = 0;
  for (const step of path.slice(0, -1)) {
    checkIndex(holder, path, depth);
    const next: unknown = Object.hasOwn(holder, step) ? Reflect.get(holder, step) : undefined;
    if (next === undefined || next === null) break;
    if (typeof next !== 'object')
      throw new TypeError(`${describe(path, depth + 1)} is not an object or a list`);
    holder = next;
    depth += 1;
  }
  checkIndex(holder, path, depth);
  const set = Reflect.set(holder, String(path[depth]), created(path, depth + 1, value));
  if (!set) throw new TypeError(`${describe(path, depth + 1)} is read-only; set it in a copy of the object`);
}

/**
 * Removes a member or a list item by its path, in the object itself. Has no effect if a part of the path is
 * missing.
 * @throws {TypeError} an empty path, or a step `__proto__`
 */
export function removeNestedField(object: object, ...path: readonly (string | number)[]): void {
  checkPath(path);
  const last = String(path.at(-1));
  const holder = memberAt(object, path.slice(0, -1));
  if (Array.isArray(holder)) {
    if (isIndex(last) && Number(last) < holder.length) spliceList(holder, Number(last), 1);
  } else if (isFields(holder) && Object.hasOwn(holder, last)) Reflect.deleteProperty(holder, last);
}

function checkPath(path: Path): void {
  if (path.length === 0) throw new TypeError('the path is empty: name at least one member');
  if (path.includes('__proto__')) throw new TypeError('the path must not contain __proto__');
}

/** @throws {TypeError} the step is not an index of the list, nor that of a new item */
function checkIndex(holder: object, path: Path, depth: number): void {
  const step = String(path[depth]);
  if (!Array.isArray(holder) || (isIndex(step) && Number(step) <= holder.length)) return;
  const items = `${holder.length} ${holder.length === 1 ? 'item' : 'items'}`;
  throw new TypeError(`${describe(path, depth)} is a list of ${items}, which has no index ${step}`);
}

/** Returns the objects and lists of the rest of a path, around a value. */
function created(path: Path, depth: number, value: unknown): unknown {
  if (depth >= path.length) return value;
  const inner = created(path, depth + 1, value);
  const step = path[depth];
  if (typeof step !== 'number') return { [String(step)]: inner };
  checkIndex([], path, depth);
  return [inner];
}

function isIndex(step: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(step);
}

function describe(path: Path, length: number): string {
  return length === 0 ? 'the object' : path.slice(0, length).join('.');
}
