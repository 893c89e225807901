/** JSON as values of expressions without a schema, and back. */

import { printDuration, printTimestamp } from '@kgen/schema/cel/library/times';
import {
  CelList,
  CelMap,
  CelObject,
  CelUint,
  celList,
  Duration,
  EvaluationError,
  Timestamp,
  type Value,
} from '@kgen/schema/cel/values/value';
import { fromEntries, isArray, isObject, type Json } from '@kgen/schema/values/json';

/** Converts JSON: whole numbers are integers. */
export function toDynamic(value: Json | undefined): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (isArray(value)) return celList(value.map(toDynamic));
  if (isObject(value)) return new CelMap(Object.entries(value).map(([key, item]) => [key, toDynamic(item)]));
  return value;
}

/**
 * Converts a value to JSON.
 * @throws {EvaluationError} for a value that has no form in JSON
 */
export function toJson(value: Value): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === 'number') return value;
  if (value instanceof CelUint) return toJson(value.value);
  if (value instanceof CelList) return value.items.map(toJson);
  if (value instanceof CelMap)
    return fromEntries([...value.entries.values()].map(([key, item]) => [String(key), toJson(item)]));
  if (value instanceof CelObject)
    return fromEntries(value.names().map((name) => [name, toJson(value.get(name) ?? null)]));
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  throw new EvaluationError('evaluated to a type that could not marshal to JSON');
}
