/** What the codec should make of what Go made. */
import { parseText } from '../../src/runtime/codec/integers/keep-digits.ts';
import { jsonOf } from '../../src/runtime/codec/integers/write-json.ts';
import type { GoKind, GoObject } from './oracle.ts';

/** JSON as objects; a seam for the tests. */
export type JsonObject = Record<string, unknown>;

/** The object that Go's JSON says: items of lists have their type as well, and a list of a kind has items, even if none. */
export function expectedOf({ item }: GoKind, json: string): JsonObject {
  const object = parsed(json);
  if (item === undefined) return object;
  const { apiVersion, kind } = item;
  if (kind === undefined) return object;
  // seam: a list of Go's has items or null
  const items = (object['items'] ?? []) as readonly JsonObject[];
  return { ...object, items: items.map((one) => ({ apiVersion, kind, ...one })) };
}

/** JSON that is an object, with the digits of integers beyond 2^53. */
export function parsed(json: string): JsonObject {
  // seam: the JSON of an object
  return parseText(json) as JsonObject;
}

/** Whether what was decoded can be written letter for letter: JSON within it is as JSON.stringify writes it. */
export function isExact({ raw }: GoObject): boolean {
  return raw.every(isStringified);
}

/** Whether JSON of the object can be: what somebody manages is then JSON like any other, and Go escapes more in it. */
export function isExactInJson({ raw, fields }: GoObject): boolean {
  return [...raw, ...fields].every((text) => isStringified(text) && !/[<>&\u2028\u2029]/.test(text));
}

function isStringified(text: string): boolean {
  return text === '' || jsonOf(parseText(text)) === text;
}

/** Whether a number in the object fits no JSON: it was 1E400. */
export function hasUnwritable(value: unknown): boolean {
  return hasNumber(value, (number) => Math.abs(number) >= 2 ** 64);
}

/** Whether a number in the object may stand for several integers: JSON says another one of them than protobuf. */
export function hasWide(value: unknown): boolean {
  return hasNumber(value, (number) => Number.isInteger(number) && !Number.isSafeInteger(number));
}

function hasNumber(value: unknown, is: (number: number) => boolean): boolean {
  if (typeof value === 'number') return is(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => hasNumber(inner, is));
}
