import { quote } from '../problems.ts';
import type { JsonObject, JsonValue } from './crd-input.ts';

/** A key's value, never an inherited one; null counts as absent, as it does for the API server. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

/** True for an object that is no list. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list. */
export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** What a value is, for sentences: `a list`, `the number "3"`. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (isList(value)) return 'a list';
  return isObject(value) ? 'an object' : `the ${typeof value} ${quote(String(value))}`;
}
