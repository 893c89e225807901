/** Conversion of times between seconds and RFC 3339 strings. */

/** Go's zero time: the beginning of the year 1. */
export const noTime = -62135596800;
/** Years before 0 and after 275760 cannot be formatted by `Date`. */
const firstTime = -62167219200;
const lastTime = 8639999999999;
/** Years from 10000 on have more than four digits. */
const firstLongTime = 253402300800;
const secondsPerDay = 86400;

/** Times are close to each other in a cluster, and occur several times in each object. */
const cacheSize = 4096;
const cachedSeconds: Float64Array = new Float64Array(cacheSize).fill(Number.NaN);
const cachedTexts: string[] = new Array<string>(cacheSize).fill('');

const zero = 0x30;
/** Buffer for formatting: the engine would keep a string of many concatenated parts. */
const digits: Buffer = Buffer.from('0000-00-00T00:00:00Z', 'latin1');
let writtenDay: number = Number.NaN;

/**
 * Formats seconds since 1970 as `2026-01-31T12:00:00Z`. Returns `null` for the zero time, and `undefined` for
 * a time out of range.
 */
export function timeText(seconds: number): string | null | undefined {
  if (seconds === noTime) return null;
  if (!(seconds >= firstTime && seconds <= lastTime)) return undefined;
  const place = seconds & (cacheSize - 1);
  if (cachedSeconds[place] === seconds) return cachedTexts[place];
  const text = format(seconds);
  cachedSeconds[place] = seconds;
  cachedTexts[place] = text;
  return text;
}

function format(seconds: number): string {
  if (seconds >= firstLongTime)
    return new Date(seconds * 1000).toISOString().replace(/^\+0?(.*)\.000Z$/, '$1Z');
  const day = Math.floor(seconds / secondsPerDay);
  const rest = seconds - day * secondsPerDay;
  const minutes = Math.floor(rest / 60);
  if (day !== writtenDay) writeDate(day);
  writeTwo(11, Math.floor(minutes / 60));
  writeTwo(14, minutes % 60);
  writeTwo(17, rest % 60);
  return digits.toString('latin1');
}

function writeTwo(at: number, number: number): void {
  const tens = Math.trunc(number / 10);
  digits[at] = zero + tens;
  digits[at + 1] = zero + number - 10 * tens;
}

function writeDate(day: number): void {
  const date = new Date(day * secondsPerDay * 1000);
  const year = date.getUTCFullYear();
  writeTwo(0, Math.trunc(year / 100));
  writeTwo(2, year % 100);
  writeTwo(5, date.getUTCMonth() + 1);
  writeTwo(8, date.getUTCDate());
  writtenDay = day;
}

/**
 * Formats a time with six fraction digits. Returns `null` for the zero time, and `undefined` for a time out
 * of range. Nanoseconds out of range are carried as in Go.
 */
export function microTimeText(seconds: number, nanos: number): string | null | undefined {
  const micros = Math.trunc(nanos / 1000);
  const carried = Math.floor(micros / 1_000_000);
  if (seconds === noTime && micros === 0) return null;
  const whole = seconds + carried === noTime ? format(noTime) : timeText(seconds + carried);
  return typeof whole !== 'string'
    ? undefined
    : `${whole.slice(0, -1)}.${String(micros - carried * 1_000_000).padStart(6, '0')}Z`;
}

/** A time as written: seconds since 1970, and additional nanoseconds. */
export interface Moment {
  readonly seconds: number;
  readonly nanos: number;
}

const pattern = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Strings that were parsed before, by some of their digits. */
const readTexts: string[] = new Array<string>(cacheSize).fill('');
const readMoments: (Moment | undefined)[] = new Array<Moment | undefined>(cacheSize).fill(undefined);

/** Parses an RFC 3339 string; returns `undefined` if it is invalid. */
export function momentOf(text: string): Moment | undefined {
  const place = placeOf(text);
  if (readTexts[place] === text) return readMoments[place];
  const moment = fastMoment(text) ?? parseMoment(text);
  if (moment !== undefined) {
    readTexts[place] = text;
    readMoments[place] = moment;
  }
  return moment;
}

function placeOf(text: string): number {
  const code = (at: number): number => text.charCodeAt(at) & 15;
  // Hashes the day, the hour, the minute and the second; only a part of a string without these.
  return (
    (code(9) ^
      (code(11) << 4) ^
      (code(12) << 5) ^
      (code(14) << 9) ^
      (code(15) << 4) ^
      (code(17) << 7) ^
      code(18)) &
    (cacheSize - 1)
  );
}

const notDigits = 100;

const separators: readonly (readonly [number, string])[] = [
  [4, '-'],
  [7, '-'],
  [10, 'T'],
  [13, ':'],
  [16, ':'],
  [19, 'Z'],
];

/**
 * Parses whole seconds in UTC, as servers write them; returns `undefined` for other strings, and for the last
 * days of months.
 */
function fastMoment(text: string): Moment | undefined {
  if (text.length !== 20 || !separators.every(([at, separator]) => text[at] === separator)) return undefined;
  const century = twoDigits(text, 0);
  const year = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(century > 0 && century < notDigits && year < notDigits)) return undefined;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 28)) return undefined;
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const days = daysOfMonth(100 * century + year, month) + day - 1;
  return { seconds: days * secondsPerDay + hour * 3600 + minute * 60 + second, nanos: 0 };
}

/** Returns a number of two digits; `notDigits` if there are none. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : notDigits;
}

let lastMonth = 0;
let lastDays = 0;

/** Returns the days from 1970 to the first of a month. */
function daysOfMonth(year: number, month: number): number {
  const index = 12 * year + month;
  if (index !== lastMonth) {
    lastMonth = index;
    lastDays = Date.UTC(year, month - 1) / (secondsPerDay * 1000);
  }
  return lastDays;
}

function parseMoment(text: string): Moment | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', zone = ''] = pattern.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const valid = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!valid || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetOf(zone);
  if (offset === undefined) return undefined;
  const seconds = date.getTime() / 1000 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return { seconds, nanos: Number(fraction.slice(0, 9).padEnd(9, '0')) };
}

/** Returns the offset of a zone from UTC, in seconds. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4));
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith('-') ? -60 : 60) * (hours * 60 + minutes);
}
