/** Quantities as `@kgen/runtime/quantity` reads them, without errors for those that cannot be parsed. */
import { formatQuantity, parseQuantity, type QuantityValue } from '@kgen/runtime/quantity';

/** Returns the canonical form, or `undefined` if the quantity cannot be parsed. */
export function canonicalQuantity(value: string): string | undefined {
  const parsed = parse(value);
  return parsed === undefined ? undefined : formatQuantity(parsed);
}

/** Returns the value in billionths, or `undefined` if the quantity cannot be parsed. */
export function quantityNanos(value: string): bigint | undefined {
  return parse(value)?.nanos;
}

/** Returns the canonical form of a value in billionths, in the notation of `like`. */
export function quantityOf(nanos: bigint, like: string): string {
  return formatQuantity({ nanos, format: parse(like)?.format ?? 'DecimalSI' });
}

function parse(value: string): QuantityValue | undefined {
  try {
    return parseQuantity(value);
  } catch {
    return undefined;
  }
}
