import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityInput,
  quantityMilliValue,
  quantityToNumber,
  quantityValue,
  subtractQuantities,
} from './quantity.ts';

// Results of apimachinery 1.36 for the same input.
describe('canonical form', () => {
  it.each<[given: QuantityInput, want: string]>([
    ['0', '0'],
    ['-0', '0'],
    ['0Gi', '0'],
    ['.5', '500m'],
    ['5.', '5'],
    ['+5', '5'],
    ['0012', '12'],
    ['1.500', '1500m'],
    ['0.1', '100m'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['999n', '999n'],
    ['1000u', '1m'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1.5n', '2n'],
    ['1e-1000000', '1e-9'],
    ['0.0000000001Ki', '103n'],
    ['12000', '12k'],
    ['123456', '123456'],
    ['1k', '1k'],
    ['1000000G', '1P'],
    ['1E', '1E'],
    ['10E', '10E'],
    ['1E3', '1e3'],
    ['1e0', '1'],
    ['1e1', '10'],
    ['15e2', '1500'],
    ['1e4', '10e3'],
    ['1e-3', '1e-3'],
    ['100e-4', '10e-3'],
    ['1e21', '1e21'],
    ['12.e3', '12e3'],
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['0.5Ki', '512'],
    ['1023Ki', '1023Ki'],
    ['1.1Ki', '1126400m'],
    ['-1.5Gi', '-1536Mi'],
    ['0.3Mi', '314572800m'],
    ['7Ei', '7Ei'],
    ['8Ei', '9223372036854775807'],
    ['-9Ei', '-9223372036854775807'],
    ['1048576', '1048576'],
    ['12345678901234567890.123456789', '12345678901234567890123456789n'],
    [2, '2'],
    [0.1, '100m'],
    [1e21, '1e21'],
  ])('%j: %s', (given, want) => {
    expect(formatQuantity(given)).toBe(want);
    expect(formatQuantity(want)).toBe(want);
  });

  it('writes parsed quantities', () => {
    expect(formatQuantity({ nanos: 2n ** 30n * 1_000_000_000n, format: 'BinarySI' })).toBe('1Gi');
  });

  // apimachinery loses the suffix here and returns 1.
  it('keeps amounts above the largest suffix', () => {
    expect(formatQuantity('1000E')).toBe('1000E');
  });
});

describe('parseQuantity', () => {
  it.each<[given: QuantityInput, message: RegExp]>([
    ['', /not a quantity: "": it must begin with a number/],
    ['.', /it must begin with a number/],
    ['-', /it must begin with a number/],
    ['Gi', /it must begin with a number/],
    ['abc', /it must begin with a number/],
    [' 1', /it must begin with a number/],
    ['1.2.3', /it must begin with a number/],
    ['--1', /it must begin with a number/],
    [Number.NaN, /it must begin with a number/],
    [Number.POSITIVE_INFINITY, /not a quantity: "Infinity"/],
    ['1 ', /not a quantity: "1 ": the suffix must be one of/],
    ['1K', /the suffix must be one of/],
    ['1ki', /the suffix must be one of/],
    ['1e', /the suffix must be one of/],
    ['1e3.5', /the suffix must be one of|it must begin with a number/],
    ['1e3i', /the suffix must be one of/],
    ['1Ee3', /the suffix must be one of/],
    ['1\n', /the suffix must be one of/],
    ['0x10', /the suffix must be one of/],
    ['1'.repeat(99).concat('!'), /"1{40}…": the suffix/],
  ])('throws for %j', (given, message) => {
    expect(() => parseQuantity(given)).toThrow(TypeError);
    expect(() => parseQuantity(given)).toThrow(message);
  });

  it('throws RangeError for huge exponents', () => {
    expect(() => parseQuantity('1e2147483647')).toThrow(RangeError);
    expect(() => parseQuantity('1e99999999999999999999')).toThrow('the exponent is above 1000');
    expect(parseQuantity('1e-2147483647')).toEqual({ nanos: 1n, format: 'DecimalExponent' });
    expect(parseQuantity('0e-2147483647')).toEqual({ nanos: 0n, format: 'DecimalExponent' });
  });

  it('treats fractions below one as decimal', () => {
    expect(parseQuantity('0.0001Ki')).toEqual({ nanos: 102_400_000n, format: 'DecimalSI' });
    expect(parseQuantity('1Ki')).toEqual({ nanos: 1_024_000_000_000n, format: 'BinarySI' });
  });
});

describe('arithmetic', () => {
  it.each<[a: QuantityInput, b: QuantityInput, order: -1 | 0 | 1, sum: string, difference: string]>([
    ['500m', '1', -1, '1500m', '-500m'],
    ['1Gi', '512Mi', 1, '1536Mi', '512Mi'],
    ['1Gi', '1G', 1, '2073741824', '73741824'],
    ['1000m', '1', 0, '2', '0'],
    ['0', '1Gi', -1, '1Gi', '-1Gi'],
    ['1e3', '1Ki', -1, '2024', '-24'],
    ['9223372036854775807', '1', 1, '9223372036854775808', '9223372036854775806'],
    ['0.1', '0.2', -1, '300m', '-100m'],
    [1, '500m', 1, '1500m', '500m'],
  ])('%j and %j', (a, b, order, sum, difference) => {
    expect(compareQuantities(a, b)).toBe(order);
    expect(compareQuantities(b, a)).toBe(0 - order);
    expect(addQuantities(a, b)).toBe(sum);
    expect(subtractQuantities(a, b)).toBe(difference);
  });

  it('adds any number of quantities', () => {
    expect(addQuantities()).toBe('0');
    expect(addQuantities('100m', '200m', '700m')).toBe('1');
  });
});

describe('as numbers', () => {
  it.each<[given: QuantityInput, number: number, whole: bigint, thousandths: bigint]>([
    ['500m', 0.5, 1n, 500n],
    ['-500m', -0.5, -1n, -500n],
    ['0.1', 0.1, 1n, 100n],
    ['1n', 1e-9, 1n, 1n],
    ['1Gi', 1073741824, 1073741824n, 1073741824000n],
    ['1e21', 1e21, 10n ** 21n, 10n ** 24n],
    ['0', 0, 0n, 0n],
  ])('%j', (given, number, whole, thousandths) => {
    expect(quantityToNumber(given)).toBe(number);
    expect(quantityValue(given)).toBe(whole);
    expect(quantityMilliValue(given)).toBe(thousandths);
  });
});
