/** Numbers within the bounds of a schema. */
import { type Json, type JsonObject, own, text } from '@kgen/schema/values/json';
import { numberAt } from './strings.ts';

/**
 * Range of a number: the smallest and the largest valid value, infinite without a bound. Bounds of integers
 * are values that JSON numbers carry exactly.
 */
export function numberRange(node: JsonObject): { readonly low: number; readonly high: number } {
  const step = stepOf(node);
  const minimum = numberAt(node, 'minimum') ?? Number.NEGATIVE_INFINITY;
  const maximum = numberAt(node, 'maximum') ?? Number.POSITIVE_INFINITY;
  const low = exact(node, own(node, 'exclusiveMinimum') === true ? minimum + step : minimum, 1);
  const high = exact(node, own(node, 'exclusiveMaximum') === true ? maximum - step : maximum, -1);
  const factor = numberAt(node, 'multipleOf');
  if (factor === undefined) return { low, high };
  return { low: Math.ceil(low / factor) * factor, high: Math.floor(high / factor) * factor };
}

/**
 * Returns a bound of an integer, or a value within it that is exact in JSON. Numbers beyond 2^53 are printed
 * with at most 17 digits: 9223372036854774784 as 9223372036854775000.
 * @param direction 1 for a minimum, -1 for a maximum
 */
function exact(node: JsonObject, bound: number, direction: 1 | -1): number {
  if (text(node, 'type') !== 'integer' || !Number.isFinite(bound) || Number.isSafeInteger(bound))
    return bound;
  if (Math.sign(bound) !== direction) return Math.sign(bound) * Number.MAX_SAFE_INTEGER;
  // A range beyond 2^53: multiples of 2^11 and of a power of ten are doubles, and have few digits.
  const unit = 2 ** 11 * 10 ** 4;
  return direction * Math.ceil(Math.abs(bound) / unit + 1) * unit;
}

/**
 * Returns the error of an API server for numbers that satisfy their schema: bounds of integers outside of
 * the range of their format, which it never accepts, and whole numbers if `multipleOf` has a fraction.
 */
export function numberFault(node: JsonObject, value: number): string | undefined {
  const factor = numberAt(node, 'multipleOf');
  if (factor !== undefined && !Number.isInteger(factor) && Number.isInteger(value)) {
    return `factor MultipleOf declared for a whole number must be whole: ${factor}`;
  }
  if (text(node, 'type') !== 'integer') return undefined;
  const limit = text(node, 'format') === 'int32' ? 2 ** 31 : 2 ** 63;
  const bounds = [numberAt(node, 'minimum') ?? 0, numberAt(node, 'maximum') ?? 0];
  return bounds.some((bound) => bound >= limit || bound < -limit)
    ? 'boundary value must be within the range of the format'
    : undefined;
}

/** Returns the distance between two valid values. */
function stepOf(node: JsonObject): number {
  return numberAt(node, 'multipleOf') ?? (text(node, 'type') === 'integer' ? 1 : 0.5);
}

/**
 * Returns a number that the schema accepts.
 * @param wish 0 for the smallest valid value, 1 for the largest
 */
export function numberOf(node: JsonObject, random: () => number, wish?: number): Json {
  const { low, high } = numberRange(node);
  if (wish === 0 && Number.isFinite(low)) return low;
  if (wish === 1 && Number.isFinite(high)) return high;
  const step = stepOf(node);
  const from = Number.isFinite(low) ? low : Number.isFinite(high) ? Math.min(high, 0) : 0;
  const to = Math.min(high, from + 100 * step);
  const steps = Math.floor((to - from) / step);
  const value = from + Math.floor(random() * (steps + 1)) * step;
  // A fraction, which the server does not refuse.
  return numberFault(node, value) === undefined || value + step > to ? value : value + step;
}
