/** Quantities as `@kgen/runtime/quantity` reads them, without errors for those that cannot be parsed. */
import { formatQuantity, parseQuantity, type QuantityValue } from '@kgen/runtime/quantity';

/** Returns the canonical form, or `undefined` if the quantity cannot be parsed. */
export function canonicalQuantity(value: string): string | undefined {
  const parsed = parse(value);
  if (parsed === undefined) return undefined;
  return isKept(value) ? value : formatQuantity(parsed);
}

const decimal = /^[-+]?0*((?:[1-9]\d*)?)(?:\.(\d*))?(?:[eE]([-+]?\d+)|([numkMGTPE]?))$/;

/** Digits of a number for which Go looks at the digits alone. */
const mostDigits = 18;

/** Go keeps a decimal quantity as it is written if its digits and its power of a thousand need no change. */
function isKept(value: string): boolean {
  const [, whole = '', fraction = '', exponent] = decimal.exec(value) ?? [];
  const digits = (whole === '' ? '0' : whole) + fraction;
  const scale = Number(exponent ?? 0) - fraction.length;
  const isShort = decimal.test(value) && digits.length <= mostDigits && scale >= -9;
  return isShort && scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
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
