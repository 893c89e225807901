/**
 * Exact parsing, formatting, comparison and arithmetic of quantities: `500m`, `1Gi`, `2e3`.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
import type { Quantity } from '../api/meta.ts';
import { parseQuantityText, type QuantityValue } from './quantity-text.ts';

export type { QuantityFormat, QuantityValue } from './quantity-text.ts';

/** A quantity in any form that occurs in objects: a string, a number from a YAML file, or parsed. */
export type QuantityInput = Quantity | number | QuantityValue;

const unit = 1_000_000_000n;
const suffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * Parses a quantity as the server does: a number, followed by a suffix (`n u m k M G T P E`,
 * `Ki Mi Gi Ti Pi Ei`) or an exponent (`e3`, `E-3`; `E` alone is the suffix). Amounts are rounded away from
 * zero to billionths. Amounts with a binary suffix are limited to 2^63-1. `parseQuantity('500m')` is
 * `{ nanos: 500_000_000n, format: 'DecimalSI' }`. For plain numbers use `quantityToNumber`, `quantityValue`
 * and `quantityMilliValue`.
 * @throws {TypeError} the string is not a quantity; unlike in the server, this includes a string without
 * digits
 * @throws {RangeError} an exponent above 1000
 * @example
 * ```ts
 * import { formatQuantity, parseQuantity } from '@kgen/runtime/quantity';
 *
 * const { nanos, format } = parseQuantity('1.5Gi');
 * console.log(formatQuantity({ nanos: nanos * 2n, format })); // 3Gi
 * ```
 */
export function parseQuantity(input: QuantityInput): QuantityValue {
  if (typeof input === 'string') return parseQuantityText(input);
  return typeof input === 'number' ? parseQuantityText(String(input)) : input;
}

/**
 * Formats a quantity canonically: without fraction digits, with the largest suffix that loses no precision.
 * Binary suffixes are used for whole amounts from 1024 on. `formatQuantity('0.5Gi')` is `512Mi`, `'1.5'`
 * becomes `1500m`. Equal amounts in one format have equal results.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function formatQuantity(input: QuantityInput): Quantity {
  const { nanos, format } = parseQuantity(input);
  if (nanos === 0n) return '0';
  const whole = nanos % unit === 0n;
  const units = nanos / unit;
  if (format === 'BinarySI' && whole && magnitude(units) >= 1024n) return binaryText(units);
  return decimalText(nanos, format === 'DecimalExponent');
}

/**
 * Compares two quantities of any format and returns -1, 0 or 1. `compareQuantities('1', '1000m')` is 0,
 * `['1Gi', '1G', '900M'].sort(compareQuantities)` is `['900M', '1G', '1Gi']`.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 * @example
 * ```ts
 * import { compareQuantities } from '@kgen/runtime/quantity';
 *
 * const sizes = ['1Gi', '1G', '900M'].sort(compareQuantities);
 * console.log(sizes, compareQuantities('1', '1000m') === 0); // [ '900M', '1G', '1Gi' ] true
 * ```
 */
export function compareQuantities(a: QuantityInput, b: QuantityInput): -1 | 0 | 1 {
  const difference = parseQuantity(a).nanos - parseQuantity(b).nanos;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/**
 * Returns the sum, in the format of the first non-zero quantity: `addQuantities('1Gi', '512Mi')` is `1536Mi`.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function addQuantities(...quantities: readonly QuantityInput[]): Quantity {
  return formatQuantity(quantities.map(parseQuantity).reduce(sum, { nanos: 0n, format: 'DecimalSI' }));
}

/**
 * Returns `a - b`, in the format of `a`, or of `b` if `a` is zero. The result may be negative.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function subtractQuantities(a: QuantityInput, b: QuantityInput): Quantity {
  const { nanos, format } = parseQuantity(b);
  return formatQuantity(sum(parseQuantity(a), { nanos: -nanos, format }));
}

/**
 * Returns the nearest `number`: `0.5` for `500m`. Exact up to 2^53 for whole amounts.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function quantityToNumber(input: QuantityInput): number {
  return Number(`${parseQuantity(input).nanos}e-9`);
}

/**
 * Returns the whole amount, rounded away from zero: `2n` for `1500m`. The server counts in this way if it
 * needs integers.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function quantityValue(input: QuantityInput): bigint {
  return dividedAwayFromZero(parseQuantity(input).nanos, unit);
}

/**
 * Returns the amount in thousandths, rounded away from zero: `1500n` for `1.5`. The scheduler counts
 * processors in this way.
 * @throws {TypeError} {RangeError} as `parseQuantity`
 */
export function quantityMilliValue(input: QuantityInput): bigint {
  return dividedAwayFromZero(parseQuantity(input).nanos, unit / 1000n);
}

function sum(a: QuantityValue, b: QuantityValue): QuantityValue {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function dividedAwayFromZero(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  if (value % divisor === 0n) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function binaryText(units: bigint): string {
  const [rest, times] = reduced(units, 1024n, binarySuffixes.length - 1);
  return `${rest}${binarySuffixes[times]}`;
}

/** Divides as long as there is no remainder, at most `limit` times. */
function reduced(value: bigint, factor: bigint, limit: number): [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  while (times < limit && rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return [rest, times];
}

function decimalText(nanos: bigint, exponential: boolean): string {
  const limit = exponential ? Number.POSITIVE_INFINITY : suffixes.length - 1;
  const [rest, times] = reduced(nanos, 1000n, limit);
  if (!exponential) return `${rest}${suffixes[times]}`;
  return times === 3 ? `${rest}` : `${rest}e${(times - 3) * 3}`;
}
