/**
 * Fields of one version that another one cannot express, and their restoration. Pure.
 *
 * An object and the object that its conversion back yields are compared. The differences are kept beside the
 * values that the conversion yielded: a field is restored only where the conversion still yields that value.
 * Otherwise the other version was edited, and the edited field wins.
 */

import { canonicalMember, digestOf } from '../../apply/canonical.ts';
import { isObject, type JsonObject, member } from '../../members.ts';
import { isTooDeep } from './changes.ts';
import { exactMember, setExactMember } from './exact-members.ts';

/** Key of an object, or name of an item of a list. */
type Step = string | { readonly name: string };

/** A difference. */
export interface KeptField {
  readonly path: readonly Step[];
  /** The field; absent if the object has none. */
  readonly value?: unknown;
  /** Digest of the value that the conversion yields; absent if it yields none. */
  readonly was?: string;
  /** Of a list: the digests of its items after the conversion, each with the item if it differs. */
  readonly items?: readonly { readonly was: string; readonly value?: unknown }[];
}

/** Returns the fields of `object` that `back` does not have, or has with another value. */
export function lostFields(object: JsonObject, back: JsonObject): readonly KeptField[] {
  return inObjects(object, back, []);
}

function inObjects(object: JsonObject, back: JsonObject, path: readonly Step[]): readonly KeptField[] {
  const keys = new Set([...Object.keys(object), ...Object.keys(back)]);
  return [...keys].flatMap((key) => inMember(object, back, key, [...path, key]));
}

function inMember(object: object, back: object, key: string, path: readonly Step[]): readonly KeptField[] {
  const [before, after] = [exactMember(object, key), exactMember(back, key)];
  const was = digestIn(back, key);
  if (was === digestIn(object, key)) return [];
  if (isObject(before) && isObject(after)) return inObjects(before, after, path);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return inLists(before, after, path);
  return [
    { path, ...(before === undefined ? {} : { value: before }), ...(was === undefined ? {} : { was }) },
  ];
}

function inLists(
  list: readonly unknown[],
  back: readonly unknown[],
  path: readonly Step[],
): readonly KeptField[] {
  const [names, others] = [namesIn(list), namesIn(back)];
  if (names?.every((name, index) => name === others?.[index]))
    return names.flatMap((name, index) => inMember(list, back, String(index), [...path, { name }]));
  const items = back.map((_, index) => {
    const [value, was] = [exactMember(list, index), digestIn(back, String(index)) ?? ''];
    return was === digestIn(list, String(index)) ? { was } : { was, value };
  });
  return [{ path, items }];
}

/** Returns the names of the items; `undefined` unless all are objects with a name of their own. */
function namesIn(list: readonly unknown[]): readonly string[] | undefined {
  const names = list.map((item) => member(item, 'name')).filter((name) => typeof name === 'string');
  return names.length === list.length && new Set(names).size === names.length ? names : undefined;
}

function digestIn(holder: object, key: string): string | undefined {
  if (!Object.hasOwn(holder, key) || Reflect.get(holder, key) === undefined) return undefined;
  return digestOf(canonicalMember(holder, key));
}

/**
 * Restores fields in an object, which is changed. Fields whose place was edited meanwhile are skipped, and so
 * is everything that is not a field of `lostFields`: users can change annotations.
 */
export function restoreFields(object: object, fields: unknown): void {
  if (!Array.isArray(fields)) return;
  for (const field of fields) {
    const path: unknown = member(field, 'path');
    if (isObject(field) && Array.isArray(path)) restore(object, path, field);
  }
}

/** Levels of a field that contain the value of one of its items. */
const itemLevels = 4;

function restore(object: object, path: readonly unknown[], field: JsonObject): void {
  if (isTooDeep(field, path.length - itemLevels)) return;
  let parent: unknown = object;
  for (const step of path.slice(0, -1)) parent = childOf(parent, step);
  const last = path.at(-1);
  const key = typeof last === 'string' ? last : indexOf(parent, last);
  if (typeof parent !== 'object' || parent === null || key === undefined) return;
  const items = member(field, 'items');
  const list: unknown = exactMember(parent, key);
  if (Array.isArray(items) && Array.isArray(list)) restoreItems(list, items);
  else if (items === undefined && digestIn(parent, key) === member(field, 'was'))
    setExactMember(parent, key, exactMember(field, 'value'));
}

function childOf(parent: unknown, step: unknown): unknown {
  if (typeof step === 'string') return member(parent, step);
  const index = indexOf(parent, step);
  return Array.isArray(parent) && index !== undefined ? parent[Number(index)] : undefined;
}

function indexOf(list: unknown, step: unknown): string | undefined {
  const name = member(step, 'name');
  if (!Array.isArray(list) || typeof name !== 'string') return undefined;
  const index = namesIn(list)?.indexOf(name) ?? -1;
  return index < 0 ? undefined : String(index);
}

/** Items are recognized by their digests, wherever they are now; equal ones in their order. */
function restoreItems(list: unknown[], items: readonly unknown[]): void {
  const left = [...items];
  for (const index of list.keys()) {
    const digest = digestIn(list, String(index));
    const found = left.findIndex((item) => member(item, 'was') === digest);
    const [item] = found < 0 ? [] : left.splice(found, 1);
    if (isObject(item) && Object.hasOwn(item, 'value'))
      setExactMember(list, index, exactMember(item, 'value'));
  }
}
