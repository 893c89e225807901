/** Schedules of CronJobs: five fields, or a descriptor such as `@hourly`, in a time zone. */

import { parseDuration } from '@kgen/schema/cel/library/times';

/** A schedule. */
export interface CronSchedule {
  /**
   * Returns the first time after another one, both in milliseconds since the epoch. `undefined` if there is
   * none within five years, such as for February 31.
   */
  readonly next: (after: number) => number | undefined;
}

/** Parses a schedule. Returns the message of the API server for one that is not valid. */
export function parseSchedule(line: string, timeZone = 'UTC'): CronSchedule | string {
  try {
    if (line.startsWith('@every ')) return every(line);
    const expression = descriptors.get(line) ?? line;
    if (expression.startsWith('@')) return `unrecognized descriptor: ${line}`;
    return fieldSchedule(expression, zoneOf(timeZone));
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

const second = 1_000;
const minute = 60 * second;

function every(line: string): CronSchedule | string {
  const notation = line.slice('@every '.length);
  const duration = parseDuration(notation);
  if (duration === undefined)
    return `failed to parse duration ${line}: time: invalid duration ${JSON.stringify(notation)}`;
  const seconds = Math.max(1, Math.floor(Number(duration.nanos) / 1e9));
  return { next: (after) => Math.floor(after / second) * second + seconds * second };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: weekdays },
];

/** The values that a field allows, and whether it allows all by a star. */
interface Field {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

function fieldSchedule(line: string, zone: Zone): CronSchedule {
  const parts = line.trim().split(/\s+/).filter(Boolean);
  if (parts.length !== bounds.length) {
    throw new RangeError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  }
  const [minutes, hours, days, ofMonths, ofWeek] = parts.map((part, index) =>
    parseField(part, bounds[index]),
  );
  const isDay = ({ day, weekday }: WallTime): boolean => {
    const [inMonth, inWeek] = [days?.values.has(day) === true, ofWeek?.values.has(weekday) === true];
    return days?.isStar === true || ofWeek?.isStar === true ? inMonth && inWeek : inMonth || inWeek;
  };
  /** Returns the time itself, or a later one before which no time matches. */
  const later = (time: number): number => {
    const wall = zone.wallTime(time);
    if (ofMonths?.values.has(wall.month) !== true) return zone.midnight(wall.year, wall.month + 1, 1);
    if (!isDay(wall)) return zone.midnight(wall.year, wall.month, wall.day + 1);
    if (hours?.values.has(wall.hour) !== true) return time + (60 - wall.minute) * minute;
    return minutes?.values.has(wall.minute) === true ? time : time + minute;
  };
  return {
    next: (after) => {
      const lastYear = zone.wallTime(after).year + 5;
      for (let time = Math.floor(after / minute) * minute + minute; ; ) {
        const next = later(time);
        if (next === time) return time;
        time = Math.max(next, time + minute);
        if (zone.wallTime(time).year > lastYear) return undefined;
      }
    },
  };
}

function parseField(field: string, limits: Bounds = { min: 0, max: 0 }): Field {
  const ranges = field
    .split(',')
    .filter(Boolean)
    .map((part) => parseRange(part, limits));
  return {
    values: new Set(ranges.flatMap(({ values }) => [...values])),
    isStar: ranges.some(({ isStar }) => isStar),
  };
}

function parseRange(part: string, { min, max, names = [] }: Bounds): Field {
  const [range = '', step, ...slashes] = part.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const isAll = low === '*' || low === '?';
  if (!isAll && hyphens.length > 0) throw new RangeError(`too many hyphens: ${part}`);
  const start = isAll ? min : parseValue(low, names);
  const given = isAll ? max : high === undefined ? start : parseValue(high, names);
  if (slashes.length > 0) throw new RangeError(`too many slashes: ${part}`);
  const stride = step === undefined ? 1 : parseValue(step, []);
  const end = step !== undefined && high === undefined ? max : given;
  if (start < min) throw new RangeError(`beginning of range (${start}) below minimum (${min}): ${part}`);
  if (end > max) throw new RangeError(`end of range (${end}) above maximum (${max}): ${part}`);
  if (start > end)
    throw new RangeError(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (stride === 0) throw new RangeError(`step of range should be a positive number: ${part}`);
  const count = Math.floor((end - start) / stride) + 1;
  const values = new Set(Array.from({ length: count }, (_, index) => start + index * stride));
  return { values, isStar: isAll && stride === 1 };
}

function parseValue(value: string, names: readonly string[]): number {
  const named = names.indexOf(value.toLowerCase());
  // Months begin with 1, weekdays with 0.
  if (named >= 0) return names === months ? named + 1 : named;
  if (!/^[-+]?\d+$/.test(value)) {
    const cause = `strconv.Atoi: parsing ${JSON.stringify(value)}: invalid syntax`;
    throw new RangeError(`failed to parse int from ${value}: ${cause}`);
  }
  const number = Number(value);
  if (number < 0) throw new RangeError(`negative number (${number}) not allowed: ${value}`);
  return number;
}

interface WallTime {
  readonly year: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** From 0, Sunday. */
  readonly weekday: number;
}

interface Zone {
  readonly wallTime: (time: number) => WallTime;
  /** Returns the beginning of a day, whose month and day may exceed those of the year and the month. */
  readonly midnight: (year: number, month: number, day: number) => number;
}

/** Returns a time zone. @throws {RangeError} for an unknown one */
function zoneOf(timeZone: string): Zone {
  const offset = offsetIn(timeZone);
  return {
    wallTime: (time) => {
      const local = new Date(time + offset(time));
      return {
        year: local.getUTCFullYear(),
        month: local.getUTCMonth() + 1,
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        minute: local.getUTCMinutes(),
        weekday: local.getUTCDay(),
      };
    },
    midnight: (year, month, day) => {
      const local = Date.UTC(year, month - 1, day);
      const found = local - offset(local - offset(local));
      // Some days begin at 01:00.
      return found + Math.max(0, local - (found + offset(found)));
    },
  };
}

/** Returns the function of the difference between the local time and UTC, in milliseconds. */
function offsetIn(timeZone: string): (time: number) => number {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (time) => {
    const parts = new Map<string, number>(
      format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const [year = 0, month = 1, ...rest] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((type) =>
      parts.get(type),
    );
    const [day = 1, hour = 0, minutes = 0, seconds = 0] = rest;
    return Date.UTC(year, month - 1, day, hour, minutes, seconds) - Math.floor(time / second) * second;
  };
}

/** Returns a time in a zone as RFC 3339. */
export function formatInZone(time: number, timeZone: string): string {
  const minutes = Math.round(offsetIn(timeZone)(time) / minute);
  const local = new Date(time + minutes * minute).toISOString().slice(0, 19);
  if (minutes === 0) return `${local}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
}
