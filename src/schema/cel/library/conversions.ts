/** Conversions between types. */

import { utf8 } from '../../values/bytes.ts';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  param,
  string,
  type Type,
  timestamp,
  typeOfType,
  uint,
} from '../check/types.ts';
import { type Functions, type Overload, overload } from '../environment.ts';
import {
  CelUint,
  celUint,
  Duration,
  EvaluationError,
  Timestamp,
  TypeValue,
  typeNameOf,
  type Value,
} from '../values/value.ts';
import { timestampIn } from './arithmetic.ts';
import { printDouble } from './numbers.ts';
import { parseDuration, parseTimestamp, printDuration, printTimestamp } from './times.ts';

type Convert = (value: Value) => Value;

const toInt: Convert = (value) => {
  if (typeof value === 'bigint') return value;
  if (value instanceof CelUint) return inRange(value.value, 'integer overflow');
  if (value instanceof Timestamp) return floorSeconds(value.nanos);
  if (value instanceof Duration) return value.nanos;
  if (typeof value === 'number') return doubleToInt(value);
  if (typeof value !== 'string') throw failed(value, 'int');
  if (!/^[+-]?\d+$/.test(value)) throw failed(value, 'int');
  const parsed = BigInt(value.replace(/^\+/, ''));
  if (parsed < -(2n ** 63n) || parsed >= 2n ** 63n) throw failed(value, 'int');
  return parsed;
};

function failed(value: Value, to: string): EvaluationError {
  return new EvaluationError(`type conversion error from '${typeNameOf(value)}' to '${to}'`);
}

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 1_000_000_000n;
  return nanos < 0n && nanos % 1_000_000_000n !== 0n ? seconds - 1n : seconds;
}

function inRange(value: bigint, message: string): bigint {
  if (value >= 2n ** 63n) throw new EvaluationError(message);
  return value;
}

function doubleToInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63)
    throw new EvaluationError('integer overflow');
  return BigInt(Math.trunc(value));
}

const toUint: Convert = (value) => {
  if (value instanceof CelUint) return value;
  if (typeof value === 'bigint') {
    if (value < 0n) throw new EvaluationError('unsigned integer overflow');
    return celUint(value);
  }
  if (typeof value === 'number') {
    if (!(value >= 0 && value < 2 ** 64)) throw new EvaluationError('unsigned integer overflow');
    return celUint(BigInt(Math.trunc(value)));
  }
  if (typeof value !== 'string' || !/^\d+$/.test(value) || BigInt(value) >= 2n ** 64n)
    throw failed(value, 'uint');
  return celUint(BigInt(value));
};

const toDouble: Convert = (value) => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  if (typeof value === 'string') return parseDouble(value);
  throw failed(value, 'double');
};

function parseDouble(text: string): number {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) throw failed(text, 'double');
  return Number(text);
}

const toText: Convert = (value) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return printDouble(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (!(value instanceof Uint8Array)) throw failed(value, 'string');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    throw new EvaluationError('invalid UTF-8 in bytes, cannot convert to string');
  }
};

const truths = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text): [string, boolean] => [text, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text): [string, boolean] => [text, false]),
]);

const toBool: Convert = (value) => {
  if (typeof value === 'boolean') return value;
  const found = typeof value === 'string' ? truths.get(value) : undefined;
  if (found === undefined) throw failed(value, 'bool');
  return found;
};

const toBytes: Convert = (value) => {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return utf8(value);
  throw failed(value, 'bytes');
};

const toTimestamp: Convert = (value) => {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return timestampIn(value * 1_000_000_000n);
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (parsed === undefined) throw failed(value, 'google.protobuf.Timestamp');
  return parsed;
};

const toDuration: Convert = (value) => {
  if (value instanceof Duration) return value;
  if (typeof value === 'bigint') return new Duration(value);
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  if (parsed === undefined) throw failed(value, 'google.protobuf.Duration');
  return parsed;
};

const any = param('A');

/** Conversions, `type` and `dyn`. */
export const conversions: Functions = new Map<string, readonly Overload[]>([
  ['type', [overload('type', [any], typeOfType(any), ([value = null]) => new TypeValue(typeNameOf(value)))]],
  ['dyn', [overload('to_dyn', [any], dyn, ([value = null]) => value)]],
  [
    'bool',
    conversion(
      [
        ['bool_to_bool', bool],
        ['string_to_bool', string],
      ],
      bool,
      toBool,
    ),
  ],
  [
    'bytes',
    conversion(
      [
        ['bytes_to_bytes', bytes],
        ['string_to_bytes', string],
      ],
      bytes,
      toBytes,
    ),
  ],
  [
    'double',
    conversion(
      [
        ['double_to_double', double],
        ['int64_to_double', int],
        ['string_to_double', string],
        ['uint64_to_double', uint],
      ],
      double,
      toDouble,
    ),
  ],
  [
    'duration',
    conversion(
      [
        ['duration_to_duration', duration],
        ['int64_to_duration', int],
        ['string_to_duration', string],
      ],
      duration,
      toDuration,
    ),
  ],
  [
    'int',
    conversion(
      [
        ['int64_to_int64', int],
        ['double_to_int64', double],
        ['duration_to_int64', duration],
        ['string_to_int64', string],
        ['timestamp_to_int64', timestamp],
        ['uint64_to_int64', uint],
      ],
      int,
      toInt,
    ),
  ],
  [
    'string',
    conversion(
      [
        ['string_to_string', string],
        ['bool_to_string', bool],
        ['bytes_to_string', bytes],
        ['double_to_string', double],
        ['duration_to_string', duration],
        ['int64_to_string', int],
        ['timestamp_to_string', timestamp],
        ['uint64_to_string', uint],
      ],
      string,
      toText,
    ),
  ],
  [
    'timestamp',
    conversion(
      [
        ['timestamp_to_timestamp', timestamp],
        ['int64_to_timestamp', int],
        ['string_to_timestamp', string],
      ],
      timestamp,
      toTimestamp,
    ),
  ],
  [
    'uint',
    conversion(
      [
        ['uint64_to_uint64', uint],
        ['double_to_uint64', double],
        ['int64_to_uint64', int],
        ['string_to_uint64', string],
      ],
      uint,
      toUint,
    ),
  ],
]);

function conversion(
  signatures: readonly (readonly [id: string, from: Type])[],
  result: Type,
  convert: Convert,
): readonly Overload[] {
  return signatures.map(([id, from]) => overload(id, [from], result, ([value = null]) => convert(value)));
}
