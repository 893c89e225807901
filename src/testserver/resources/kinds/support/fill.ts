/** Defaults as data: values for absent members, at any depth. */
import {
  array,
  fromEntries,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  own,
  putAt,
  replace,
  text,
  unlessSame,
  unlessSameItems,
} from '@kgen/schema/values/json';

/** Defaults of an object. */
export interface Fill {
  /** Values of absent members. Members with the zero value of a string count as absent. */
  readonly set?: JsonObject;
  /** Defaults of members that are objects. Absent members stay absent. */
  readonly in?: Readonly<Record<string, Fill>>;
  /** Defaults of the elements of lists. */
  readonly each?: Readonly<Record<string, Fill>>;
  /** Defaults that depend on the object. Applied after `set`, before the members. */
  readonly when?: (value: JsonObject) => JsonObject;
}

/** Returns the object with its defaults. */
export function fill(value: JsonObject, defaults: Fill): JsonObject {
  const completed = isComplete(value, defaults.set) ? value : withDefaults(value, defaults.set ?? {});
  const result = defaults.when === undefined ? completed : unlessSame(completed, defaults.when(completed));
  return filledLists(filledMembers(result, defaults.in), defaults.each);
}

/** A member with one value beside a list that begins with it. */
export interface Pair {
  /** Path of the object that has both. */
  readonly path: readonly string[];
  readonly one: string;
  readonly many: string;
  /** Name of the value in the items of the list; absent if they are the values. */
  readonly key?: string;
}

/** Returns an object whose single value is the first of its list. Older clients set only the single one. */
export function withPair(value: JsonObject, { path, one, many, key }: Pair): JsonObject {
  const [single, list] = [text(value, ...path, one), array(value, ...path, many)];
  const first = list[0] === undefined ? '' : key === undefined ? list[0] : text(list[0], key);
  if (single === first) return value;
  return single === ''
    ? putAt(value, [...path, one], first)
    : putAt(value, [...path, many], [key === undefined ? single : { [key]: single }]);
}

function isComplete(value: JsonObject, set: JsonObject | undefined): boolean {
  return set === undefined || Object.keys(set).every((key) => !isAbsent(own(value, key)));
}

function withDefaults(value: JsonObject, set: JsonObject): JsonObject {
  const missing = Object.entries(set).filter(([key]) => isAbsent(own(value, key)));
  return fromEntries([
    ...Object.entries(value).filter(([key]) => !missing.some(([name]) => name === key)),
    ...missing,
  ]);
}

function isAbsent(item: Json | undefined): boolean {
  return item === undefined || item === null || item === '';
}

function filledMembers(value: JsonObject, fills: Fill['in']): JsonObject {
  return Object.entries(fills ?? {}).reduce((result, [key, defaults]) => {
    const item = own(result, key);
    return isObject(item) ? replace(result, key, fill(item, defaults)) : result;
  }, value);
}

function filledLists(value: JsonObject, fills: Fill['each']): JsonObject {
  return Object.entries(fills ?? {}).reduce((result, [key, defaults]) => {
    const items = own(result, key);
    if (!isArray(items) || items.length === 0) return result;
    const complete = items.map((item) => (isObject(item) ? fill(item, defaults) : item));
    return replace(result, key, unlessSameItems(items, complete));
  }, value);
}
