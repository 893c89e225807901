import { quote } from '../common/problems.ts';
import type { JsonObject, JsonValue } from './crd/crd-input.ts';

/** Returns the value of an own key, never an inherited one. null counts as absent, as in the API server. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

/** Returns whether a value is an object and not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns whether a value is an array. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Returns a description of a value for messages: `a list`, `the number "3"`. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (isList(value)) return 'a list';
  return isObject(value) ? 'an object' : `the ${typeof value} ${quote(String(value))}`;
}

/** Returns a step of a JSON pointer (RFC 6901). */
export function pointerStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
