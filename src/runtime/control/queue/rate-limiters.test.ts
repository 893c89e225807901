import { describe, expect, it, vi } from 'vitest';
import { bucketRateLimiter, exponentialRateLimiter, maxOf } from './rate-limiters.ts';
import { SimulatedClock } from './simulated-clock.fixture.ts';

describe('the exponential limiter', () => {
  it('doubles from 5 ms to 1000 s, and starts again after forget', () => {
    const limiter = exponentialRateLimiter();
    const delays = Array.from({ length: 20 }, () => limiter.when('a'));
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
    expect([limiter.failures('a'), limiter.failures('b'), limiter.when('b')]).toEqual([20, 0, 5]);
    limiter.forget('a');
    expect([limiter.failures('a'), limiter.when('a')]).toEqual([0, 5]);
  });

  it('keeps no entry after forget', () => {
    const set = vi.spyOn(Map.prototype, 'set');
    const limiter = exponentialRateLimiter();
    for (let id = 0; id < 1000; id += 1) limiter.when(id);
    const entries: unknown = set.mock.contexts.at(-1);
    set.mockRestore();
    expect(entries).toHaveProperty('size', 1000);
    for (let id = 0; id < 1000; id += 1) limiter.forget(id);
    expect(entries).toHaveProperty('size', 0);
  });

  it('returns the maximum after 2,000 failures, without overflow', () => {
    const limiter = exponentialRateLimiter({ baseMs: 0.1, maxMs: 30_000 });
    for (let failure = 0; failure < 2000; failure += 1) limiter.when('a');
    expect(limiter.when('a')).toBe(30_000);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('throws RangeError for %s', (ms) => {
    expect(() => exponentialRateLimiter({ baseMs: ms })).toThrow(RangeError);
    expect(() => exponentialRateLimiter({ maxMs: ms })).toThrow(/^rate limiter: maxMs must be/);
  });
});

describe('the bucket', () => {
  it('has no delay for the burst, and then delays at the rate', () => {
    const clock = new SimulatedClock();
    const limiter = bucketRateLimiter({ qps: 10, burst: 2, clock });
    expect([1, 2, 3, 4].map((id) => limiter.when(id))).toEqual([0, 0, 100, 200]);
    clock.leap(400);
    expect(limiter.when(5)).toBe(0);
    clock.leap(-10_000);
    expect(limiter.when(6)).toBe(0);
    expect(limiter.when(7)).toBe(100);
    limiter.forget(7);
    expect(limiter.failures(7)).toBe(0);
  });

  it('has 10 keys a second and a burst of 100 by default', () => {
    const clock = new SimulatedClock();
    const limiter = bucketRateLimiter({ clock });
    const delays = Array.from({ length: 102 }, (_, id) => limiter.when(id));
    expect(delays.slice(98)).toEqual([0, 0, 100, 200]);
  });

  it.each([{ qps: 0 }, { qps: Number.NaN }, { burst: 0 }, { burst: 1.5 }])(
    'throws RangeError for %o',
    (options) => {
      expect(() => bucketRateLimiter(options)).toThrow(RangeError);
    },
  );
});

describe('maxOf', () => {
  it('returns the longest delay, the most failures, and forgets in all limiters', () => {
    const clock = new SimulatedClock();
    const limiter = maxOf(exponentialRateLimiter(), bucketRateLimiter({ qps: 1, burst: 2, clock }));
    expect([limiter.when('a'), limiter.when('a'), limiter.when('a')]).toEqual([5, 10, 1000]);
    expect(limiter.failures('a')).toBe(3);
    limiter.forget('a');
    expect(limiter.failures('a')).toBe(0);
    expect(maxOf().when('a')).toBe(0);
  });
});
