import { hexOf, textOf, utf8 } from '../../values/bytes.ts';
import {
  CelList,
  CelMap,
  CelUint,
  Duration,
  EvaluationError,
  noSuchOverload,
  Timestamp,
  TypeValue,
  typeNameOf,
  type Value,
} from '../values/value.ts';
import { printDouble } from './numbers.ts';
import { printDuration, printTimestamp } from './times.ts';

/** Default digits after the point of `%f` and `%e`. */
const defaultPrecision = 6;

/**
 * Formats values by a string with clauses such as `%s`, `%d` and `%.2f`.
 * @throws {EvaluationError} for an unknown clause, or a value of the wrong type
 */
export function formatString(format: string, list: Value): string {
  if (!(list instanceof CelList)) throw noSuchOverload();
  let index = 0;
  return format.replace(
    /%%|%(?:\.(\d+))?([\s\S]?)/gu,
    (match, precision: string | undefined, clause: string) => {
      if (match === '%%') return '%';
      const value = list.items[index];
      if (value === undefined && index >= list.items.length)
        throw new EvaluationError(`index ${index} out of range`);
      index += 1;
      if (clause === '') throw new EvaluationError('unexpected end of string');
      const digits = precision === undefined ? defaultPrecision : Number(precision);
      return formatClause(clause, digits, value ?? null);
    },
  );
}

function formatClause(clause: string, digits: number, value: Value): string {
  switch (clause) {
    case 's':
      return printValue(value);
    case 'd':
      return decimal(value);
    case 'f':
      return fixedPoint(value, digits);
    case 'e':
      return scientific(value, digits);
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : inBase(value, 2, 'binary');
    case 'o':
      return inBase(value, 8, 'octal');
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value).toUpperCase();
    default:
      throw new EvaluationError(
        `could not parse formatting clause: unrecognized formatting clause "${clause}"`,
      );
  }
}

/** Returns a value as `%s` prints it. */
function printValue(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return printDouble(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return textOf(value);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof CelList) return `[${value.items.map(printElement).join(', ')}]`;
  if (value instanceof CelMap) return printMap(value);
  throw failed(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    value,
  );
}

function failed(message: string, value: Value): EvaluationError {
  return new EvaluationError(`error during formatting: ${message}, was given ${typeNameOf(value)}`);
}

function printElement(value: Value): string {
  const printed = printValue(value);
  if (typeof value === 'string') return JSON.stringify(printed);
  if (value instanceof Uint8Array) return `b${JSON.stringify(printed)}`;
  return typeof value === 'number' && !Number.isFinite(value) ? JSON.stringify(printed) : printed;
}

function printMap(map: CelMap): string {
  const entries = [...map.entries.values()].map(([key, value]): [string, string] => [
    printElement(key),
    printElement(value),
  ]);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function decimal(value: Value): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof CelUint) return String(value.value);
  throw failed('decimal clause can only be used on integers', value);
}

/** The server prints numbers in the language en_US: with commas. */
function fixedPoint(value: Value, digits: number): string {
  const number = numberOf(value, 'fixed-point clause can only be used on doubles');
  const [whole = '', fraction] = number.toFixed(digits).split('.');
  const grouped = whole.replace(
    /^(-?\d{1,3})((?:\d{3})+)$/,
    (_, first: string, rest: string) => first + rest.replace(/\d{3}/g, ',$&'),
  );
  return nonFinite(number) ?? (fraction === undefined ? grouped : `${grouped}.${fraction}`);
}

function numberOf(value: Value, message: string): number {
  if (typeof value === 'number') return value;
  const special: Readonly<Record<string, number>> = {
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '-Infinity': Number.NEGATIVE_INFINITY,
  };
  const found = typeof value === 'string' ? special[value] : undefined;
  if (found === undefined) throw failed(message, value);
  return found;
}

function nonFinite(value: number): string | undefined {
  if (Number.isFinite(value)) return undefined;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞';
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function scientific(value: Value, digits: number): string {
  const number = numberOf(value, 'scientific clause can only be used on doubles');
  const special = nonFinite(number);
  if (special !== undefined) return special;
  const [mantissa = '', exponent = '0'] = number.toExponential(digits).split('e');
  const power = exponent.replace('+', '').replace('-', '⁻').padStart(2, '0');
  return `${mantissa}\u202f×\u202f10${power.replace(/\d/g, (digit) => superscripts[Number(digit)] ?? digit)}`;
}

function inBase(value: Value, base: number, name: string): string {
  if (typeof value === 'bigint') return value.toString(base);
  if (value instanceof CelUint) return value.value.toString(base);
  throw failed(
    name === 'binary'
      ? 'only integers and bools can be formatted as binary'
      : 'octal clause can only be used on integers',
    value,
  );
}

function hexadecimal(value: Value): string {
  if (typeof value === 'string') return hexOf(utf8(value));
  if (value instanceof Uint8Array) return hexOf(value);
  if (typeof value === 'bigint') return value.toString(16);
  if (value instanceof CelUint) return value.value.toString(16);
  throw failed('only integers, byte buffers, and strings can be formatted as hex', value);
}
