/** Changes of the members of a sample, at all levels. */
import { isArray, isObject, type Json, type JsonObject, putAt } from '../../src/schema/values/json.ts';

/** A member of a sample that is not an object. */
export interface Leaf {
  /** The members that lead to it, outside of lists. */
  readonly path: readonly string[];
  readonly value: Json;
}

/** Returns the members of an object that are not objects, at all levels outside of lists. */
export function leavesOf(value: JsonObject, path: readonly string[] = []): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, item]) =>
    isObject(item) ? leavesOf(item, [...path, key]) : [{ path: [...path, key], value: item }],
  );
}

/** Returns merge patches that a server usually accepts in creates: members removed, or of the same type. */
export function acceptedParts(base: JsonObject): readonly JsonObject[] {
  return leavesOf(base).flatMap(({ path, value }) => [
    putAt({}, path, null),
    ...[...changesIn(value, similarTo)].map((changed) => putAt({}, path, changed)),
  ]);
}

/** Returns merge patches that a server usually refuses: other types, values out of range, unknown members. */
export function refusedParts(base: JsonObject): readonly JsonObject[] {
  return leavesOf(base).flatMap(({ path, value }) => [
    putAt({}, [...path.slice(0, -1), 'more'], 'x'),
    ...[...changesIn(value, unlike)].map((changed) => putAt({}, path, changed)),
  ]);
}

/** Returns copies of a value in which one value at any level is replaced by each of its alternatives. */
function* changesIn(value: Json, alternatives: (value: Json) => readonly Json[]): Iterable<Json> {
  yield* alternatives(value);
  if (isArray(value))
    for (const [index, item] of value.entries())
      for (const changed of changesIn(item, alternatives)) yield value.with(index, changed);
  if (isObject(value))
    for (const [key, item] of Object.entries(value))
      for (const changed of changesIn(item, alternatives)) yield { ...value, [key]: changed };
}

function similarTo(value: Json): readonly Json[] {
  if (typeof value === 'string') return ['other'];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  return isArray(value) ? [[]] : [];
}

function unlike(value: Json): readonly Json[] {
  if (typeof value === 'string') return ['', 'Not Valid/', 7];
  if (typeof value === 'number') return [-1, 1.5, 'x'];
  if (typeof value === 'boolean') return ['yes'];
  if (isArray(value)) return ['x', [...value, ...value]];
  return isObject(value) ? [{ ...value, more: 'x' }, {}] : [];
}
