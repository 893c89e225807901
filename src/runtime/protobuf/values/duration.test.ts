import { describe, expect, it } from 'vitest';
import { durationText, nanosOf } from './well-known.ts';

describe('durations', () => {
  it.each<[text: string, nanos: bigint]>([
    ['0s', 0n],
    ['1ns', 1n],
    ['999ns', 999n],
    ['1µs', 1000n],
    ['1.5µs', 1500n],
    ['999.999µs', 999_999n],
    ['1ms', 1_000_000n],
    ['999.999999ms', 999_999_999n],
    ['1s', 1_000_000_000n],
    ['1.000000001s', 1_000_000_001n],
    ['10s', 10_000_000_000n],
    ['1m0s', 60_000_000_000n],
    ['59m59.9s', 3_599_900_000_000n],
    ['1h0m0s', 3_600_000_000_000n],
    ['-1h1m0.5s', -3_660_500_000_000n],
    ['-2562047h47m16.854775808s', -(2n ** 63n)],
    ['2562047h47m16.854775807s', 2n ** 63n - 1n],
  ])('%s is %d ns, in both directions', (text, nanos) => {
    expect(durationText(nanos)).toBe(text);
    expect(nanosOf(text)).toBe(nanos);
  });

  it.each<[text: string, nanos: bigint | undefined]>([
    ['0', 0n],
    ['-0', 0n],
    ['+5s', 5_000_000_000n],
    ['.5s', 500_000_000n],
    ['1.s', 1_000_000_000n],
    ['1us', 1000n],
    ['1μs', 1000n],
    ['0.1ns', 0n],
    ['1s1s', 2_000_000_000n],
    ['9223372036854775808ns', undefined],
    ['', undefined],
    ['1', undefined],
    ['s', undefined],
    ['.s', undefined],
    ['1d', undefined],
    ['1s 1s', undefined],
  ])('%j is read as %s', (text, nanos) => {
    expect(nanosOf(text)).toBe(nanos);
  });
});
