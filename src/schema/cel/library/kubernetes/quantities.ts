/** Quantity library of Kubernetes. */
import { compareQuantities, parseQuantity, type QuantityValue } from '@kgen/runtime/quantity';
import { bool, double, int, string, structOf, type Type } from '../../check/types.ts';
import { type Functions, member, type Overload, overload } from '../../environment.ts';
import { EvaluationError, noSuchOverload, Opaque, type Value } from '../../values/value.ts';
import { text } from '../strings.ts';
import { succeeds } from './network.ts';

const unit = 1_000_000_000n;

class Quantity extends Opaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly value: QuantityValue;

  constructor(value: QuantityValue) {
    super();
    this.value = value;
  }

  equals(other: Opaque): boolean {
    return other instanceof Quantity && other.value.nanos === this.value.nanos;
  }
}

const malformed =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Type of quantities. */
export const quantityType: Type = structOf('kubernetes.Quantity');

/** Functions of quantities. */
export const quantities: Functions = new Map<string, readonly Overload[]>([
  ['quantity', [overload('string_to_quantity', [string], quantityType, ([a]) => parse(text(a)))]],
  ['isQuantity', [overload('is_quantity_string', [string], bool, ([a]) => succeeds(() => parse(text(a))))]],
  [
    'sign',
    [
      overload('quantity_sign', [quantityType], int, ([a]) => {
        const { nanos } = quantityOf(a);
        return nanos > 0n ? 1n : nanos < 0n ? -1n : 0n;
      }),
    ],
  ],
  ['isGreaterThan', [comparison('quantity_is_greater_than', (order) => order > 0)]],
  ['isLessThan', [comparison('quantity_is_less_than', (order) => order < 0)]],
  [
    'compareTo',
    [
      member('quantity_compare_to', [quantityType, quantityType], int, ([a, b]) =>
        BigInt(compareQuantities(quantityOf(a), quantityOf(b))),
      ),
    ],
  ],
  [
    'asApproximateFloat',
    [member('quantity_get_float', [quantityType], double, ([a]) => Number(quantityOf(a).nanos) / 1e9)],
  ],
  [
    'asInteger',
    [
      member('quantity_get_int', [quantityType], int, ([a]) => {
        const value = quantityOf(a);
        if (!isWhole(value)) throw new EvaluationError('cannot convert value to integer');
        return value.nanos / unit;
      }),
    ],
  ],
  ['isInteger', [member('quantity_is_integer', [quantityType], bool, ([a]) => isWhole(quantityOf(a)))]],
  sum('add', 1n),
  sum('sub', -1n),
]);

function parse(source: string): Quantity {
  try {
    return new Quantity(parseQuantity(source));
  } catch {
    if (source === '') throw new EvaluationError(malformed);
    const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)/.test(source);
    throw new EvaluationError(isNumber ? "unable to parse quantity's suffix" : malformed);
  }
}

function quantityOf(value: Value | undefined): QuantityValue {
  if (typeof value === 'bigint') return { nanos: value * unit, format: 'DecimalExponent' };
  if (!(value instanceof Quantity)) throw noSuchOverload();
  return value.value;
}

function isWhole({ nanos }: QuantityValue): boolean {
  const units = nanos / unit;
  return nanos % unit === 0n && units >= -(2n ** 63n) && units < 2n ** 63n;
}

function comparison(id: string, accepts: (order: number) => boolean): Overload {
  return member(id, [quantityType, quantityType], bool, ([a, b]) =>
    accepts(compareQuantities(quantityOf(a), quantityOf(b))),
  );
}

function sum(name: string, sign: bigint): [string, readonly Overload[]] {
  return [
    name,
    [
      member(`quantity_${name}`, [quantityType, quantityType], quantityType, ([a, b]) =>
        combined(a, b, sign),
      ),
      member(`quantity_${name}_int`, [quantityType, int], quantityType, ([a, b]) => combined(a, b, sign)),
    ],
  ];
}

function combined(a: Value | undefined, b: Value | undefined, sign: bigint): Quantity {
  const [left, right] = [quantityOf(a), quantityOf(b)];
  const format = left.nanos === 0n ? right.format : left.format;
  return new Quantity({ nanos: left.nanos + sign * right.nanos, format });
}
