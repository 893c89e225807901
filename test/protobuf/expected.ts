/** Expected results of the codec for objects that Go created. */
import { parseText } from '../../src/runtime/codec/integers/keep-digits.ts';
import { jsonOf } from '../../src/runtime/codec/integers/write-json.ts';
import type { GoKind, GoObject } from './oracle.ts';

/** JSON objects; a seam for the tests. */
export type JsonObject = Record<string, unknown>;

/** Returns the object of Go's JSON: list items have their type as well, and a list always has `items`. */
export function expectedOf({ item }: GoKind, json: string): JsonObject {
  const object = parsed(json);
  if (item === undefined) return object;
  const { apiVersion, kind } = item;
  if (kind === undefined) return object;
  // seam: a list written by Go has items or null
  const items = (object['items'] ?? []) as readonly JsonObject[];
  return { ...object, items: items.map((one) => ({ apiVersion, kind, ...one })) };
}

/** Parses a JSON object, keeping the digits of integers beyond 2^53. */
export function parsed(json: string): JsonObject {
  // seam: the JSON of an object
  return parseText(json) as JsonObject;
}

/**
 * Returns true if the decoded object can be encoded to identical bytes: raw JSON in it has the form of
 * JSON.stringify.
 */
export function isExact({ raw }: GoObject): boolean {
  return raw.every(isStringified);
}

/**
 * Returns true if the JSON of the object can be identical: managed fields become ordinary JSON, in which Go
 * escapes more characters.
 */
export function isExactInJson({ raw, fields }: GoObject): boolean {
  return [...raw, ...fields].every((text) => isStringified(text) && !/[<>&\u2028\u2029]/.test(text));
}

function isStringified(text: string): boolean {
  return text === '' || jsonOf(parseText(text)) === text;
}

/** Returns true if a number in the object does not fit into JSON, such as 1E400. */
export function hasUnwritable(value: unknown): boolean {
  return hasNumber(value, (number) => Math.abs(number) >= 2 ** 64);
}

/**
 * Returns true if a number in the object may represent several integers, which differ between JSON and
 * protobuf.
 */
export function hasWide(value: unknown): boolean {
  return hasNumber(value, (number) => Number.isInteger(number) && !Number.isSafeInteger(number));
}

function hasNumber(value: unknown, is: (number: number) => boolean): boolean {
  if (typeof value === 'number') return is(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => hasNumber(inner, is));
}
