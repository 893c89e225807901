/** Codecs of messages with their own JSON form. */

import type { Reader } from '../wire/reader.ts';
import type { Writer } from '../wire/writer.ts';
import { isNullish } from './json-value.ts';
import { type Moment, microTimeText, momentOf, noTime, timeText } from './time.ts';

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

const whole = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const part = /[+-]?(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy;

const pattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

const momentFields = '1 seconds,2 nanos';

/** Reads a time in whole seconds; `null` for the zero time. */
export function readTime(r: Reader, end: number): string | null {
  if (r.pos === end) return null;
  const start = r.pos;
  r.enter(momentFields);
  let seconds = 0;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 8) seconds = r.int64();
    else if (tag === 16) r.int32();
    else r.unknown(tag);
  }
  r.leave(end);
  const text = timeText(seconds);
  return text === undefined ? r.fail('year out of range', start) : text;
}

/** Reads a time with six fraction digits; `null` for the zero time. */
export function readMicroTime(r: Reader, end: number): string | null {
  if (r.pos === end) return null;
  const start = r.pos;
  r.enter(momentFields);
  let seconds = 0;
  let nanos = 0;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 8) seconds = r.int64();
    else if (tag === 16) nanos = r.int32();
    else r.unknown(tag);
  }
  r.leave(end);
  const text = microTimeText(seconds, nanos);
  return text === undefined ? r.fail('year out of range', start) : text;
}

/** Reads a quantity as its string; `0` if it is absent. */
export function readQuantity(r: Reader, end: number): string {
  r.enter('1 string');
  let text = '0';
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 10) text = r.string();
    else r.unknown(tag);
  }
  r.leave(end);
  return text;
}

/** Reads a value that is an integer or a string. */
export function readIntOrString(r: Reader, end: number): number | string {
  r.enter('1 type,2 intVal,3 strVal');
  let type = 0;
  let number = 0;
  let text = '';
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 8) type = r.int64();
    else if (tag === 16) number = r.int32();
    else if (tag === 26) text = r.string();
    else r.unknown(tag);
  }
  r.leave(end);
  return type === 0 ? number : text;
}

/** Reads bytes as base64. */
export function readBytes(r: Reader, end: number): string {
  const start = r.pos;
  r.pos = end;
  return r.base64(start, end);
}

/** Reads a duration as Go prints it, such as `1h2m0.5s`. */
export function readDuration(r: Reader, end: number): string {
  r.enter('1 duration');
  let nanos = 0n;
  while (r.pos < end) {
    const tag = r.tag();
    if (tag === 8) nanos = r.bigint();
    else r.unknown(tag);
  }
  r.leave(end);
  return durationText(nanos);
}

/** Writes whole seconds: Go drops fractions, as in its JSON. */
export function writeTime(w: Writer, value: unknown): void {
  if (isNullish(value)) return;
  const { seconds } = moment(w, value);
  if (seconds !== noTime) writeMoment(w, seconds, 0);
}

const sixDigits = /\.\d{6}(?:Z|[+-]\d\d:\d\d)$/;

/** Writes a time with exactly six fraction digits: servers reject others in JSON. */
export function writeMicroTime(w: Writer, value: unknown): void {
  if (isNullish(value)) return;
  const { seconds, nanos } = moment(w, value);
  if (!sixDigits.test(String(value)))
    w.failInside('needs six digits of the second, such as 2026-01-31T12:00:00.000000Z');
  if (seconds !== noTime || nanos !== 0) writeMoment(w, seconds, nanos);
}

function moment(w: Writer, value: unknown): Moment {
  const found = typeof value === 'string' ? momentOf(value) : undefined;
  return found ?? w.failInside('is not a time: RFC 3339 is expected, such as 2026-01-31T12:00:00Z');
}

function writeMoment(w: Writer, seconds: number, nanos: number): void {
  w.int32(16, nanos);
  w.int64(8, seconds);
}

/** Writes a quantity: a string, or a number of JSON. */
export function writeQuantity(w: Writer, value: unknown): void {
  // Go accepts JSON numbers too.
  const text = typeof value === 'number' ? String(value) : value;
  if (!isNullish(text) && !(typeof text === 'string' && isQuantity(text))) w.failInside('is not a quantity');
  w.string(10, isNullish(text) ? '0' : text);
}

/** Writes a value that is an integer or a string. */
export function writeIntOrString(w: Writer, value: unknown): void {
  w.enter('1 type,2 intVal,3 strVal');
  const isText = typeof value === 'string';
  w.string(26, isText ? value : '');
  w.int32(16, isText ? 0 : value);
  w.int64(8, isText ? 1 : 0);
}

/** Writes a duration such as `1h2m0.5s`. */
export function writeDuration(w: Writer, value: unknown): void {
  const nanos = isNullish(value) ? 0n : typeof value === 'string' ? nanosOf(value) : undefined;
  w.bigint(nanos ?? w.failInside('is not a duration, such as 1h2m0.5s'));
  w.varint(8);
}

const notBase64 = /[^A-Za-z0-9+/]/;

/** Writes bytes from base64. */
export function writeBytes(w: Writer, value: unknown): void {
  if (isNullish(value)) return;
  const text = typeof value === 'string' && isBase64(value) ? value : w.failInside('is not a base64 string');
  w.bytesOf(Buffer.from(text, 'base64'));
}

/** The string may have many megabytes: only a search for invalid characters needs no stack. */
function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && !notBase64.test(text.slice(0, text.length - padding));
}

/** Returns whether a string is a quantity, such as `500m`, `1Gi` or `1e3`. */
export function isQuantity(text: string): boolean {
  return pattern.test(text);
}

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
