/** Numbers within the bounds of a schema. */
import { type Json, type JsonObject, own, text } from '../../values/json.ts';
import { numberAt } from './strings.ts';

/** Range of a number: the smallest and the largest valid value, infinite without a bound. */
export function numberRange(node: JsonObject): { readonly low: number; readonly high: number } {
  const step = stepOf(node);
  const minimum = numberAt(node, 'minimum') ?? Number.NEGATIVE_INFINITY;
  const maximum = numberAt(node, 'maximum') ?? Number.POSITIVE_INFINITY;
  const low = own(node, 'exclusiveMinimum') === true ? minimum + step : minimum;
  const high = own(node, 'exclusiveMaximum') === true ? maximum - step : maximum;
  const factor = numberAt(node, 'multipleOf');
  if (factor === undefined) return { low, high };
  return { low: Math.ceil(low / factor) * factor, high: Math.floor(high / factor) * factor };
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
