import type { JsonPatchOperation } from '../api/types.ts';
import { copyDigits } from '../codec/integers/records.ts';
import { isFields } from '../common/fields.ts';
import { fieldsOf, isEqualMember, type JsonObject } from './json.ts';
import { escapeToken } from './pointer.ts';

/**
 * Returns the operations that convert `before` to `after`; an empty list if they are equal. Objects are
 * compared by member, lists by item between their common start and end. The patch is not minimal, but
 * computed in linear time. Values are shared with `after`.
 * @example
 * ```ts
 * import { createJsonPatch } from '@kgen/runtime/patch';
 *
 * const before = { replicas: 2, labels: {} };
 * console.log(createJsonPatch(before, { ...before, replicas: 3 }));
 * // [ { op: 'replace', path: '/replicas', value: 3 } ]
 * ```
 */
export function createJsonPatch(before: unknown, after: unknown): JsonPatchOperation[] {
  return difference({ value: before }, { value: after }, 'value', '');
}

/** Of two members of the same name. */
function difference(before: object, after: object, key: string, path: string): JsonPatchOperation[] {
  const [old, desired]: [unknown, unknown] = [Reflect.get(before, key), Reflect.get(after, key)];
  if (isFields(old) && isFields(desired)) return fieldDifference(old, desired, path);
  if (Array.isArray(old) && Array.isArray(desired)) return listDifference(old, desired, path);
  return isEqualMember(before, key, after) ? [] : [setting('replace', path, after, key)];
}

/** The operation that makes a member what it is in `after`. */
function setting(op: 'add' | 'replace', path: string, after: object, key: string): JsonPatchOperation {
  const value: unknown = Reflect.get(after, key);
  const operation = { op, path, value };
  copyDigits(after, key, operation, 'value');
  return operation;
}

function fieldDifference(before: JsonObject, after: JsonObject, path: string): JsonPatchOperation[] {
  const pathOf = (key: string): string => `${path}/${escapeToken(key)}`;
  const [old, desired] = [fieldsOf(before), fieldsOf(after)];
  const operations: JsonPatchOperation[] = [];
  for (const key of old.keys()) {
    if (!desired.has(key)) operations.push({ op: 'remove', path: pathOf(key) });
  }
  for (const key of desired.keys()) {
    if (!old.has(key)) operations.push(setting('add', pathOf(key), after, key));
    else for (const operation of difference(before, after, key, pathOf(key))) operations.push(operation);
  }
  return operations;
}

function listDifference(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): JsonPatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  const longer = after.length - before.length;
  const equal = (place: number, shift: number): boolean =>
    isEqualMember(before, String(place), after, String(place + shift));
  let head = 0;
  while (head < shorter && equal(head, 0)) head += 1;
  let tail = 0;
  while (tail < shorter - head && equal(before.length - 1 - tail, longer)) tail += 1;
  const operations: JsonPatchOperation[] = [];
  for (let place = head; place < shorter - tail; place += 1) {
    for (const operation of difference(before, after, String(place), `${path}/${place}`))
      operations.push(operation);
  }
  // From the end, so that the indices of remaining items stay valid.
  for (let place = before.length - tail - 1; place >= shorter - tail; place -= 1) {
    operations.push({ op: 'remove', path: `${path}/${place}` });
  }
  for (let place = shorter - tail; place < after.length - tail; place += 1) {
    operations.push(setting('add', `${path}/${place}`, after, String(place)));
  }
  return operations;
}
