/** Selections of fields and elements. */
import {
  CelList,
  CelMap,
  CelObject,
  CelUint,
  EvaluationError,
  noSuchOverload,
  Optional,
  TypeValue,
  type Value,
} from '../values/value.ts';

/** Returns a field of an object or map. */
export function readField(value: Value, field: string): Value {
  return qualify(value, field, false);
}

/** Returns whether an object or map has a field. */
export function present(value: Value, field: string): boolean {
  if (value instanceof Optional) return value.value !== undefined && present(value.value, field);
  return find(value, field) !== undefined;
}

/**
 * Returns an element of a list or map, or a field of an object.
 * @param isOptional whether the result is an optional value, which is empty without an element
 * @throws {EvaluationError} if there is none
 */
export function qualify(value: Value, key: Value, isOptional: boolean): Value {
  if (value instanceof Optional) {
    if (value.value === undefined) return value;
    const found = find(value.value, key);
    return found === undefined
      ? isOptional
        ? new Optional()
        : missing(value.value, key)
      : new Optional(found);
  }
  const found = find(value, key);
  if (isOptional) return found === undefined ? new Optional() : new Optional(found);
  return found ?? (found === null ? null : missing(value, key));
}

function find(value: Value, key: Value): Value | undefined {
  if (value instanceof CelObject) return typeof key === 'string' ? value.get(key) : undefined;
  if (value instanceof CelMap) return value.get(key);
  if (value instanceof CelList) return value.items[indexOf(key)];
  return undefined;
}

function indexOf(key: Value): number {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (typeof key === 'number' && Number.isInteger(key)) return key;
  if (typeof key === 'number') throw new EvaluationError(`unsupported index value: ${key}`);
  throw new EvaluationError(`unsupported index type '${typeof key}' in list`);
}

function missing(value: Value, key: Value): never {
  if (value instanceof CelList) throw new EvaluationError(`index out of bounds: ${printKey(key)}`);
  throw new EvaluationError(`no such key: ${printKey(key)}`);
}

/** Returns a key as Go prints it. */
function printKey(key: Value): string {
  if (key instanceof CelUint) return String(key.value);
  if (key instanceof TypeValue) return key.name;
  if (key === null || typeof key === 'object') throw noSuchOverload();
  return String(key);
}
