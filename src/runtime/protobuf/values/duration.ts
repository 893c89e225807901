/** Durations in Go's notation: `1h2m0.5s`. */

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const limit: bigint = 2n ** 63n;

/** Formats nanoseconds. */
export function durationText(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const [sign, rest] = nanos < 0n ? ['-', -nanos] : ['', nanos];
  if (rest < 1_000n) return `${sign}${rest}ns`;
  if (rest < 1_000_000n) return `${sign}${decimal(rest, 1_000n)}µs`;
  if (rest < 1_000_000_000n) return `${sign}${decimal(rest, 1_000_000n)}ms`;
  const minutes = rest / 60_000_000_000n;
  const seconds = `${decimal(rest % 60_000_000_000n, 1_000_000_000n)}s`;
  const hours = minutes / 60n;
  return `${sign}${hours > 0n ? `${hours}h` : ''}${minutes > 0n ? `${minutes % 60n}m` : ''}${seconds}`;
}

/** Returns a number of units with a fraction, without trailing zeros. */
function decimal(value: bigint, unit: bigint): string {
  const digits = String(unit).length - 1;
  const fraction = String(value % unit)
    .padStart(digits, '0')
    .replace(/(?<!0)0+$/, '');
  return `${value / unit}${digits === 0 || fraction === '' ? '' : `.${fraction}`}`;
}

const whole = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const part = /[+-]?(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy;

/**
 * Parses a duration to nanoseconds. Returns `undefined` for an invalid duration, or one longer than 292
 * years.
 */
export function nanosOf(text: string): bigint | undefined {
  if (/^[+-]?0$/.test(text)) return 0n;
  if (!whole.test(text)) return undefined;
  let sum = 0n;
  for (const [, before = '', fraction = '', unit = ''] of text.matchAll(part)) {
    const size = units[unit] ?? 0n;
    sum += BigInt(before || '0') * size;
    if (fraction !== '') sum += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  const nanos = text.startsWith('-') ? -sum : sum;
  return nanos >= -limit && nanos < limit ? nanos : undefined;
}
