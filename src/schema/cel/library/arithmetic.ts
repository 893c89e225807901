/** Arithmetic operators. */
import {
  bytes,
  double,
  duration,
  int,
  listOf,
  param,
  string,
  type Type,
  timestamp,
  uint,
} from '../check/types.ts';
import { type Functions, type Overload, overload } from '../environment.ts';
import { isSameItem } from '../values/equality.ts';
import {
  CelList,
  CelUint,
  celUint,
  Duration,
  EvaluationError,
  noSuchOverload,
  Timestamp,
  type Value,
} from '../values/value.ts';

const listOfA = listOf(param('A'));

/** Returns a timestamp. @throws {EvaluationError} outside of the years 1 to 9999 */
export function timestampIn(nanos: bigint): Timestamp {
  if (nanos < -62_135_596_800_000_000_000n || nanos > 253_402_300_799_999_999_999n)
    throw new EvaluationError('timestamp overflow');
  return new Timestamp(nanos);
}

/** Returns a duration. @throws {EvaluationError} beyond 64 bits of nanoseconds */
export function durationIn(nanos: bigint): Duration {
  if (nanos < -(2n ** 63n) || nanos >= 2n ** 63n) throw new EvaluationError('duration overflow');
  return new Duration(nanos);
}

/** Returns the sum of two values, or their concatenation. */
export function plus(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intIn(a + b, 'int');
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (a instanceof CelUint && b instanceof CelUint) return uintIn(a.value + b.value, 'uint');
  if (a instanceof CelList && b instanceof CelList) return concatenated(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.from([...a, ...b]);
  if (a instanceof Duration && b instanceof Duration) return durationIn(a.nanos + b.nanos);
  if (a instanceof Duration && b instanceof Timestamp) return timestampIn(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestampIn(a.nanos + b.nanos);
  throw noSuchOverload();
}

function intIn(value: bigint, operation: string): bigint {
  if (value < -(2n ** 63n) || value >= 2n ** 63n) throw new EvaluationError(overflow(operation));
  return value;
}

function overflow(type: string): string {
  return type === 'int'
    ? 'integer overflow'
    : type === 'uint'
      ? 'unsigned integer overflow'
      : `${type} overflow`;
}

function uintIn(value: bigint, operation: string): CelUint {
  if (value < 0n || value >= 2n ** 64n) throw new EvaluationError(overflow(operation));
  return celUint(value);
}

/** Lists of type set or map are combined as apply combines them: equal elements are replaced. */
function concatenated(a: CelList, b: CelList): CelList {
  const { identity } = a;
  if (identity === undefined) return new CelList([...a.items, ...b.items]);
  const result = [...a.items];
  for (const item of b.items) {
    const index = result.findIndex((other) => isSameItem(other, item, identity));
    if (index < 0) result.push(item);
    else if (identity.type === 'map') result[index] = item;
  }
  return new CelList(result, identity);
}

const numbers = (name: string): readonly (readonly [string, Type, Type, Type])[] => [
  [`${name}_double`, double, double, double],
  [`${name}_int64`, int, int, int],
  [`${name}_uint64`, uint, uint, uint],
];

/** `+`, `-`, `*`, `/`, `%` and the sign. */
export const arithmetic: Functions = new Map<string, readonly Overload[]>([
  [
    '_+_',
    binary(
      [
        ['add_bytes', bytes, bytes, bytes],
        ['add_double', double, double, double],
        ['add_duration_duration', duration, duration, duration],
        ['add_duration_timestamp', duration, timestamp, timestamp],
        ['add_timestamp_duration', timestamp, duration, timestamp],
        ['add_int64', int, int, int],
        ['add_list', listOfA, listOfA, listOfA],
        ['add_string', string, string, string],
        ['add_uint64', uint, uint, uint],
      ],
      plus,
    ),
  ],
  [
    '_-_',
    binary(
      [
        ...numbers('subtract'),
        ['subtract_duration_duration', duration, duration, duration],
        ['subtract_timestamp_duration', timestamp, duration, timestamp],
        ['subtract_timestamp_timestamp', timestamp, timestamp, duration],
      ],
      minus,
    ),
  ],
  ['_*_', binary(numbers('multiply'), times)],
  ['_/_', binary(numbers('divide'), divided)],
  ['_%_', binary(numbers('modulo').slice(1), modulo)],
  [
    '-_',
    [
      overload('negate_double', [double], double, ([value = null]) => negated(value)),
      overload('negate_int64', [int], int, ([value = null]) => negated(value)),
    ],
  ],
]);

/** Returns an operator with the same implementation for all types. */
function binary(
  signatures: readonly (readonly [id: string, left: Type, right: Type, result: Type])[],
  call: (a: Value, b: Value) => Value,
): readonly Overload[] {
  return signatures.map(([id, left, right, result]) =>
    overload(id, [left, right], result, ([a = null, b = null]) => call(a, b)),
  );
}

function minus(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intIn(a - b, 'int');
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (a instanceof CelUint && b instanceof CelUint) return uintIn(a.value - b.value, 'uint');
  if (a instanceof Duration && b instanceof Duration) return durationIn(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return timestampIn(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Timestamp) return durationIn(a.nanos - b.nanos);
  throw noSuchOverload();
}

function times(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return intIn(a * b, 'int');
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (a instanceof CelUint && b instanceof CelUint) return uintIn(a.value * b.value, 'uint');
  throw noSuchOverload();
}

function divided(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return a / b;
  const [x, y] = integers(a, b);
  if (y === 0n) throw new EvaluationError('division by zero');
  return a instanceof CelUint ? celUint(x / y) : intIn(x / y, 'int');
}

function integers(a: Value, b: Value): readonly [bigint, bigint] {
  if (typeof a === 'bigint' && typeof b === 'bigint') return [a, b];
  if (a instanceof CelUint && b instanceof CelUint) return [a.value, b.value];
  throw noSuchOverload();
}

function modulo(a: Value, b: Value): Value {
  const [x, y] = integers(a, b);
  if (y === 0n) throw new EvaluationError('modulus by zero');
  return a instanceof CelUint ? celUint(x % y) : intIn(x % y, 'int');
}

function negated(value: Value): Value {
  if (typeof value === 'bigint') return intIn(-value, 'int');
  if (typeof value === 'number') return -value;
  throw noSuchOverload();
}
