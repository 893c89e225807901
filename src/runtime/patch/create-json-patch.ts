import type { JsonPatchOperation } from '../types.ts';
import { fieldsOf, isEqual, isObject } from './json.ts';
import { escapeToken } from './pointer.ts';

/**
 * Returns the operations that convert `before` to `after`; an empty list if they are equal. Objects are
 * compared by member, lists by item between their common start and end. The patch is not minimal, but
 * computed in linear time. Values are shared with `after`.
 */
export function createJsonPatch(before: unknown, after: unknown): JsonPatchOperation[] {
  return difference(before, after, '');
}

function difference(before: unknown, after: unknown, path: string): JsonPatchOperation[] {
  if (isObject(before) && isObject(after)) return fieldDifference(fieldsOf(before), fieldsOf(after), path);
  if (Array.isArray(before) && Array.isArray(after)) return listDifference(before, after, path);
  return isEqual(before, after) ? [] : [{ op: 'replace', path, value: after }];
}

type Fields = ReadonlyMap<string, unknown>;

function fieldDifference(before: Fields, after: Fields, path: string): JsonPatchOperation[] {
  const pathOf = (key: string): string => `${path}/${escapeToken(key)}`;
  const operations: JsonPatchOperation[] = [];
  for (const key of before.keys()) {
    if (!after.has(key)) operations.push({ op: 'remove', path: pathOf(key) });
  }
  for (const [key, value] of after) {
    if (!before.has(key)) operations.push({ op: 'add', path: pathOf(key), value });
    else for (const operation of difference(before.get(key), value, pathOf(key))) operations.push(operation);
  }
  return operations;
}

function listDifference(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
): JsonPatchOperation[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && isEqual(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shorter - head && isEqual(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const operations: JsonPatchOperation[] = [];
  for (let place = head; place < shorter - tail; place += 1) {
    for (const operation of difference(before[place], after[place], `${path}/${place}`))
      operations.push(operation);
  }
  // From the end, so that the indices of remaining items stay valid.
  for (let place = before.length - tail - 1; place >= shorter - tail; place -= 1) {
    operations.push({ op: 'remove', path: `${path}/${place}` });
  }
  for (let place = shorter - tail; place < after.length - tail; place += 1) {
    operations.push({ op: 'add', path: `${path}/${place}`, value: after[place] });
  }
  return operations;
}
