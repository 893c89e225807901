/** Canonical JSON of values: equal values have equal strings, whatever the order of their members. */
import { hash } from 'node:crypto';
import { int64 } from '@kgen/runtime/objects';
import type { JsonObject } from '../members.ts';

/** Returns the names of the members that JSON represents, sorted. */
export function memberNames(value: JsonObject): readonly string[] {
  return sortedNames(value).filter((key) => isJson(value[key]));
}

/** Most objects have few members, and many have them in order already: `sort` would allocate. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  if (names.length > 20) return names.sort();
  for (let end = 1; end < names.length; end += 1) {
    const name = names[end] ?? '';
    let at = end;
    for (; at > 0 && (names[at - 1] ?? '') > name; at -= 1) names[at] = names[at - 1] ?? '';
    names[at] = name;
  }
  return names;
}

/** Length of a digest in base64. */
const digestLength = 44;

/**
 * Returns a digest of the canonical string of an object or list, so that the string itself need not be kept.
 * A string that is not longer than a digest is returned unchanged: it begins with a bracket, unlike base64.
 */
export function digestOf(text: string): string {
  return text.length <= digestLength ? text : hash('sha256', text, 'base64');
}

/**
 * Returns the canonical JSON of a value. Members that JSON cannot represent are omitted. Integers beyond 2^53
 * have all digits that the server sent.
 */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return printScalar(value);
  return Array.isArray(value) ? canonicalList(value) : canonicalObject(value);
}

/** Returns the canonical JSON of an object without some of its members. */
export function canonicalWithout(value: JsonObject, omitted: ReadonlySet<string>): string {
  return canonicalObject(value, omitted);
}

/**
 * Returns the canonical JSON of a member. The digits of an integer beyond 2^53 are stored in the object or
 * list that contains it.
 */
export function canonicalMember(holder: object, key: string): string {
  return printMember(holder, key, Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined);
}

function canonicalList(list: readonly unknown[]): string {
  let text = '[';
  for (let index = 0; index < list.length; index += 1) {
    text += `${index === 0 ? '' : ','}${printMember(list, String(index), list[index])}`;
  }
  return `${text}]`;
}

function canonicalObject(value: object, omitted?: ReadonlySet<string>): string {
  if ('toJSON' in value && typeof value.toJSON === 'function' && !Object.hasOwn(value, 'toJSON')) {
    return canonical(JSON.parse(JSON.stringify(value)));
  }
  let text = '';
  for (const key of sortedNames(value)) {
    const inner: unknown = Reflect.get(value, key);
    if (!isJson(inner) || omitted?.has(key) === true) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${printMember(value, key, inner)}`;
  }
  return `{${text}}`;
}

function printMember(holder: object, key: string, value: unknown): string {
  const isLong = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLong ? String(int64(holder, [key])) : canonical(value);
}

/** Returns whether JSON represents a value. */
export function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function printScalar(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return isJson(value) ? JSON.stringify(value) : 'null';
}
