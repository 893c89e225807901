/** Notation of a quantity: `1500m`, `1536Mi`, `15e2`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * A quantity as a number. The precision of Kubernetes is one billionth, so an integer number of billionths is
 * exact.
 */
export interface QuantityValue {
  /** The amount in billionths: `1` is 1_000_000_000n. */
  readonly nanos: bigint;
  /** Notation in which it was parsed and will be formatted. */
  readonly format: QuantityFormat;
}

const numberPattern = /^(?<sign>[+-]?)(?<whole>[0-9]*)(?:\.(?<fraction>[0-9]*))?(?<suffix>[^0-9.].*)?$/s;
const exponentPattern = /^[eE](?<exponent>[+-]?[0-9]+)$/;
const decimalExponents: ReadonlyMap<string, number> = new Map([
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
const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
]);

/** Largest amount with a binary suffix, in billionths. */
const binaryLimit = (2n ** 63n - 1n) * 10n ** 9n;
/** Maximum exponent. Memory use is proportional to the exponent, and no real amount comes close. */
const exponentLimit = 1000;

interface Scale {
  readonly format: QuantityFormat;
  readonly factor: bigint;
  /** Power of ten. */
  readonly exponent: number;
}

/** Implementation of `parseQuantity`. */
export function parseQuantityText(text: string): QuantityValue {
  const { sign, whole = '', fraction = '', suffix = '' } = numberPattern.exec(text)?.groups ?? {};
  if (whole === '' && fraction === '') throw problem(text, 'it must begin with a number, such as 1.5 or 100');
  const { format, factor, exponent } = scaleOf(suffix, text);
  const digits = BigInt(whole + fraction) * factor;
  const exact = scaledAwayFromZero(digits, exponent + 9 - fraction.length);
  const nanos = format === 'BinarySI' && exact > binaryLimit ? binaryLimit : exact;
  // As in the server, an amount below one is formatted with decimal suffixes from here on.
  const lessThanOne = format === 'BinarySI' && nanos > 0n && nanos < 1_000_000_000n;
  return { nanos: sign === '-' ? -nanos : nanos, format: lessThanOne ? 'DecimalSI' : format };
}

function problem(text: string, why: string): TypeError {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return new TypeError(`not a quantity: ${JSON.stringify(shown)}: ${why}`);
}

function scaleOf(suffix: string, text: string): Scale {
  const decimal = decimalExponents.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', factor: 1n, exponent: decimal };
  const binary = binaryExponents.get(suffix);
  if (binary !== undefined) return { format: 'BinarySI', factor: 2n ** BigInt(binary), exponent: 0 };
  const digits = exponentPattern.exec(suffix)?.groups?.['exponent'];
  if (digits === undefined) {
    throw problem(
      text,
      `the suffix must be one of n u m k M G T P E, Ki Mi Gi Ti Pi Ei, or an exponent such as e3`,
    );
  }
  return { format: 'DecimalExponent', factor: 1n, exponent: checkedExponent(Number(digits), text) };
}

function checkedExponent(exponent: number, text: string): number {
  if (exponent <= exponentLimit) return exponent;
  throw new RangeError(`quantity ${JSON.stringify(text)}: the exponent is above ${exponentLimit}`);
}

/** Returns `digits`, which are not negative, times a power of ten. A remainder rounds up. */
function scaledAwayFromZero(digits: bigint, power: number): bigint {
  if (power >= 0) return digits * 10n ** BigInt(power);
  // There are more places than digits, so only the rounding remains.
  if (-power > String(digits).length) return digits === 0n ? 0n : 1n;
  const divisor = 10n ** BigInt(-power);
  return (digits + divisor - 1n) / divisor;
}
