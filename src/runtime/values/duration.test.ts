import { describe, expect, it } from 'vitest';
import {
  durationFromMilliseconds,
  durationToMilliseconds,
  formatDuration,
  parseDuration,
} from './duration.ts';

// Results of Go 1.26 for the same input.
describe('durations', () => {
  it.each<[given: string, nanoseconds: bigint, text: string]>([
    ['0', 0n, '0s'],
    ['-0', 0n, '0s'],
    ['0h', 0n, '0s'],
    ['1h30m', 5_400_000_000_000n, '1h30m0s'],
    ['1.5h', 5_400_000_000_000n, '1h30m0s'],
    ['300ms', 300_000_000n, '300ms'],
    ['-1.5s', -1_500_000_000n, '-1.5s'],
    ['+5s', 5_000_000_000n, '5s'],
    ['.5s', 500_000_000n, '500ms'],
    ['5.s', 5_000_000_000n, '5s'],
    ['1us', 1_000n, '1µs'],
    ['1500µs', 1_500_000n, '1.5ms'],
    ['2μs', 2_000n, '2µs'],
    ['1ns', 1n, '1ns'],
    ['0.4ns', 0n, '0s'],
    ['100h', 360_000_000_000_000n, '100h0m0s'],
    ['1m1ms', 60_001_000_000n, '1m0.001s'],
    ['30s1m', 90_000_000_000n, '1m30s'],
    ['0.3333333333333333333h', 1_200_000_000_000n, '20m0s'],
    ['0.830103483285477580700h', 2_988_372_539_827n, '49m48.372539827s'],
    ['2562047h47m16.854775807s', 9_223_372_036_854_775_807n, '2562047h47m16.854775807s'],
    ['-2562047h47m16.854775808s', -9_223_372_036_854_775_808n, '-2562047h47m16.854775808s'],
  ])('%s', (given, nanoseconds, text) => {
    expect(parseDuration(given)).toBe(nanoseconds);
    expect(formatDuration(nanoseconds)).toBe(text);
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  it.each<[given: string, message: RegExp]>([
    ['', /not a duration: "": it is empty/],
    ['-', /it is empty/],
    ['3', /not a duration: "3": a unit is missing; use ns, us, ms, s, m or h/],
    ['1h3', /a unit is missing/],
    ['1d', /unknown unit "d"/],
    ['1 s', /unknown unit " s"/],
    ['s', /it must begin with a number/],
    ['.s', /it must begin with a number/],
    ['--1s', /it must begin with a number/],
    ['1h-1m', /unknown unit "h-"/],
    ['1e3s', /unknown unit "e"/],
    ['∞', /it must begin with a number/],
  ])('throws for %j', (given, message) => {
    expect(() => parseDuration(given)).toThrow(TypeError);
    expect(() => parseDuration(given)).toThrow(message);
  });

  it.each(['9223372036854775808ns', '2562048h', '-9223372036854775809ns', '99999999999999999999999h'])(
    'throws RangeError for %s, which is too long',
    (given) => {
      expect(() => parseDuration(given)).toThrow(RangeError);
    },
  );

  it('throws for durations that cannot be parsed back', () => {
    expect(() => formatDuration(2n ** 63n)).toThrow(RangeError);
    expect(() => formatDuration(-(2n ** 63n) - 1n)).toThrow(RangeError);
  });

  it.each([
    [90_000, '1m30s'],
    [0.5, '500µs'],
    [-1500, '-1.5s'],
    [0, '0s'],
    [1e-6, '1ns'],
  ])('formats %d ms as %s', (milliseconds, text) => {
    expect(durationFromMilliseconds(milliseconds)).toBe(text);
    expect(durationToMilliseconds(text)).toBe(milliseconds);
  });

  it('throws for milliseconds that are not finite', () => {
    expect(() => durationFromMilliseconds(Number.NaN)).toThrow(RangeError);
    expect(() => durationFromMilliseconds(Number.POSITIVE_INFINITY)).toThrow(RangeError);
    expect(() => durationFromMilliseconds(1e300)).toThrow(RangeError);
  });
});
