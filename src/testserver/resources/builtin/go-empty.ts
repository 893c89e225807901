/**
 * Empty lists of built-in kinds: a client that sends one owns it, but objects are stored in protobuf, which
 * does not distinguish it from none.
 */
import { isArray, isObject, type Json, type JsonObject } from '@kgen/schema/values/json';
import { type GoStruct, type GoType, goStruct } from './go-type.ts';

/** Returns a decoded object with null in place of its empty lists. */
export function withoutEmptyLists(value: JsonObject, struct: GoStruct): JsonObject {
  let result: Record<string, Json> | undefined;
  for (const key of heldBy(struct)) {
    const item = value[key];
    const type = struct.fields.get(key)?.type;
    if (item === undefined || type === undefined) continue;
    const next = cleaned(item, type);
    if (next === item) continue;
    result ??= { ...value };
    result[key] = next;
  }
  return result ?? value;
}

function cleaned(value: Json, type: GoType): Json {
  if (type.form === 'pointer') return cleaned(value, type.element);
  if (type.form === 'struct') {
    const struct = goStruct(type.home, type.name);
    return struct === undefined || !isObject(value) ? value : withoutEmptyLists(value, struct);
  }
  if (type.form !== 'slice' || !isArray(value)) return value;
  if (value.length === 0) return null;
  const items = value.map((item) => cleaned(item, type.element));
  return items.some((item, index) => item !== value[index]) ? items : value;
}

const known = new WeakMap<GoStruct, readonly string[]>();

/** Returns the members that are, or contain, lists that are always written. Few structs have any. */
function heldBy(struct: GoStruct): readonly string[] {
  const found = known.get(struct);
  if (found !== undefined) return found;
  // A struct that contains itself.
  known.set(struct, []);
  const keys = [...struct.fields.values()]
    .filter(({ type, omission }) => (type.form === 'slice' && omission === 'never') || holds(type))
    .map(({ json }) => json);
  known.set(struct, keys);
  return keys;
}

function holds(type: GoType): boolean {
  if (type.form === 'pointer' || type.form === 'slice') return holds(type.element);
  if (type.form !== 'struct') return false;
  const struct = goStruct(type.home, type.name);
  return struct !== undefined && heldBy(struct).length > 0;
}
