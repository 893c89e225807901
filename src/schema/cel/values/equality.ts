import { compareBytes, utf8 } from '../../values/bytes.ts';
import {
  CelList,
  CelMap,
  CelObject,
  CelUint,
  Duration,
  EvaluationError,
  type ListIdentity,
  noSuchOverload,
  Opaque,
  Optional,
  Timestamp,
  TypeValue,
  type Value,
} from './value.ts';

/** Returns whether values are equal. Numbers of different types are compared by value. */
export function isEqual(a: Value, b: Value): boolean {
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) return x <= y && x >= y;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap && equalMaps(a, b);
  if (a instanceof CelObject) return b instanceof CelObject && equalObjects(a, b);
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b);
  return equalScalars(a, b);
}

function numeric(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return value instanceof CelUint ? value.value : undefined;
}

function equalScalars(a: Value, b: Value): boolean {
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos;
  if (a instanceof TypeValue) return b instanceof TypeValue && a.name === b.name;
  return a instanceof Opaque && b instanceof Opaque && a.typeName === b.typeName && a.equals(b);
}

function equalOptionals(a: Optional, b: Optional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return isEqual(a.value, b.value);
}

/** Lists of type set or map are equal if they have the same elements in any order. */
function equalLists(a: CelList, b: CelList): boolean {
  if (a.items.length !== b.items.length) return false;
  const identity = a.identity;
  if (identity === undefined) return a.items.every((item, index) => isEqual(item, b.items[index] ?? null));
  return a.items.every((item) => {
    const other = b.items.find((candidate) => isSameItem(item, candidate, identity));
    return other !== undefined && isEqual(item, other);
  });
}

/** Returns whether items of a list of type set or map are the same element. */
export function isSameItem(a: Value, b: Value, identity: ListIdentity): boolean {
  if (identity.type === 'set') return isEqual(a, b);
  return (
    a instanceof CelObject &&
    b instanceof CelObject &&
    identity.keys.every((key) => isEqual(a.get(key) ?? null, b.get(key) ?? null))
  );
}

function equalMaps(a: CelMap, b: CelMap): boolean {
  if (a.entries.size !== b.entries.size) return false;
  return [...a.entries.values()].every(([key, value]) => {
    const other = b.get(key);
    return other !== undefined && isEqual(value, other);
  });
}

function equalObjects(a: CelObject, b: CelObject): boolean {
  const names = a.names();
  if (names.length !== b.names().length) return false;
  return names.every((name) => {
    const [value, other] = [a.get(name), b.get(name)];
    return value !== undefined && other !== undefined && isEqual(value, other);
  });
}

/**
 * Returns the order of two values: negative, 0 or positive.
 * @throws {EvaluationError} for values that cannot be ordered
 */
export function compare(a: Value, b: Value): number {
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) return compareNumbers(x, y);
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(utf8(a), utf8(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanos, b.nanos);
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(a.nanos, b.nanos);
  throw noSuchOverload();
}

function compareNumbers(a: bigint | number, b: bigint | number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) throw new EvaluationError('NaN values cannot be ordered');
  return a < b ? -1 : a > b ? 1 : 0;
}
