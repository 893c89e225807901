import { fromEntries, isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';

/**
 * Applies a merge patch (RFC 7386): null removes, objects are merged, other values are replaced. As on a real
 * server, nulls in objects inside of new lists are removed too.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(target)) return withoutNulls(patch);
  if (!isObject(patch)) return patch;
  const base: JsonObject = target;
  const kept = Object.entries(base).filter(([key]) => !Object.hasOwn(patch, key));
  const merged = Object.entries(patch).flatMap(([key, item]): [string, Json][] =>
    item === null ? [] : [[key, mergePatch(Object.hasOwn(base, key) ? base[key] : undefined, item)]],
  );
  return fromEntries([...kept, ...merged]);
}

/** Returns a value without the members of objects that are null. Elements of lists stay. */
export function withoutNulls(value: Json): Json {
  if (isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, Json][] =>
      item === null ? [] : [[key, withoutNulls(item)]],
    ),
  );
}
