/**
 * Quantities such as `100m` and `1.5Gi`: their canonical form and their value.
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|))$/;
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

/** A quantity in nano-units, and the notation that it was written in. */
interface Parsed {
  readonly nanos: bigint;
  readonly notation: 'binary' | 'decimal' | 'exponent';
}

/** Returns the canonical form, or `undefined` if the quantity cannot be parsed. */
export function canonicalQuantity(value: string): string | undefined {
  const parsed = parse(value);
  return parsed === undefined ? undefined : print(parsed);
}

/** Returns the value in nano-units, or `undefined` if the quantity cannot be parsed. */
export function quantityNanos(value: string): bigint | undefined {
  return parse(value)?.nanos;
}

/** Returns the canonical decimal or binary form of a value in nano-units, in the notation of `like`. */
export function quantityOf(nanos: bigint, like: string): string {
  return print({ nanos, notation: parse(like)?.notation ?? 'decimal' });
}

function parse(value: string): Parsed | undefined {
  const parts = form.exec(value);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] = parts;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  const signed = sign === '-' ? -digits : digits;
  const power = binary.indexOf(suffix);
  if (suffix !== '' && power > 0) {
    return {
      nanos: divide(signed * 1024n ** BigInt(power) * 10n ** 9n, fraction.length),
      notation: 'binary',
    };
  }
  const scale = exponent === undefined ? (decimal.get(suffix) ?? 0) : Number(exponent.slice(1));
  const shift = 9 + scale - fraction.length;
  const nanos = shift >= 0 ? signed * 10n ** BigInt(shift) : divide(signed, -shift);
  return { nanos, notation: exponent === undefined ? 'decimal' : 'exponent' };
}

/** Divides by a power of ten and rounds away from zero, as the API server does. */
function divide(value: bigint, power: number): bigint {
  const divisor = 10n ** BigInt(power);
  const rest = value % divisor;
  return value / divisor + (rest === 0n ? 0n : value < 0n ? -1n : 1n);
}

function print({ nanos, notation }: Parsed): string {
  if (nanos === 0n) return '0';
  if (notation === 'binary' && nanos % 10n ** 9n === 0n && abs(nanos) >= 1024n * 10n ** 9n) {
    let [value, power] = [nanos / 10n ** 9n, 0];
    while (value % 1024n === 0n && power < 6) [value, power] = [value / 1024n, power + 1];
    return `${value}${binary[power]}`;
  }
  let [value, scale] = [nanos, -9];
  while (value % 1000n === 0n && scale < 18) [value, scale] = [value / 1000n, scale + 3];
  if (notation === 'exponent') return `${value}e${scale}`;
  const suffix = [...decimal].find(([, power]) => power === scale)?.[0] ?? '';
  return `${value}${suffix}`;
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
