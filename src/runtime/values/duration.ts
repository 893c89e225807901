/** Durations in string fields of Kubernetes, in Go's notation: `1h30m`, `300ms`, `-1.5s`. */

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n], // U+00B5, the micro sign
  ['μs', 1_000n], // U+03BC, the Greek letter
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const partPattern = /(?<whole>[0-9]*)(?:\.(?<fraction>[0-9]*))?(?<unit>[^0-9.]*)/y;
const limit = 2n ** 63n;

/**
 * Parses a duration: an optional sign, followed by numbers with units (`ns`, `us` or `µs`, `ms`, `s`, `m`,
 * `h`). `0` needs no unit.
 * @returns nanoseconds
 * @throws {TypeError} the string is not a duration
 * @throws {RangeError} more than 2^63-1 ns, about 292 years
 */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  const parts = negative || text.startsWith('+') ? text.slice(1) : text;
  if (parts === '0') return 0n;
  if (parts === '') throw problem(text, 'it is empty');
  const total = totalOf(parts, text);
  if (total > limit || (total === limit && !negative)) {
    throw new RangeError(`duration ${quoted(text)}: longer than 2^63-1 ns`);
  }
  return negative ? -total : total;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

function problem(text: string, why: string): TypeError {
  return new TypeError(`not a duration: ${quoted(text)}: ${why}`);
}

function totalOf(parts: string, text: string): bigint {
  const part = new RegExp(partPattern);
  let total = 0n;
  while (part.lastIndex < parts.length) total += lengthOf(part.exec(parts)?.groups ?? {}, text);
  return total;
}

function lengthOf(
  { whole = '', fraction = '', unit = '' }: Readonly<Record<string, string | undefined>>,
  text: string,
): bigint {
  if (whole === '' && fraction === '') throw problem(text, 'it must begin with a number, such as 1.5h');
  const length = units.get(unit);
  if (length === undefined) {
    const found = unit === '' ? 'a unit is missing' : `unknown unit ${quoted(unit)}`;
    throw problem(text, `${found}; use ns, us, ms, s, m or h`);
  }
  return BigInt(whole) * length + fractionOf(fraction, length);
}

/**
 * Go multiplies fractions as floating-point numbers: `0.3333333333333333333h` is exactly 20 minutes, and here
 * too.
 */
function fractionOf(digits: string, length: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(length) / scale)));
}

/**
 * Formats nanoseconds in Go's canonical form: `1h30m0s`, `1.5s`, `300ms`, `0s`. `parseDuration` is the
 * inverse.
 * @throws {RangeError} more than 2^63-1 ns, which servers cannot parse
 */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds >= limit || nanoseconds < -limit) {
    throw new RangeError(`duration of ${nanoseconds} ns: longer than 2^63-1 ns`);
  }
  if (nanoseconds === 0n) return '0s';
  return nanoseconds < 0n ? `-${positiveText(-nanoseconds)}` : positiveText(nanoseconds);
}

function positiveText(nanoseconds: bigint): string {
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  const minutes = nanoseconds / 60_000_000_000n;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${minutes}m${seconds}` : `${hours}h${minutes % 60n}m${seconds}`;
}

/** Returns `value` divided by a power of ten, without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/(?<!0)0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * Returns a duration in milliseconds, as `timeoutMs` and `setTimeout` expect. Fractions are kept.
 * @throws {TypeError} {RangeError} as `parseDuration`
 */
export function durationToMilliseconds(text: string): number {
  return Number(`${parseDuration(text)}e-6`);
}

/**
 * Formats milliseconds as a duration: `90_000` is `1m30s`. Rounds to nanoseconds.
 * @throws {RangeError} a number that is not finite, or more than 2^63-1 ns
 */
export function durationFromMilliseconds(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`duration of ${milliseconds} ms: not finite`);
  const whole = Math.trunc(milliseconds);
  const fraction = Math.round((milliseconds - whole) * 1e6);
  return formatDuration(BigInt(whole) * 1_000_000n + BigInt(fraction));
}
