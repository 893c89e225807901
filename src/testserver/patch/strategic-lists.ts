/** Lists in strategic merge patches: merge by key or as sets of scalars, and their order. */

import { goPrint, goType } from '@kgen/schema/values/go-print';
import { fromEntries, isArray, isObject, type Json, type JsonObject, own } from '@kgen/schema/values/json';
import { badRequest, failure } from '../errors/failures.ts';
import { Failure } from '../errors/status.ts';

/** Rules by which a list is merged. */
export interface ListRules {
  /** Whether elements are merged, rather than the list replaced. */
  readonly isMerged: boolean;
  /** Key that identifies elements. Empty for scalars. */
  readonly mergeKey: string;
  readonly mergeElement: (original: JsonObject, patch: JsonObject) => JsonObject;
}

/** Returns 400 for a malformed directive. */
export function badFormat(directive: string): Failure {
  return badRequest(`invalid patch format of ${directive}`);
}

/** Returns a list after a patch; with `isDeletion`, `patch` holds the scalars to remove. */
export function mergeList(
  original: readonly Json[],
  patch: readonly Json[],
  rules: ListRules,
  isDeletion = false,
): readonly Json[] {
  if (!rules.isMerged && !isDeletion) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  if (!hasObjects(original, patch)) {
    if (isDeletion) return original.filter((item) => !patch.includes(item));
    return arrange(deduplicate([...original, ...patch]), patch, original, '');
  }
  if (rules.mergeKey === '') {
    throw new Failure({ code: 500, message: 'cannot merge lists without merge key for struct' });
  }
  const { base, changes } = applyDirectives(original, patch, rules.mergeKey);
  const merged = mergeByKey(base, changes, rules);
  return arrange(merged, changes, base, rules.mergeKey);
}

/**
 * Returns the merged list in the order of `$setElementOrder`, or `undefined` if there is neither a list nor a
 * patch.
 */
export function orderList(
  original: readonly Json[] | undefined,
  patch: readonly Json[] | undefined,
  order: readonly Json[],
  rules: ListRules,
): readonly Json[] | undefined {
  validateOrder(patch ?? [], order, rules.mergeKey);
  if (original === undefined && patch === undefined) return undefined;
  const merged =
    patch === undefined
      ? (original ?? [])
      : original === undefined
        ? listWithoutDirectives(patch)
        : mergeList(original, patch, rules);
  hasObjects(original ?? [], patch ?? []);
  const server = overwritten(original ?? [], patch ?? [], rules.mergeKey);
  return arrange(merged, order, server, rules.mergeKey);
}

/**
 * Returns the original list as it is after the merge on a real server, which deletes and appends in place:
 * the positions of elements in it decide the order of the result.
 */
function overwritten(original: readonly Json[], patch: readonly Json[], mergeKey: string): readonly Json[] {
  if (mergeKey === '') return original;
  const items = [...original];
  let length = items.length;
  const find = (item: Json): number =>
    items.slice(0, length).findIndex((other) => own(other, mergeKey) === own(item, mergeKey));
  for (const item of patch.filter((each) => own(each, '$patch') === 'delete')) {
    for (let index = find(item); index >= 0; index = find(item)) {
      items.copyWithin(index, index + 1, length);
      length -= 1;
    }
  }
  if (patch.some((item) => own(item, '$patch') === 'replace')) return items;
  for (const item of patch) {
    if (length >= original.length) return items;
    if (own(item, '$patch') !== undefined || find(item) >= 0) continue;
    items[length] = item;
    length += 1;
  }
  return items;
}

/**
 * Returns whether the elements are objects.
 * @throws {Failure} 422 for lists of lists, 500 for elements of different types
 */
function hasObjects(...lists: readonly (readonly Json[])[]): boolean {
  const all = lists.flat();
  const [first] = all;
  if (first === undefined)
    throw new Failure({ code: 500, message: 'no elements in any of the given slices' });
  if (isArray(first)) throw rejected();
  if (all.some((item) => goType(item) !== goType(first))) {
    const printed = lists.map((list) => goPrint(list)).join(' ');
    throw new Failure({ code: 500, message: `list element types are not identical: [${printed}]` });
  }
  return isObject(first);
}

function rejected(): Failure {
  return failure(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
  });
}

/** Removes duplicates as the API server does: the last element takes the place of a duplicate. */
function deduplicate(items: readonly Json[]): readonly Json[] {
  const result = [...items];
  for (let i = 0; i < result.length - 1; i += 1) {
    for (let j = i + 1; j < result.length; j += 1) {
      if (result[i] !== result[j]) continue;
      const last = result.pop();
      if (j < result.length && last !== undefined) result[j] = last;
      j -= 1;
    }
  }
  return result;
}

interface Prepared {
  readonly base: readonly Json[];
  readonly changes: readonly Json[];
}

/** Applies the elements of a patch that have a directive. */
function applyDirectives(original: readonly Json[], patch: readonly Json[], mergeKey: string): Prepared {
  const changes = patch.filter((item) => own(item, '$patch') === undefined);
  const directives = patch.filter(isObject).filter((item) => own(item, '$patch') !== undefined);
  for (const item of directives) checkDirective(item, mergeKey);
  if (directives.some((item) => own(item, '$patch') === 'replace')) return { base: changes, changes: [] };
  const deleted = directives.map((item) => own(item, mergeKey));
  return { base: original.filter((item) => !deleted.includes(own(item, mergeKey))), changes };
}

function checkDirective(item: JsonObject, mergeKey: string): void {
  const directive = own(item, '$patch') ?? null;
  if (directive === 'replace') return;
  if (directive === 'merge') {
    throw new Failure({ code: 500, message: 'merging lists cannot yet be specified in the patch' });
  }
  if (directive !== 'delete') {
    throw new Failure({
      code: 500,
      message: `unknown patch type: ${goPrint(directive)} in map: ${goPrint(item)}`,
    });
  }
  if (own(item, mergeKey) === undefined) throw noMergeKey(item, mergeKey);
}

function noMergeKey(item: Json, mergeKey: string): Failure {
  const message = `map: ${goPrint(item)} does not contain declared merge key: ${mergeKey}`;
  return new Failure({ code: 500, message });
}

function mergeByKey(base: readonly Json[], changes: readonly Json[], rules: ListRules): readonly Json[] {
  const { mergeKey } = rules;
  const result = [...base];
  for (const change of changes) {
    const key = own(change, mergeKey);
    if (key === undefined) throw noMergeKey(change, mergeKey);
    const index = result.findIndex((item) => own(item, mergeKey) === key);
    const found = result[index];
    if (isObject(found) && isObject(change)) result[index] = rules.mergeElement(found, change);
    else result.push(change);
  }
  return result;
}

/**
 * Returns the elements that `order` names in its order, between the others in the order of the original list.
 */
function arrange(
  items: readonly Json[],
  order: readonly Json[],
  original: readonly Json[],
  mergeKey: string,
): readonly Json[] {
  const identity = (item: Json): Json | undefined => (mergeKey === '' ? item : own(item, mergeKey));
  if (mergeKey !== '') {
    for (const item of [...items, ...order])
      if (identity(item) === undefined) throw noMergeKey(item, mergeKey);
  }
  const position = (list: readonly Json[], item: Json): number =>
    list.findIndex((other) => identity(other) === identity(item));
  const sorted = (list: readonly Json[], by: readonly Json[]): readonly Json[] =>
    list.toSorted((a, b) => {
      const [left, right] = [position(by, a), position(by, b)];
      return left < 0 || right < 0 ? 0 : left - right;
    });
  const named = sorted(
    items.filter((item) => position(order, item) >= 0),
    order,
  );
  const others = sorted(
    items.filter((item) => position(order, item) < 0),
    original,
  );
  return interleave(others, named, (item) => position(original, item));
}

function interleave(
  others: readonly Json[],
  named: readonly Json[],
  position: (item: Json) => number,
): readonly Json[] {
  const result: Json[] = [];
  let [left, right] = [0, 0];
  while (left < others.length || right < named.length) {
    const [other, next] = [others[left], named[right]];
    if (next === undefined || (other !== undefined && isBefore(position(other), position(next)))) {
      result.push(other ?? null);
      left += 1;
    } else {
      result.push(next);
      right += 1;
    }
  }
  return result;
}

function isBefore(left: number, right: number): boolean {
  return left >= 0 && right >= 0 && left < right;
}

/** @throws {Failure} 500 if the patch has elements that the order does not name, or names in another order */
function validateOrder(patch: readonly Json[], order: readonly Json[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const kept = patch.filter((item) => mergeKey === '' || own(item, '$patch') !== 'delete');
  let next = 0;
  for (const item of order) {
    // Elements with other directives have no place in the order.
    while (mergeKey !== '' && own(kept[next], '$patch') !== undefined) next += 1;
    const desired = kept[next];
    if (desired === undefined) return;
    if (sameKey(desired, item, mergeKey)) next += 1;
  }
  if (next >= kept.length) return;
  const message = `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`;
  throw new Failure({ code: 500, message });
}

function sameKey(left: Json, right: Json, mergeKey: string): boolean {
  if (mergeKey === '') return left === right;
  for (const item of [left, right]) {
    if (!isObject(item)) {
      throw new Failure({
        code: 500,
        message: `expected a map[string]interface {}, but received a ${goType(item)}`,
      });
    }
    if (own(item, mergeKey) === undefined) throw noMergeKey(item, mergeKey);
  }
  return own(left, mergeKey) === own(right, mergeKey);
}

/** Returns a value without the objects in it that have `$patch`, or `undefined` if it has one itself. */
export function withoutDirectives(value: Json): Json | undefined {
  if (isArray(value)) return listWithoutDirectives(value);
  if (!isObject(value)) return value;
  if (own(value, '$patch') !== undefined) return undefined;
  return fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] => {
      const kept = withoutDirectives(item);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function listWithoutDirectives(items: readonly Json[]): readonly Json[] {
  return items.map(withoutDirectives).filter((item) => item !== undefined);
}
