import { fromEntries, isObject, type Json, type JsonObject } from '../values/json.ts';

/** Applies a merge patch (RFC 7386): null removes, objects are merged, other values are replaced. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const base: JsonObject = isObject(target) ? target : {};
  const kept = Object.entries(base).filter(([key]) => !Object.hasOwn(patch, key));
  const merged = Object.entries(patch).flatMap(([key, item]): [string, Json][] =>
    item === null ? [] : [[key, mergePatch(Object.hasOwn(base, key) ? base[key] : undefined, item)]],
  );
  return fromEntries([...kept, ...merged]);
}
