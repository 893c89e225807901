/** Timestamps and durations: their notation and their parts. */
import { duration, int, string, timestamp } from '../check/types.ts';
import { type Functions, member, type Overload } from '../environment.ts';
import { Duration, EvaluationError, noSuchOverload, Timestamp, type Value } from '../values/value.ts';

const second = 1_000_000_000n;

/** Parses a time in RFC 3339. `undefined` if it is not one. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [, time = '', fraction = '', zone = ''] = parts;
  const ms = Date.parse(`${time}${zone}`);
  const local = Date.parse(`${time}Z`);
  // Date.parse accepts the 30th of February.
  if (Number.isNaN(ms) || new Date(local).toISOString().slice(0, 19) !== time) return undefined;
  return new Timestamp(BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9) || '0'));
}

/** Returns a time in RFC 3339 with the digits that it needs. */
export function printTimestamp({ nanos }: Timestamp): string {
  const seconds = floor(nanos, second);
  const rest = nanos - seconds * second;
  const time = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${time}${fractionOf(rest)}Z`;
}

/** Returns the digits that a part of a second needs, behind their dot. */
function fractionOf(nanos: bigint): string {
  if (nanos === 0n) return '';
  const digits = String(nanos).padStart(9, '0');
  return `.${digits.replace(/(?<!0)0+$/, '')}`;
}

function floor(a: bigint, b: bigint): bigint {
  const result = a / b;
  return a % b < 0n ? result - 1n : result;
}

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: second,
  m: 60n * second,
  h: 3600n * second,
};

/** Parses a duration in Go's notation, such as `1h30m`. `undefined` if it is not one. */
export function parseDuration(text: string): Duration | undefined {
  if (/^[+-]?0$/.test(text)) return new Duration(0n);
  if (!/^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return undefined;
  let nanos = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text
    .replace(/^[+-]/, '')
    .matchAll(/(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/gy)) {
    const size = units[unit] ?? 0n;
    nanos += BigInt(whole || '0') * size;
    nanos += (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
  }
  const signed = text.startsWith('-') ? -nanos : nanos;
  return signed < -(2n ** 63n) || signed >= 2n ** 63n ? undefined : new Duration(signed);
}

/** Returns a duration in seconds, such as `90s` or `0.5s`. */
export function printDuration({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  return `${nanos < 0n ? '-' : ''}${size / second}${fractionOf(size % second)}s`;
}

type Part = readonly [name: string, id: string, read: (date: Date) => number, zoned?: string];

const timestampParts: readonly Part[] = [
  ['getFullYear', 'year', (date) => date.getUTCFullYear()],
  ['getMonth', 'month', (date) => date.getUTCMonth()],
  ['getDayOfYear', 'day_of_year', dayOfYear],
  ['getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1],
  ['getDate', 'day_of_month_1_based', (date) => date.getUTCDate()],
  ['getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()],
  ['getHours', 'hours', (date) => date.getUTCHours()],
  ['getMinutes', 'minutes', (date) => date.getUTCMinutes()],
  ['getSeconds', 'seconds', (date) => date.getUTCSeconds(), 'seconds_tz'],
  ['getMilliseconds', 'milliseconds', (date) => date.getUTCMilliseconds()],
];

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000);
}

const durationParts: ReadonlyMap<string, readonly [id: string, nanos: bigint]> = new Map([
  ['getHours', ['hours', 3600n * second]],
  ['getMinutes', ['minutes', 60n * second]],
  ['getSeconds', ['seconds', second]],
  ['getMilliseconds', ['milliseconds', 1_000_000n]],
]);

/** Accessors of timestamps and durations. */
export const times: Functions = new Map(
  timestampParts.map(([name, id, read, zoned]): [string, readonly Overload[]] => {
    const part = ([value = null, zone = null]: readonly Value[]): Value => {
      if (!(value instanceof Timestamp)) throw noSuchOverload();
      return BigInt(read(inZone(value, zone)));
    };
    const ofDuration = durationParts.get(name);
    return [
      name,
      [
        member(`timestamp_to_${id}`, [timestamp], int, part),
        member(`timestamp_to_${zoned ?? `${id}_with_tz`}`, [timestamp, string], int, part),
        ...(ofDuration === undefined ? [] : [durationPart(ofDuration)]),
      ],
    ];
  }),
);

/** Returns the local time of a zone as a date in UTC. */
function inZone({ nanos }: Timestamp, zone: Value): Date {
  const ms = Number(floor(nanos, 1_000_000n));
  if (zone === null) return new Date(ms);
  if (typeof zone !== 'string') throw noSuchOverload();
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(ms + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  return new Date(ms + zoneOffset(ms, zone));
}

function zoneOffset(ms: number, zone: string): number {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const parts = Object.fromEntries(
      format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second: seconds = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - Math.floor(ms / 1000) * 1000;
  } catch {
    throw new EvaluationError(`unknown time zone ${zone}`);
  }
}

function durationPart([id, size]: readonly [string, bigint]): Overload {
  return member(`duration_to_${id}`, [duration], int, ([value = null]) => {
    if (!(value instanceof Duration)) throw noSuchOverload();
    return value.nanos / size;
  });
}
