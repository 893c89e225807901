/** Members of definitions, in which null counts as absent, as in the API server. */
import { isArray, isObject, type Json, type JsonObject } from '../values/json.ts';

/** Returns the value of an own key, never an inherited one; `undefined` for null. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

/** Returns a description of a value for messages: `a list`, `the number "3"`. */
export function describe(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `the ${typeof value} ${quote(String(value))}`;
}

/** Returns a quoted string of the input for messages: on one line, at most `limit` characters. */
export function quote(text: string, limit = 60): string {
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}
